import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Service from "./support/service.ts"

const HOUR = 3_600_000
const range = { from: NOW - 10 * HOUR, to: NOW - HOUR }
/** The same on whole minutes. */
const whole = { from: Math.floor(range.from / 60_000) * 60_000, to: Math.ceil(range.to / 60_000) * 60_000 }
const SPOT = { fromAccountType: "SPOT", toAccountType: "SPOT" }

const only =
  (records: ReadonlyArray<{ readonly [key: string]: unknown }>): Service.Handler =>
  ({ url: { searchParams: query } }) =>
    Service.json(
      (query.get("page") ?? "1") === "1"
        ? records.filter((record) => {
          const time = Number(record["insertTime"] ?? record["timestamp"])
          return time < range.from - HOUR ||
            (time >= Number(query.get("startTime")) && time <= Number(query.get("endTime")))
        })
        : []
    )

/** Answers by the times that are asked for. */
const within = (records: ReadonlyArray<{ readonly insertTime: number }>) =>
  Service.make(({ url: { searchParams: query } }) =>
    Service.json(
      (query.get("page") ?? "1") === "1"
        ? records.filter(({ insertTime }) =>
          insertTime >= Number(query.get("startTime")) && insertTime <= Number(query.get("endTime"))
        )
        : []
    )
  )

const failureOf = (handler: Service.Handler) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(NOW)
    const broker = yield* Service.broker(Service.make(handler), { retries: 1 })
    return yield* Service.withAdvancingClock(Effect.flip(Stream.runCollect(broker.streamSubAccountDeposits(range))))
  })

describe("a record stream", () => {
  it.effect("fails on the first record that cannot be read, and shows it", () =>
    Effect.gen(function*() {
      const error = yield* failureOf(
        only([deposit({ insertTime: NOW - 2 * HOUR }), deposit({ insertTime: NOW - 2 * HOUR, amount: "1e3" })])
      )
      assert.strictEqual(error.reason._tag, "ProtocolError")
      assert.match(error.message, /page 1, record 2 cannot be read: amount .*"amount":"1e3"/)
    }))

  it.effect("fails where a transfer came with another amount, and not where its status changed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const read = (later: Partial<ReturnType<typeof transfer>>) => {
        let n = 0
        const service = Service.make((seen) => {
          const changes = n++ > 1 ? later : {}
          return only([transfer({ timestamp: NOW - 2 * HOUR, status: "WAIT", ...changes })])(seen, 0)
        })
        return Effect.flatMap(Service.broker(service), (broker) =>
          Service.withAdvancingClock(
            Effect.exit(Stream.runCollect(broker.streamUniversalTransfers({ ...range, ...SPOT })))
          ))
      }
      assert.include(String(yield* read({ amount: "2.5" })), "7 came with two contents")
      assert.include(String(yield* read({ asset: "BTC" })), "7 came with two contents")
      assert.strictEqual((yield* read({ status: "SUCCESS", amount: "1.50" }))._tag, "Success")
    }))

  it.effect("fails on a gap instead of ending quietly", () =>
    Effect.gen(function*() {
      const down = yield* failureOf(() => Service.refusal(1, 503))
      assert.strictEqual(down.reason._tag, "Incomplete")
      assert.include(down.message, "HTTP 503")
      const stray = yield* failureOf(only([deposit({ insertTime: 5 })]))
      assert.strictEqual(stray.reason._tag, "Incomplete")
      assert.include(stray.message, "came back for")
    }))

  it.effect("fails when it comes to records that are too young to be settled, and says until when they are", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Service.broker(within([deposit({ insertTime: NOW - 2 * HOUR })]))
      const settled = NOW - broker.conventions.settle
      const of = (from: number, to: number, openTail?: boolean) =>
        Stream.runCollect(
          broker.streamSubAccountDeposits({ from, to, ...(openTail === undefined ? {} : { openTail }) })
        )
      for (
        const [from, to] of [
          [NOW - HOUR, NOW],
          [NOW - HOUR, NOW + 24 * HOUR],
          [NOW - 1000, NOW],
          [NOW + HOUR, NOW + 2 * HOUR],
          [NOW - HOUR, settled + 1]
        ] as const
      ) {
        const error = yield* Effect.flip(of(from, to))
        assert.strictEqual(error.reason._tag, "Incomplete")
        // In whole minutes, as slices end.
        const end = Math.max(from, settled - settled % 60_000)
        if (from > NOW) {
          assert.include(error.message, `the range lies in the future: what begins at ${from} has not happened`)
        } else {
          assert.include(error.message, `not settled from ${end} on`)
          assert.include(error.message, `to: ${end}, or take the rest as it is with openTail: true`)
        }
        assert.deepStrictEqual(yield* of(from, to, true), [])
      }
      assert.strictEqual((yield* of(NOW - 3 * HOUR, settled)).length, 1)
      const transfers = broker.streamUniversalTransfers({ ...SPOT, from: NOW - HOUR, to: NOW })
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(transfers))).reason._tag, "Incomplete")
    }))

  it.effect("gives what is settled before it fails at what is not", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const kept = deposit({ insertTime: NOW - 2 * HOUR })
      const broker = yield* Service.broker(within([kept]))
      const seen: Array<unknown> = []
      const error = yield* broker.streamSubAccountDeposits({ from: NOW - 30 * HOUR, to: NOW }).pipe(
        Stream.runForEach((record) => Effect.sync(() => seen.push(record))),
        Effect.flip
      )
      assert.strictEqual(error.reason._tag, "Incomplete")
      assert.deepStrictEqual(seen, [kept])
    }))

  it.effect("fails on a gap in an open tail that was wanted", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Service.broker(Service.make(() => Service.refusal(1, 503)), { retries: 1 })
      const stream = broker.streamSubAccountDeposits({ from: NOW - 1000, to: NOW, openTail: true })
      const error = yield* Service.withAdvancingClock(Effect.flip(Stream.runCollect(stream)))
      assert.include(error.message, "not proven complete between")
    }))

  it.effect("fails with the reason itself where nothing can be read at all", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* failureOf(() => Service.refusal(700002))).reason._tag, "SignatureRejected")
    }))
})

describe("a scan of the service", () => {
  it.effect("always sends both times, the page and the longest limit, and no status", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const service = Service.make(() => Service.json([]))
      const broker = yield* Service.broker(service)
      yield* Stream.runDrain(broker.scanSubAccountDeposits(range))
      yield* Stream.runDrain(broker.scanUniversalTransfers({ ...range, ...SPOT, fromAccount: "a@x" }))
      assert.deepStrictEqual(
        service.seen.filter(({ url }) => url.searchParams.has("page")).map(({ url: { searchParams: query } }) =>
          ["startTime", "endTime", "page", "limit", "status", "fromAccount"].map((name) => query.get(name))
        ),
        [
          [String(range.from - 1), String(whole.to), "1", "1000", null, null],
          [String(whole.from - 1), String(whole.to), "1", "500", null, "a@x"]
        ]
      )
      for (const { url: { searchParams: query } } of service.seen) {
        assert.deepStrictEqual(["startTime", "endTime", "limit"].map((name) => query.has(name)), [true, true, true])
        assert.isFalse(query.has("status"))
      }
    }))

  it.effect("shows an unreadable record between two slices once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const from = NOW - 60 * HOUR
      const border = Math.floor((from + 24 * HOUR) / 60_000) * 60_000
      const edge = [border - 1, border].map((insertTime) => deposit({ insertTime, amount: "-1" }))
      const service = Service.make(({ url: { searchParams: query } }) =>
        Service.json(
          (query.get("page") ?? "1") === "1"
            ? edge.filter(({ insertTime }) =>
              insertTime >= Number(query.get("startTime")) && insertTime <= Number(query.get("endTime"))
            )
            : []
        )
      )
      const broker = yield* Service.broker(service)
      const slices = yield* Stream.runCollect(broker.scanSubAccountDeposits({ from, to: NOW }))
      assert.deepStrictEqual(slices.map(({ bad }) => bad.map(({ raw }) => raw)).slice(0, 2), [
        [JSON.stringify(edge[0])],
        [JSON.stringify(edge[1])]
      ])
      assert.strictEqual(slices.flatMap(({ bad }) => bad).length, 2)
    }))

  it.effect("says which query its coverage is about", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const records = [transfer({ timestamp: NOW - 2 * HOUR })]
      const broker = yield* Service.broker(Service.make(only(records)))
      const slices = yield* Stream.runCollect(broker.scanUniversalTransfers({ ...range, ...SPOT, toAccount: "b@x" }))
      assert.deepStrictEqual(slices, [{
        ...range,
        records,
        bad: [],
        coverage: [{
          operation: "transfers",
          query: { ...SPOT, toAccount: "b@x" },
          ...range,
          readAt: NOW,
          state: "complete"
        }]
      }])
    }))

  it.effect("of transfers reaches back to 1970 without asking for a time before it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const service = Service.make(() => Service.json([]))
      const broker = yield* Service.broker(service)
      const slices = yield* Stream.runCollect(
        Stream.take(broker.scanUniversalTransfers({ ...SPOT, from: 0, to: NOW }), 1)
      )
      assert.strictEqual(service.seen[0]?.url.searchParams.get("startTime"), "0")
      assert.strictEqual(slices[0]?.coverage[0]?.gap?.code, "retention")
    }))
})
