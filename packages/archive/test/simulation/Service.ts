/** Answers like the exchange, out of a world that changes meanwhile: slowly, not always, and until the reader dies. */
import { Broker } from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Conventions from "@tallystick/core/Conventions"
import type * as Page from "@tallystick/core/Page"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Histories from "../../../core/src/internal/histories/Histories.ts"
import type * as Seeded from "../support/Seeded.ts"
import * as Side from "./Side.ts"
import * as World from "./World.ts"

export interface Options {
  /** Records of a page. */
  readonly page: number
  /** How long an answer takes at the most, ms. */
  readonly latency?: number
  /** Pages that are asked for at once. */
  readonly concurrency?: number
  /** Records of one moment come in another order each time. */
  readonly shuffled?: boolean
  /** The share of pages that fail. */
  readonly failing?: number
}

/** What a reader that was broken off dies of. */
export const BROKEN_OFF = "broken off"

export interface Service {
  readonly layer: Layer.Layer<Broker>
  /** Whoever reads dies at this request from now, counted from 1; never for infinity. */
  readonly breakOffAt: (request: number) => void
  /** From now on nothing comes or changes by itself, and every answer comes at once. */
  readonly calm: () => void
  /** The identities of all records that came in an answer. */
  readonly answered: ReadonlySet<string>
}

/** The number of records that come while somebody reads: each of them may cost several requests, and each request brings more. */
const ARRIVALS = 500

export const make = (world: World.World, random: Seeded.Seeded, options: Options): Service => {
  const { concurrency = 1, failing = 0, latency = 0, page, shuffled = false } = options
  const changes = {
    depositPage: { default: page, maximum: page },
    transferPage: { default: page, maximum: page }
  }
  let isCalm = false
  let requests = Number.POSITIVE_INFINITY
  let arrivals = 0
  const identities = new Set<string>()

  const ordered = <Record>(records: ReadonlyArray<Record>): ReadonlyArray<Record> =>
    shuffled
      ? records.map((record) => ({ record, rank: random.next() })).toSorted((a, b) => a.rank - b.rank).map((
        { record }
      ) => record)
      : records

  /** The exchange as it is at this moment. */
  const present = Effect.fnUntraced(
    function*<A>(ask: (broker: Broker["Service"]) => Effect.Effect<A, BrokerError.RequestError>) {
      const now = yield* Clock.currentTimeMillis
      const history = {
        deposits: ordered(World.shown(world.deposits, now)),
        transfers: ordered(World.shown(world.transfers, now)),
        conventions: changes
      }
      return yield* Broker.use(ask).pipe(Effect.provide(Layer.orDie(Broker.layerMemory(history))))
    }
  )

  const passing = Effect.fnUntraced(function*(ms: number) {
    yield* TestClock.adjust(ms)
    for (let turns = random.int(0, 3); turns > 0; turns--) yield* Effect.yieldNow
  })

  const unavailable = (operation: BrokerError.Operation) =>
    BrokerError.BrokerError.of(operation, new BrokerError.Unavailable({ detail: "503", attempts: 3, sent: true }))

  const answered = <Record>(
    operation: BrokerError.Operation,
    identity: (record: Record) => string,
    ask: (broker: Broker["Service"]) => Effect.Effect<Page.Page<Record>, BrokerError.RequestError>
  ) =>
    Effect.gen(function*() {
      const earliest = yield* Clock.currentTimeMillis
      const wait = isCalm ? 0 : random.int(0, latency)
      const before = random.int(0, wait)
      yield* passing(before)
      const now = yield* Clock.currentTimeMillis
      if (!isCalm && arrivals < ARRIVALS && random.chance(0.3)) {
        arrivals++
        world.arrive(now - 1000, now + 1)
      }
      if (!isCalm && random.chance(0.3)) world.change(now, 0.05, "between pages")
      if (--requests <= 0) return yield* Effect.die(BROKEN_OFF)
      const page = yield* present(ask)
      yield* passing(wait - before)
      if (!isCalm && random.chance(failing)) return yield* unavailable(operation)
      for (const record of page.records) identities.add(identity(record))
      return { page, at: { earliest, latest: yield* Clock.currentTimeMillis } }
    })

  const histories = Histories.make({
    conventions: Conventions.make(changes),
    concurrency,
    clock: { now: Effect.map(Clock.currentTimeMillis, (now) => ({ earliest: now, latest: now })) },
    unasked: () => Effect.undefined,
    deposits: (input) =>
      answered("subAccountDeposits", Side.deposits.identity, (broker) => broker.subAccountDeposits(input)),
    transfers: (input) =>
      answered("universalTransfers", Side.transfers.identity, (broker) => broker.universalTransfers(input))
  })

  return {
    layer: Layer.effect(Broker, Effect.map(Broker, (memory) => Broker.of({ ...memory, ...histories }))).pipe(
      Layer.provide(Layer.orDie(Broker.layerMemory({ conventions: changes })))
    ),
    breakOffAt: (request) => {
      requests = request
    },
    calm: () => {
      isCalm = true
    },
    answered: identities
  }
}
