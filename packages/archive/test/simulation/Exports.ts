/** Files that somebody made of what the service showed, and imports later, in parts, perhaps without knowing when they were made. */
import * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { NOW } from "../support/records.ts"
import * as Side from "./Side.ts"
import type * as Simulation from "./Simulation.ts"
import * as World from "./World.ts"

/** Everything that the service showed of an interval. */
interface Export extends Coverage.Interval {
  readonly madeAt: number
  readonly deposits: ReadonlyArray<Side.Deposit>
  readonly transfers: ReadonlyArray<Side.Transfer>
}

/** Nothing that belongs to the interval appears any more. */
const SETTLED = 2 * World.MINUTE

/** Each time one may be made, and one of those that were made before may be imported. */
export const make = ({ random, world }: Simulation.Simulation) => {
  const made: Array<Export> = []

  const take = (now: number): void => {
    const from = random.int(NOW - 5 * World.HOUR, now - SETTLED - 1)
    const to = Math.min(from + random.int(1, 30 * World.HOUR), now - SETTLED)
    const within = <Record extends { readonly status: string | number }>(
      side: Side.Side<Record>,
      truths: ReadonlyArray<World.Truth<Record>>
    ) => World.shown(truths, now).filter((record) => side.at(record) >= from && side.at(record) < to)
    made.push({
      from,
      to,
      madeAt: now,
      deposits: within(Side.deposits, world.deposits),
      transfers: within(Side.transfers, world.transfers)
    })
  }

  /** In time order; records of one moment stay together. */
  const parts = <Record>(records: ReadonlyArray<Record>, at: (record: Record) => number) => {
    const cut: Array<Array<Record>> = []
    for (const moment of Map.groupBy(records.toSorted((a, b) => at(a) - at(b)), at).values()) {
      const last = cut.at(-1)
      if (last === undefined || random.chance(0.2)) cut.push([...moment])
      else last.push(...moment)
    }
    return cut
  }

  const bring = Effect.fnUntraced(function*<Record extends { readonly status: string | number }>(
    side: Side.Side<Record>,
    file: Export,
    records: ReadonlyArray<Record>,
    seenAt: number | undefined
  ) {
    const archive = yield* Archive.Archive
    for (const part of parts(records, side.at)) yield* side.history(archive).importRecords(part, seenAt)
    if (random.chance(0.7)) yield* archive.vouch(side.operation, file, file.madeAt)
  })

  return Effect.gen(function*() {
    if (random.chance(0.7)) take(yield* Clock.currentTimeMillis)
    if (made.length === 0 || random.chance(0.4)) return
    const file = random.pick(made)
    const seenAt = random.chance(0.5) ? file.madeAt : undefined
    const which = random.pick(["deposits", "transfers", "both"])
    if (which !== "transfers") yield* bring(Side.deposits, file, file.deposits, seenAt)
    if (which !== "deposits") yield* bring(Side.transfers, file, file.transfers, seenAt)
  })
}
