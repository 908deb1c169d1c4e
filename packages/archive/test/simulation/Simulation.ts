/** Days of an exchange's life in virtual time, and an archive that is synced now and then. A seed repeats it. */
import type { Archive } from "@tallystick/archive/Archive"
import type { ArchiveError } from "@tallystick/archive/ArchiveError"
import * as Sync from "@tallystick/archive/Sync"
import type { Broker } from "@tallystick/core/Broker"
import type { BrokerError } from "@tallystick/core/BrokerError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { NOW } from "../support/records.ts"
import * as Seeded from "../support/Seeded.ts"
import * as Service from "./Service.ts"
import * as World from "./World.ts"

export interface Kind extends World.Options, Service.Options {
  /** Syncs die at a request, now and then. */
  readonly kills?: boolean
}

export interface Simulation {
  readonly random: Seeded.Seeded
  readonly world: World.World
  readonly broker: Layer.Layer<Broker>
  /** The identities of all records that came in an answer. */
  readonly answered: ReadonlySet<string>
  /** Some minutes to days go by. */
  readonly pass: Effect.Effect<void>
  /** A sync, which may be broken off. */
  readonly sync: (
    options: Omit<Sync.Options, "accounts"> & { readonly accounts?: ReadonlyArray<string> }
  ) => Effect.Effect<void, ArchiveError | BrokerError, Archive | Broker>
  /** A last sync, some minutes after the world has come to rest. */
  readonly rest: Effect.Effect<void, ArchiveError | BrokerError, Archive | Broker>
}

/** How much goes by between two syncs, at the most: a seed has one of them. */
const PACES = [20 * World.MINUTE, 3 * World.HOUR, 20 * World.HOUR] as const

/** Longer than the service shows deposits. */
const TOO_LONG = 100 * World.HOUR

/** It begins at `NOW`. */
export const make = Effect.fnUntraced(function*(kind: Kind, seed: number) {
  const random = Seeded.make(seed)
  const world = World.make(random, kind)
  const service = Service.make(world, random, kind)
  const pace = PACES[seed % 3] ?? TOO_LONG
  yield* TestClock.setTime(NOW)

  const pass = Effect.gen(function*() {
    const from = yield* Clock.currentTimeMillis
    const passed = random.int(1, random.chance(0.1) ? TOO_LONG : pace)
    for (let arrivals = random.int(0, 25); arrivals > 0; arrivals--) world.arrive(from, from + passed)
    for (let step = 0; step < 4; step++) {
      yield* TestClock.adjust(Math.ceil(passed / 4))
      world.change(yield* Clock.currentTimeMillis, 0.2, "between readings")
    }
  })

  const read: Simulation["sync"] = ({ accounts = World.ACCOUNTS, ...options }) =>
    Effect.asVoid(Sync.run({ ...options, accounts: { list: accounts, complete: true } }))

  const sync: Simulation["sync"] = Effect.fnUntraced(function*(options) {
    service.breakOffAt(kind.kills && random.chance(0.6) ? random.int(1, 40) : Number.POSITIVE_INFINITY)
    yield* Effect.catchCauseIf(
      read(options),
      (cause) => Cause.squash(cause) === Service.BROKEN_OFF,
      () => Effect.void
    )
    service.breakOffAt(Number.POSITIVE_INFINITY)
  })

  const rest = Effect.gen(function*() {
    service.calm()
    yield* TestClock.adjust(5 * World.MINUTE)
    yield* read({})
  })

  return { random, world, broker: service.layer, answered: service.answered, pass, sync, rest } satisfies Simulation
})
