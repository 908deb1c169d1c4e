import { assert, describe, it } from "@effect/vitest"
import type * as Faults from "@tallystick/sandbox/Faults"
import type { WireFault } from "@tallystick/sandbox/WireFault"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "../client.ts"
import * as Requests from "./requests.ts"

const { DEPOSITS, KEYS, NOW, ROUTE, TIME, TRANSFERS } = Client

const make = (faults: Faults.Faults) =>
  Effect.andThen(TestClock.setTime(NOW), Client.make({ deposits: Requests.deposits(NOW), faults }))

type Exchange = Effect.Success<ReturnType<typeof make>>

const ask = (exchange: Exchange, path: string) => {
  if (path === KEYS) return Client.send(exchange, "POST", path, {}, { body: Requests.newKey })
  return Client.send(exchange, "GET", path, path === TRANSFERS ? ROUTE : {})
}

const statuses = (exchange: Exchange, paths: ReadonlyArray<string>) =>
  Effect.forEach(paths, (path) => Effect.map(ask(exchange, path), ({ status }) => status))

const statusesWith = (wire: ReadonlyArray<WireFault>, paths: ReadonlyArray<string>) =>
  Effect.flatMap(make({ wire }), (exchange) => statuses(exchange, paths))

describe("an entry", () => {
  it.effect("without ordinals and share hits every request, to unknown paths too", () =>
    Effect.gen(function*() {
      const paths = [DEPOSITS, TRANSFERS, KEYS, TIME, "/nowhere"]
      assert.deepStrictEqual(yield* statusesWith([], paths), [200, 200, 200, 200, 404])
      assert.deepStrictEqual(yield* statusesWith([{ kind: "error" }], paths), [503, 503, 503, 503, 503])
    }))

  it.effect("counts only the requests of its operations", () =>
    Effect.gen(function*() {
      const paths = [DEPOSITS, TRANSFERS, TIME, DEPOSITS, KEYS, TRANSFERS, "/nowhere", DEPOSITS]
      const operations = ["subAccountDeposits", "universalTransfers"] as const
      assert.deepStrictEqual(
        yield* statusesWith([{ kind: "error", operations, requests: [2, 5] }], paths),
        [200, 503, 200, 200, 200, 200, 404, 503]
      )
      assert.deepStrictEqual(
        yield* statusesWith([{ kind: "error", operations: ["serverTime"], requests: [1] }], paths),
        [200, 200, 503, 200, 200, 200, 404, 200]
      )
      assert.deepStrictEqual(
        yield* statusesWith([{ kind: "error", operations: [...operations, "createApiKey"], requests: [4] }], paths),
        [200, 200, 200, 200, 503, 200, 404, 200]
      )
    }))

  it.effect("decides alone where it is the first one that hits", () =>
    Effect.gen(function*() {
      const wire: ReadonlyArray<WireFault> = [
        { kind: "error", requests: [2], status: 500 },
        { kind: "firewall", requests: [2, 3] },
        { kind: "error", share: 1, status: 504 }
      ]
      assert.deepStrictEqual(yield* statusesWith(wire, [TIME, TIME, TIME]), [504, 500, 403])
    }))

  it.effect("hits its share of the requests, whatever another entry hits", () =>
    Effect.gen(function*() {
      const wire: ReadonlyArray<WireFault> = [
        { kind: "error", share: 0.3, status: 500 },
        { kind: "error", share: 0.5, status: 504 }
      ]
      const seen = yield* statusesWith(wire, Array.from({ length: 2000 }, () => TIME))
      const share = (wanted: number) => seen.filter((status) => status === wanted).length / seen.length
      assert.closeTo(share(500), 0.3, 0.04)
      assert.closeTo(share(504), 0.35, 0.04)
    }))

  it.effect("with ordinals alone hits these and leaves nothing to chance", () =>
    Effect.gen(function*() {
      const seen = yield* statusesWith([{ kind: "error", requests: [7, 150] }], Array.from({ length: 200 }, () => TIME))
      assert.deepStrictEqual(seen.flatMap((status, i) => status === 200 ? [] : [i + 1]), [7, 150])
    }))

  it.effect("hits by ordinal and by chance alike where it has both", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* statusesWith([{ kind: "error", share: 0, requests: [2] }], [TIME, TIME, TIME]),
        [200, 503, 200]
      )
    }))
})

describe("the rate limit", () => {
  const limited = (wire: ReadonlyArray<WireFault>) =>
    Effect.andThen(
      TestClock.setTime(NOW),
      Client.make({ rules: { rate: { limit: 1, window: 1000, patience: 0, ban: 60 } }, faults: { wire } })
    )

  it.effect("stands in front of every fault, which may still break its refusals", () =>
    Effect.gen(function*() {
      for (const effect of ["before", "after"] as const) {
        const exchange = yield* limited([{ kind: "error", requests: [2], effect }])
        assert.deepStrictEqual(yield* statuses(exchange, [TIME, TIME, TIME]), [200, 429, 418])
      }
      const broken = yield* limited([{ kind: "reset", at: "body", requests: [2] }])
      yield* statuses(broken, [TIME])
      const refusal = yield* Client.send(broken, "GET", TIME)
      assert.strictEqual(refusal.status, 429)
      assert.strictEqual(refusal.delivery?.manner._tag, "Part")
    }))
})

describe("the clock", () => {
  const Time = Schema.fromJsonString(Schema.Struct({ serverTime: Schema.Int }))
  const told = (exchange: Exchange) =>
    Effect.flatMap(
      Client.send(exchange, "GET", TIME),
      ({ body }) => Effect.map(Schema.decodeEffect(Time)(body), ({ serverTime }) => serverTime)
    )

  it.effect("drifts from when the exchange was made, on top of its offset", () =>
    Effect.gen(function*() {
      const exchange = yield* make({ clock: { offset: -5000, drift: 600 } })
      assert.strictEqual(yield* told(exchange), NOW - 5000)
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* told(exchange), NOW + 1_800_000 - 5000 + 300)
    }))

  it.effect("decides what is within the window of a request", () =>
    Effect.gen(function*() {
      const exchange = yield* make({ clock: { drift: -1000 } })
      assert.deepStrictEqual(yield* statuses(exchange, [DEPOSITS]), [200])
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* Effect.flatMap(ask(exchange, DEPOSITS), Client.codeOf), 700003)
    }))
})

describe("faults that are replaced", () => {
  it.effect("hold from the next request on, and ordinals go on", () =>
    Effect.gen(function*() {
      const exchange = yield* make({})
      assert.deepStrictEqual(yield* statuses(exchange, [TIME, TIME]), [200, 200])
      const faults: Faults.Faults = { wire: [{ kind: "error", requests: [1, 3] }] }
      yield* exchange.setFaults(faults)
      assert.deepStrictEqual(yield* exchange.faults, faults)
      assert.deepStrictEqual(yield* statuses(exchange, [TIME, TIME]), [503, 200])
    }))
})

describe("the log of requests", () => {
  it.effect("says 0 where no byte of an answer went out", () =>
    Effect.gen(function*() {
      const exchange = yield* make({
        wire: [{ kind: "reset", at: "request", requests: [1] }, { kind: "reset", at: "answer", requests: [2] }]
      })
      yield* statuses(exchange, [KEYS, KEYS, KEYS])
      assert.deepStrictEqual((yield* exchange.requests).map(({ status }) => status), [0, 0, 200])
      assert.strictEqual((yield* exchange.keys).length, 2)
    }))
})
