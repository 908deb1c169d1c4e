/**
 * Of several runners one syncs. Where it is killed, stands still or is cut off from PostgreSQL, another one goes on within seconds, and the
 * archive has what the service told, no more and no less: three runners as real processes, a real server whose books grow meanwhile, a real
 * PostgreSQL.
 *
 * TALLYSTICK_KILLS: moments of all three kinds (default 3); each takes some twenty seconds. TALLYSTICK_SEED draws other moments. TALLYSTICK_TIMES names a file that gets what each
 * moment took.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { appendFileSync } from "node:fs"
import * as Seeded from "../../archive/test/support/Seeded.ts"
import type * as Turns from "../../cluster/test/kill/Turns.ts"
import * as SyncingRunners from "./support/SyncingRunners.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND

const MOMENTS = Math.ceil(Number(process.env["TALLYSTICK_KILLS"] ?? 3) / 3)
const seed = Number(process.env["TALLYSTICK_SEED"] ?? 1)
const times = process.env["TALLYSTICK_TIMES"]

/** So many moments are those of one archive. */
const AN_ARCHIVE = 10

/** The runner of a moment is lost so long after it took over or a round of it ended, ms. */
const MOMENT = 2500

/** What is promised, ms. */
const SOON = 15 * SECOND

/** A runner that is back has its part of the work by then, ms. */
const SETTLING = 5 * SECOND

/** What becomes of the runner that syncs, and how it comes back. */
interface Loss {
  readonly name: string
  readonly lose: (cluster: SyncingRunners.Cluster, runner: SyncingRunners.Runner) => Effect.Effect<void>
  readonly back: (cluster: SyncingRunners.Cluster, runner: SyncingRunners.Runner) => Effect.Effect<void>
}

/** So often a runner said that it lost its turn. */
const losing = ({ running }: SyncingRunners.Runner): number =>
  (running.said().match(/this runner syncs no more/g) ?? []).length

const losses: ReadonlyArray<Loss> = [
  {
    name: "is killed",
    lose: (_, { running }) => Effect.sync(() => running.process.kill("SIGKILL")),
    back: (cluster, { name }) => Effect.asVoid(cluster.begin(Number(name.split(":")[1])))
  },
  {
    name: "stands still",
    lose: (_, { running }) => Effect.sync(() => running.process.kill("SIGSTOP")),
    back: (_, { running }) => Effect.sync(() => running.process.kill("SIGCONT"))
  },
  {
    name: "is cut off from PostgreSQL",
    lose: (_, { network }) => network.cut,
    back: (_, { network }) => network.heal
  }
]

/** Whose turn it is when it stayed so for some time, ms: a runner that is back may take over from another one, as its part of all work. */
const settled = (cluster: SyncingRunners.Cluster, time: number): Effect.Effect<Turns.Turn> =>
  Effect.gen(function*() {
    const isOwn = ({ process, runner }: Turns.Turn) => cluster.runners.get(runner)?.running.process.pid === process
    const { turn } = yield* cluster.turn(isOwn)
    yield* Effect.sleep(time)
    const now = yield* cluster.turn(isOwn)
    return now.turn === turn ? now : yield* settled(cluster, time)
  })

/** Loses the runner that syncs, and gives how long it took until another one held the archive, and until a round of it ended, ms. */
const moment = Effect.fnUntraced(function*(cluster: SyncingRunners.Cluster, { back, lose, name }: Loss, wait: number) {
  const before = yield* settled(cluster, SETTLING + wait)
  const lost = cluster.runners.get(before.runner)
  if (lost === undefined) return yield* Effect.die(new Error(`no runner is ${before.runner}`))
  const told = losing(lost)
  const at = Date.now()
  yield* lose(cluster, lost)
  const held = yield* cluster.turn(({ process }) => process !== before.process)
  const holding = Date.now() - at
  yield* cluster.turn(({ readAt, turn }) => turn >= held.turn && readAt > at + holding)
  const reading = Date.now() - at
  yield* back(cluster, lost)
  // One that stood still or was alone says that it syncs no more.
  if (name !== "is killed") yield* cluster.until(() => losing(lost) > told)
  if (times !== undefined) appendFileSync(times, `${name}\t${holding}\t${reading}\n`)
  return holding
})

describe("of three runners one syncs, and where it is lost", () => {
  it.live("another one goes on within seconds, and nothing is lost or doubled", () =>
    Effect.gen(function*() {
      const seeded = Seeded.make(seed)
      const moments = Array.from({ length: MOMENTS }, () => losses).flat()
      for (let first = 0; first < moments.length; first += AN_ARCHIVE) {
        yield* Effect.gen(function*() {
          const cluster = yield* SyncingRunners.make(seed + first)
          yield* cluster.turn(({ readAt }) => readAt > 0)
          for (const loss of moments.slice(first, first + AN_ARCHIVE)) {
            assert.isBelow(yield* moment(cluster, loss, seeded.int(0, MOMENT)), SOON, loss.name)
          }
          yield* cluster.judged
        }).pipe(Effect.scoped)
      }
    }), Math.max(5 * MINUTE, MOMENTS * 3 * 40 * SECOND))
})
