/**
 * The machine's clock is set, back and forward, and the machine is suspended, while an archive is synced and in between. The
 * service has a time of its own, refuses what its time refuses, and forgets by it; the archive is held against what happened.
 */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Conventions from "@tallystick/core/Conventions"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as Machine from "../../../core/test/support/machine.ts"
import * as InProcess from "../../../sandbox/test/broker.ts"
import { NOW } from "../support/records.ts"
import * as Seeded from "../support/Seeded.ts"
import * as Judge from "./Judge.ts"
import * as Seeds from "./Seeds.ts"
import * as World from "./World.ts"

interface Kind {
  readonly name: string
  /** Without it the machine's clock is the only one that a sync has. */
  readonly serverTime: boolean
}

const kinds: ReadonlyArray<Kind> = [
  { name: "tells its time", serverTime: true },
  { name: "does not tell its time", serverTime: false }
]

const DAY = 24 * World.HOUR
const ROUNDS = 12
const LATENCY = 1500

const conventions = Conventions.make({
  depositPage: { default: 7, maximum: 7 },
  transferPage: { default: 7, maximum: 7 }
})

const live = ({ serverTime }: Kind) =>
  Effect.fnUntraced(function*(seed: number) {
    yield* TestClock.setTime(NOW)
    const random = Seeded.make(seed)
    const machine = yield* Machine.make
    const truly = Effect.provideService(Clock.Clock, machine.truth)
    const now = truly(Clock.currentTimeMillis)
    const world = World.make(random, { late: World.MINUTE })
    let isCalm = false

    /** What happens to the machine: its clock is set back, forward or right, or it sleeps for seconds, hours or days. */
    const mishap = (): void => {
      const sleep = (most: number) => () => machine.suspend(random.int(1, most))
      random.pick([
        () => machine.set(-World.HOUR),
        () => machine.set(DAY),
        () => machine.set(random.int(-DAY, DAY)),
        () => machine.set(random.int(-10_000, 10_000)),
        () => machine.set(-machine.ahead()),
        () => machine.set(-machine.ahead()),
        sleep(10_000),
        sleep(5 * World.HOUR),
        sleep(random.chance(0.2) ? 100 * World.HOUR : World.HOUR)
      ])()
    }
    const happen = (likelihood: number): void => {
      if (!isCalm && random.chance(likelihood)) mishap()
    }

    const handle = Effect.fnUntraced(function*(request: Exchange.Request) {
      yield* TestClock.adjust(isCalm ? 0 : random.int(0, LATENCY))
      happen(0.03)
      const at = yield* now
      if (!isCalm && random.chance(0.3)) world.arrive(at - 1000, at + 1)
      if (!isCalm && random.chance(0.3)) world.change(at, 0.05, "between pages")
      const exchange = yield* Exchange.Exchange.make({
        credentials: InProcess.credentials,
        conventions,
        deposits: World.shown(world.deposits, at),
        transfers: World.shown(world.transfers, at),
        rules: { rate: null, serverTime }
      })
      const answer = yield* exchange.handle(request)
      happen(0.03)
      yield* TestClock.adjust(isCalm ? 0 : random.int(0, LATENCY))
      return answer
    }, truly)

    const exchange = yield* Exchange.Exchange.make({ credentials: [], conventions })
    /** By a process of its own, or by one that goes on. */
    const process = InProcess.unhurt({ ...exchange, handle }, conventions)
    const sync = (options: { readonly since?: number }) =>
      Sync.run({ ...options, accounts: { list: World.ACCOUNTS, complete: true } })

    const pass = Effect.gen(function*() {
      const from = yield* now
      const passed = random.int(1, 9 * World.HOUR)
      for (let arrivals = random.int(0, 25); arrivals > 0; arrivals--) world.arrive(from, from + passed)
      yield* TestClock.adjust(passed)
      happen(0.5)
      world.change(yield* now, 0.2, "between readings")
    })

    const judged = Effect.gen(function*() {
      const archive = yield* Archive
      const at = yield* now
      yield* truly(Judge.sound(world, { regressions: false, shifts: false }))
      for (const { readAt, state, to } of yield* archive.coverage()) {
        assert.isAtMost(readAt, at, "read in the future")
        if (state === "complete") assert.isAtMost(to, at - conventions.settle, "complete before it was settled")
      }
    })

    yield* Effect.gen(function*() {
      let succeeded = 0
      for (let lives = 0; lives < 3; lives++) {
        yield* Effect.gen(function*() {
          for (let round = 0; round < ROUNDS / 3; round++) {
            yield* pass
            const result = yield* Effect.result(sync(lives + round === 0 ? { since: NOW } : {}))
            if (Result.isSuccess(result)) succeeded++
            yield* judged
          }
        }).pipe(Effect.provide(process))
      }
      isCalm = true
      machine.set(-machine.ahead())
      yield* TestClock.adjust(5 * World.MINUTE)
      const summary = yield* Effect.provide(sync({}), process)
      assert.isAtLeast(summary.completeTo ?? 0, (yield* now) - conventions.settle - 2 * World.MINUTE)
      yield* judged
      yield* truly(Judge.current(world))
      if (serverTime) assert.isAbove(succeeded, 0)
    }).pipe(Effect.provide(Archive.layerMemory()), Effect.provideService(Clock.Clock, machine.clock))
  })

describe("an archive on a machine whose clock is set and that is suspended", () => {
  for (const kind of kinds) {
    it.effect(`claims nothing that is not so, and loses nothing, of a service that ${kind.name}`, () =>
      Seeds.each(live(kind)))
  }
})
