/** Whether an archive tells the truth about a world. */
import { assert } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import type * as ArchivedRecord from "@tallystick/archive/ArchivedRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Side from "./Side.ts"
import * as World from "./World.ts"

/** As far back everything is shown, and looked after by a sync, ms. */
const WATCHED = 60 * World.HOUR

/** What may be said of a world at any moment. */
export interface Allowances {
  /** Statuses go back. */
  readonly regressions: boolean
  /** Pages shift between two requests: what was not seen may be taken for vanished until the next reading. */
  readonly shifts: boolean
  /**
   * The identities of all records that came in an answer, where records are taken away while they are read: one that moves up
   * from a page to the page before it may come in none, and nobody can miss it then (docs/assumptions.md).
   */
  readonly answered?: ReadonlySet<string> | undefined
}

type Status = { readonly status: string | number }

interface Books<Record extends Status> {
  readonly side: Side.Side<Record>
  readonly truths: ReadonlyArray<World.Truth<Record>>
  readonly kept: ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>>
}

const read = Effect.fnUntraced(function*<Record extends Status>(
  side: Side.Side<Record>,
  truths: ReadonlyArray<World.Truth<Record>>
) {
  const history = side.history(yield* Archive)
  const slices = yield* Stream.runCollect(history.slices({ from: 0, to: Number.MAX_SAFE_INTEGER }))
  const kept = slices.flatMap(({ records }): ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>> => records)
  return { side, truths, kept } satisfies Books<Record>
})

const recordOf = <Record>({ record }: { readonly record: Record }): Record => record

const hasVanished = ({ vanishedAt }: ArchivedRecord.ArchivedRecord<unknown>): boolean => vanishedAt !== undefined

const count = (identities: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const identity of identities) counts.set(identity, (counts.get(identity) ?? 0) + 1)
  return counts
}

const nothingDoubled = <Record extends Status>({ kept, side, truths }: Books<Record>): void => {
  const happened = count(truths.map(recordOf).map(side.identity))
  for (const [identity, times] of count(kept.map(recordOf).map(side.identity))) {
    assert.isAtMost(times, happened.get(identity) ?? 0, `doubled, or never there: ${identity}`)
  }
}

const nothingLost = <Record extends Status>(
  { kept, side, truths }: Books<Record>,
  coverage: ReadonlyArray<Coverage.Coverage>,
  answered: ReadonlySet<string> | undefined
): void => {
  const found = count(kept.map(recordOf).map(side.identity))
  const stayed = truths.filter(({ removed }) => removed === undefined).map(recordOf)
  for (const { from, operation, query, state, to } of coverage) {
    if (operation !== side.operation || state !== "complete") continue
    const within = (record: Record): boolean =>
      side.at(record) >= from && side.at(record) < to && side.isAsked(query, record) &&
      (answered === undefined || answered.has(side.identity(record)))
    for (const [identity, times] of count(stayed.filter(within).map(side.identity))) {
      assert.isAtLeast(found.get(identity) ?? 0, times, `lost in complete [${from}, ${to}): ${identity}`)
    }
  }
}

const nothingInConflict = <Record extends Status>({ kept, side }: Books<Record>): void => {
  for (const { conflicts, record } of kept) assert.deepStrictEqual(conflicts, [], side.identity(record))
}

const nothingFalselyVanished = <Record extends Status>({ kept, side, truths }: Books<Record>, now: number): void => {
  const removed = new Set(
    truths.filter((truth) => truth.removed !== undefined && truth.removed.from <= now).map(recordOf).map(side.identity)
  )
  for (const { record } of kept.filter(hasVanished)) {
    assert.isTrue(
      removed.has(side.identity(record)),
      `never removed, but said to have vanished: ${side.identity(record)}`
    )
  }
}

/** What a file said before does not count: nobody knows when it was so. */
const nothingFalselyRegressed = <Record extends Status>({ kept, side }: Books<Record>): void => {
  for (const { before, record } of kept) {
    const statuses = [...before.filter(({ imported }) => !imported).map(recordOf), record].map(({ status }) => status)
    const wentBack = statuses.some((status, index) =>
      index > 0 && status === side.open && statuses[index - 1] !== side.open
    )
    assert.isFalse(wentBack, `never went back, but said to: ${side.identity(record)}, ${statuses.join(", ")}`)
  }
}

const sides = (world: World.World) =>
  Effect.all([read(Side.deposits, world.deposits), read(Side.transfers, world.transfers)])

/** At any moment, whatever has failed or was broken off. */
export const sound = Effect.fnUntraced(function*(world: World.World, allowed: Allowances) {
  const now = yield* Clock.currentTimeMillis
  const coverage = yield* (yield* Archive).coverage()
  const judge = <Record extends Status>(books: Books<Record>): void => {
    nothingDoubled(books)
    nothingLost(books, coverage, allowed.answered)
    nothingInConflict(books)
    if (!allowed.shifts) nothingFalselyVanished(books, now)
    if (!allowed.regressions) nothingFalselyRegressed(books)
  }
  const [deposits, transfers] = yield* sides(world)
  judge(deposits)
  judge(transfers)
})

/** After a sync of a world at rest: every record is there, with its present status, and what was removed is not. */
export const current = Effect.fnUntraced(function*(world: World.World) {
  const now = yield* Clock.currentTimeMillis
  const judge = <Record extends Status>({ kept, side, truths }: Books<Record>): void => {
    const told = (records: ReadonlyArray<Record>): ReadonlyArray<string> =>
      records.filter((record) => side.at(record) > now - WATCHED && side.at(record) < now)
        .map((record) => `${side.identity(record)} ${record.status}`)
        .toSorted()
    const present = kept.filter((one) => !hasVanished(one)).map(recordOf)
    assert.deepStrictEqual(told(present), told(World.shown(truths, now)), `${side.operation} that are there`)
  }
  const [deposits, transfers] = yield* sides(world)
  judge(deposits)
  judge(transfers)
})

/** After a sync of a world at rest: nothing that is shown is said to have vanished. */
export const returned = Effect.fnUntraced(function*(world: World.World) {
  const now = yield* Clock.currentTimeMillis
  const judge = <Record extends Status>({ kept, side, truths }: Books<Record>): void => {
    const vanished = new Set(kept.filter(hasVanished).map(recordOf).map(side.identity))
    const shown = World.shown(truths, now).filter((record) => side.at(record) > now - WATCHED)
    assert.deepStrictEqual(shown.map(side.identity).filter((identity) => vanished.has(identity)), [])
  }
  const [deposits, transfers] = yield* sides(world)
  judge(deposits)
  judge(transfers)
})
