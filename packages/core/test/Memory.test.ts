import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerMemory from "@tallystick/core/BrokerMemory"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
/** How far the time stands past a whole minute. */
const PAST = NOW % 60_000
const SETTLE = 2 * 60_000
const deposits = Array.from(
  { length: 230 },
  (_, index) => deposit({ txId: `tx${index}`, insertTime: NOW - HOUR - index * 60_000 })
)
const old = deposit({ txId: "old", insertTime: NOW - 73 * HOUR })
const transfers = [
  transfer({ tranId: "1", fromAccount: "a@x", toAccount: "master", timestamp: NOW - HOUR }),
  transfer({ tranId: "2", fromAccount: "a@x", toAccount: "", timestamp: NOW - 2 * HOUR }),
  transfer({ tranId: "3", fromAccount: "master", toAccount: "a@x", timestamp: NOW - 3 * HOUR }),
  transfer({ tranId: "4", fromAccount: "a@x", toAccount: "master", toAccountType: "FUTURE", timestamp: NOW - HOUR }),
  transfer({ tranId: "5", fromAccount: "b@x", toAccount: "master", timestamp: NOW - 4 * 24 * HOUR })
]

/** What an embedder's own test looks like. */
const withBroker = <A, E>(program: (broker: Broker.Service) => Effect.Effect<A, E>) =>
  TestClock.setTime(NOW).pipe(
    Effect.andThen(Broker.Broker.use(program)),
    Effect.provide(Broker.Broker.layerMemory({ deposits: [...deposits, old], transfers }))
  )

const SPOT = { fromAccountType: "SPOT", toAccountType: "SPOT" }

describe("a broker in memory", () => {
  it.effect("streams all deposits of a range in time order", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const from = NOW - 71 * HOUR
        const records = yield* Stream.runCollect(broker.streamSubAccountDeposits({ from, to: NOW, openTail: true }))
        assert.deepStrictEqual(records.map(({ txId }) => txId), deposits.map(({ txId }) => txId).toReversed())
      })
    ))

  it.effect("answers pages by the contract: default 100, newest first, filters", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => broker.subAccountDeposits({ page }))
        assert.deepStrictEqual(pages.map(({ records }) => records.length), [100, 100, 30, 0])
        assert.strictEqual(pages[0]?.records[0]?.txId, "tx0")
        assert.strictEqual((yield* broker.subAccountDeposits({ limit: 1000 })).records.length, 230)
        assert.strictEqual((yield* broker.subAccountDeposits({ coin: "BTC" })).records.length, 0)
        assert.strictEqual((yield* broker.subAccountDeposits({ status: 5, limit: 7 })).records.length, 7)
      })
    ))

  it.effect("finds transfers by account, and takes an absent account for the master", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const ids = (input: Broker.UniversalTransfers) =>
          Effect.map(broker.universalTransfers(input), ({ records }) => records.map(({ tranId }) => tranId))
        assert.deepStrictEqual(yield* ids({ ...SPOT, fromAccount: "a@x" }), ["1", "2"])
        assert.deepStrictEqual(yield* ids({ ...SPOT, fromAccount: "a@x", toAccount: "master" }), ["1", "2"])
        assert.deepStrictEqual(yield* ids({ ...SPOT, toAccount: "a@x" }), ["3"])
        assert.deepStrictEqual(yield* ids({ ...SPOT, fromAccount: "a@x", toAccountType: "FUTURES" }), ["4"])
        assert.deepStrictEqual(yield* ids(SPOT), [])
      })
    ))

  it.effect("streams transfers of a pair over many days", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const input = { ...SPOT, fromAccount: "b@x", from: NOW - 9 * 24 * HOUR, to: NOW, openTail: true }
        const records = yield* Stream.runCollect(broker.streamUniversalTransfers(input))
        assert.deepStrictEqual(records.map(({ tranId }) => tranId), ["5"])
      })
    ))

  it.effect("fails a stream with Incomplete where the service may have forgotten, and names the gap", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const stream = broker.streamSubAccountDeposits({ from: NOW - 80 * HOUR, to: NOW })
        const error = yield* Effect.flip(Stream.runCollect(stream))
        assert.strictEqual(error.category, "incomplete")
        const coverage = "coverage" in error.reason ? error.reason.coverage : undefined
        assert.deepInclude(coverage, { from: NOW - 80 * HOUR, to: NOW - 72 * HOUR, state: "incomplete" })
        assert.strictEqual(coverage?.gap?.code, "retention")
        assert.include(error.message, "72 hours")
      })
    ))

  it.effect("scans what a stream refuses, saying what is not covered", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const slices = yield* Stream.runCollect(broker.scanSubAccountDeposits({ from: NOW - 80 * HOUR, to: NOW }))
        assert.deepStrictEqual(
          slices.flatMap(({ coverage }) => coverage.map(({ from, state, to }) => [NOW - from, NOW - to, state])),
          [
            [80 * HOUR, 72 * HOUR, "incomplete"],
            // All others end on whole minutes.
            [72 * HOUR, 72 * HOUR - SETTLE + PAST - 60_000, "complete"],
            [72 * HOUR - SETTLE + PAST - 60_000, 48 * HOUR - SETTLE + PAST - 60_000, "complete"],
            [48 * HOUR - SETTLE + PAST - 60_000, 24 * HOUR - SETTLE + PAST - 60_000, "complete"],
            [24 * HOUR - SETTLE + PAST - 60_000, SETTLE + PAST, "complete"],
            [SETTLE + PAST, 0, "open"]
          ]
        )
        assert.strictEqual(slices.flatMap(({ records }) => records).length, 230)
      })
    ))

  it.effect("refuses deposits of more than 96 hours back, and parameters like the real one", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const startTime = NOW - 97 * HOUR
        const errors = yield* Effect.forEach([
          Effect.asVoid(broker.subAccountDeposits({ startTime })),
          Stream.runDrain(broker.scanSubAccountDeposits({ from: startTime, to: NOW })),
          Effect.asVoid(broker.universalTransfers({ ...SPOT, limit: 501 }))
        ], Effect.flip)
        assert.deepStrictEqual(errors.map(({ reason }) => reason._tag), Array(3).fill("InvalidParameter"))
      })
    ))

  it.effect("is not made of records that are not as their type promises: a deposit without a time is on no page", () =>
    Effect.gen(function*() {
      const built = (history: Parameters<typeof Broker.Broker.layerMemory>[0]) =>
        Effect.flip(Effect.scoped(Layer.build(Broker.Broker.layerMemory(history))))
      for (const insertTime of [Number.NaN, Number.POSITIVE_INFINITY, NOW + 0.5]) {
        const error = yield* built({ deposits: [deposit(), deposit({ insertTime })] })
        assert.deepStrictEqual([error._tag, error.variable], ["ConfigurationError", "deposits.1.insertTime"])
        assert.include(
          (yield* built({ transfers: [transfer({ timestamp: insertTime })] })).message,
          "transfers.0.timestamp"
        )
      }
      for (
        const hostile of [{ insertTime: undefined }, { insertTime: null }, { amount: Number.NaN }, { amount: "1e3" }]
      ) {
        const [field = ""] = Object.keys(hostile)
        const deposits = [Object.assign(deposit(), hostile)]
        assert.strictEqual((yield* built({ deposits })).variable, `deposits.0.${field}`)
      }
      assert.strictEqual((yield* built({ conventions: { settle: Number.NaN } })).variable, "conventions")
    }))

  it.effect("makes keys, each another", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        const input = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "n", ip: ["1.1.1.1"] }
        const [one, two] = yield* Effect.all([broker.createApiKey(input), broker.createApiKey(input)])
        assert.notStrictEqual(one.apiKey, two.apiKey)
        assert.notStrictEqual(Redacted.value(one.secretKey), Redacted.value(two.secretKey))
        assert.deepInclude(one, { subAccount: "sub00001", note: "n", ip: ["1.1.1.1"], createTime: NOW })
        assert.strictEqual(yield* broker.serverTime, NOW)
      })
    ))

  it.effect("forgets as time passes", () =>
    withBroker((broker) =>
      Effect.gen(function*() {
        yield* TestClock.adjust("71 hours")
        const fiber = yield* Effect.forkChild(broker.subAccountDeposits({ limit: 1000 }))
        assert.strictEqual((yield* Fiber.join(fiber)).records.length, 1)
      })
    ))

  it.effect("shows a record of the future on no page, in no stream and in no scan before its time", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Broker.Broker
      const deposits = Effect.map(broker.subAccountDeposits(), ({ records }) => records.map(({ txId }) => txId))
      const transfers = Effect.map(
        broker.universalTransfers({ ...SPOT, fromAccount: "a@x" }),
        ({ records }) => records.map(({ tranId }) => tranId)
      )
      const range = { from: NOW - HOUR, to: NOW + HOUR, openTail: true }
      const streamed = Effect.map(Stream.runCollect(broker.streamSubAccountDeposits(range)), (found) => found.length)
      assert.deepStrictEqual(yield* deposits, ["now"])
      assert.deepStrictEqual(yield* transfers, [])
      assert.strictEqual(yield* streamed, 1)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* deposits, ["next", "now"])
      assert.strictEqual(yield* streamed, 2)
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(yield* deposits, ["next", "now"])
      assert.deepStrictEqual(yield* transfers, ["1"])
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(yield* deposits, ["later", "next", "now"])
    }).pipe(Effect.provide(Broker.Broker.layerMemory({
      deposits: [
        deposit({ txId: "later", insertTime: NOW + HOUR }),
        deposit({ txId: "now", insertTime: NOW }),
        deposit({ txId: "next", insertTime: NOW + 1 })
      ],
      transfers: [transfer({ tranId: "1", timestamp: NOW + HOUR / 2 })]
    }))))

  it.effect("shows what arrives late, changes and vanishes while a test runs, from that moment on", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Broker.Broker
      const memory = yield* BrokerMemory.BrokerMemory
      const statuses = Effect.map(
        broker.universalTransfers({ ...SPOT, fromAccount: "a@x" }),
        ({ records }) => records.map(({ status, tranId }) => `${tranId} ${status}`)
      )
      assert.deepStrictEqual(yield* statuses, ["1 PENDING"])
      // A change of a certain time waits in a fiber of its own.
      yield* memory.update(({ transfers, ...records }) => ({
        ...records,
        transfers: transfers.map((transfer) => ({ ...transfer, status: "SUCCESS" }))
      })).pipe(Effect.delay("10 minutes"), Effect.forkChild)
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual(yield* statuses, ["1 PENDING"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* statuses, ["1 SUCCESS"])
      // A transfer of an hour ago appears only now.
      const late = transfer({ tranId: "2", timestamp: NOW - HOUR })
      yield* memory.update((records) => ({ ...records, transfers: [...records.transfers, late] }))
      assert.deepStrictEqual(yield* statuses, ["1 SUCCESS", "2 SUCCESS"])
      const { deposits } = yield* memory.records
      yield* memory.set({ deposits, transfers: [late], subAccounts: [] })
      assert.deepStrictEqual(yield* statuses, ["2 SUCCESS"])
      assert.strictEqual((yield* broker.subAccountDeposits()).records.length, 1)
    }).pipe(
      Effect.provide(Broker.Broker.layerMemory({
        deposits: [deposit()],
        transfers: [transfer({ tranId: "1", status: "PENDING" })]
      }))
    ))

  it.effect("refuses a change to records that are not as their type promises, and keeps those that it had", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Broker.Broker
      const memory = yield* BrokerMemory.BrokerMemory
      const wrong = deposit({ insertTime: NOW + 0.5 })
      const changes = [
        memory.set({ deposits: [deposit(), wrong], transfers: [], subAccounts: [] }),
        memory.update(({ deposits, ...others }) => ({ ...others, deposits: [...deposits, wrong] })),
        memory.update((records) => ({ ...records, transfers: [transfer({ timestamp: Number.NaN })] }))
      ]
      const errors = yield* Effect.forEach(changes, Effect.flip)
      assert.deepStrictEqual(
        errors.map(({ _tag, variable }) => [_tag, variable]),
        ["deposits.1.insertTime", "deposits.1.insertTime", "transfers.0.timestamp"]
          .map((variable) => ["ConfigurationError", variable])
      )
      assert.strictEqual((yield* broker.subAccountDeposits()).records.length, 1)
      assert.deepStrictEqual((yield* memory.records).transfers, [])
    }).pipe(Effect.provide(Broker.Broker.layerMemory({ deposits: [deposit()] }))))
})
