/** Runners that sync, as processes of their own, over a service whose books grow and a PostgreSQL, each through a network of its own. */
import { assert } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Judge from "../../../archive/test/kill/Judge.ts"
import * as World from "../../../archive/test/kill/World.ts"
import { temporaryDatabase } from "../../../archive/test/support/databases.ts"
import * as Network from "../../../archive/test/support/Network.ts"
import * as Processes from "../../../cluster/test/kill/Processes.ts"
import * as Turns from "../../../cluster/test/kill/Turns.ts"
import * as Exchange from "./Exchange.ts"
import { type Running, start } from "./Process.ts"

const MINUTE = 60_000

/** Rounds of every second ask for many more lists than one sync: the books would grow faster than they are read. */
const PACE = 0.1

export interface Runner {
  readonly name: string
  readonly running: Running
  readonly network: Network.Network
}

export interface Cluster {
  readonly url: Redacted.Redacted
  readonly world: World.World
  readonly runners: Map<string, Runner>
  /** Starts a runner at a port, and waits until it takes jobs. */
  readonly begin: (port: number, more?: ReadonlyArray<string>) => Effect.Effect<Runner>
  /** What stands in the database, once `until` is so of it. */
  readonly turn: (until: (turn: Turns.Turn) => boolean) => Effect.Effect<Turns.Turn>
  /** Waits until something is so. */
  readonly until: (isSo: () => boolean) => Effect.Effect<void>
  /** No record comes any more, and everything is there: no more and no less than the service told. */
  readonly judged: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function*(seed: number) {
  const url = yield* temporaryDatabase
  const world = World.make(seed, Date.now(), World.ACCOUNTS, PACE)
  const { accounts, env } = yield* Exchange.make(world)
  const sync = ["--sync", "--every", "1s", "--accounts", accounts, "--since", new Date(world.begin).toISOString()]
  const watching = yield* Turns.watching(url)
  const scope = yield* Effect.scope
  const runners = new Map<string, Runner>()

  const begin: Cluster["begin"] = Effect.fnUntraced(function*(port, more = sync) {
    const network = yield* Network.before(new URL(Redacted.value(url))).pipe(
      Effect.provideService(Scope.Scope, scope)
    )
    const running = yield* Effect.acquireRelease(
      Effect.sync(() =>
        start(["cluster", "runner", "--address", String(port), ...more], {
          env: { ...env, TALLYSTICK_DATABASE_URL: network.url.href }
        })
      ),
      ({ process }) => Effect.sync(() => process.kill("SIGKILL"))
    ).pipe(Effect.provideService(Scope.Scope, scope))
    const told = yield* Effect.promise(() => running.told("takes jobs"))
    assert.include(told, "takes jobs")
    const runner = { name: `127.0.0.1:${port}`, running, network }
    runners.set(runner.name, runner)
    return runner
  })

  /** What does not come about in time is told with what the runners said. */
  const inTime = <A>(what: string, effect: Effect.Effect<A>): Effect.Effect<A> =>
    Effect.timeoutOrElse(effect, {
      duration: MINUTE,
      orElse: () =>
        Effect.die(
          new Error(
            [what, ...Array.from(runners.values(), ({ name, running }) => `${name}\n${running.said()}`)].join("\n\n")
          )
        )
    })
  const turn: Cluster["turn"] = (until) => inTime("the turn did not become as it was awaited", watching(until))
  const until: Cluster["until"] = (isSo) =>
    inTime(
      "what was awaited did not come about",
      Effect.repeat(Effect.delay(Effect.sync(isSo), "50 millis"), { until: (it) => it })
    )

  const judged = Effect.gen(function*() {
    world.freeze()
    const until = world.now() - 2 * MINUTE
    const frozen = Date.now()
    const { readAt } = yield* turn(({ readAt }) => readAt > frozen)
    // A round that was under way when the world stood still may have read before that.
    yield* turn((turn) => turn.readAt > readAt)
    for (const { running } of runners.values()) running.process.kill("SIGKILL")
    const found = yield* Archive.Archive.use((archive) => Judge.whole(archive, world, until)).pipe(
      Effect.provide(Archive.Archive.layerPostgres({ url })),
      Effect.orDie
    )
    assert.isAbove(found.deposits.records + found.transfers.records, 100)
  })

  for (let index = 0; index < 3; index++) yield* begin(yield* Processes.freePort)
  const cluster: Cluster = { url, world, runners, begin, turn, until, judged }
  return cluster
})
