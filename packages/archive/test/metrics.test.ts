/** What monitoring is told of an archive and of its syncs. */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Archive from "../src/Archive.ts"
import * as Gauges from "../src/Gauges.ts"
import * as Metrics from "../src/Metrics.ts"
import * as OpenItems from "../src/OpenItems.ts"
import * as Prometheus from "../src/Prometheus.ts"
import * as Sync from "../src/Sync.ts"
import { book, far, near, options } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { DAY, decide, HOUR, idOf, link, testOn } from "./support/decisions.ts"
import * as Exposition from "./support/exposition.ts"
import { bookFor, deliver, receiver } from "./support/notices.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

/** Runs a test over metrics of its own: those of a process are shared. */
const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Metric.MetricRegistry, new Map())

const read = Effect.flatMap(Gauges.make("3 days"), Prometheus.text)

const books = Effect.map(read, (text) =>
  Object.fromEntries(
    Object.entries(Exposition.samples(text)).filter(([name]) => name.startsWith("tallystick_books_"))
      .map(([name, value]) => [name.slice("tallystick_books_".length), value])
  ))

const EXECUTED = { last_execution_timestamp_seconds: (NOW + 7 * DAY) / 1000, unread_seconds: 0 }

describe.each(databases)("the metrics of an archive, on $name", (kind) => {
  const test = testOn(kind)

  it.live("there is nothing to tell of the books before the first execution, nor of worth without prices", () =>
    alone(test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* books, {})
      yield* book()
      assert.deepStrictEqual(yield* books, {
        ...EXECUTED,
        "items{state=\"open\",code=\"missing-deposit\"}": 2,
        "items{state=\"open\",code=\"missing-transfer\"}": 2,
        "oldest_item_timestamp_seconds{state=\"open\"}": NOW / 1000
      })
    }))))

  it.live("worth is told by side and state at the prices of the last execution, and what has no price is counted", () =>
    alone(test(Effect.gen(function*() {
      const prices = { of: new Map([["USDT", "0.9"]]), currency: "USD" }
      yield* book(options(), { prices })
      const found = yield* books
      assert.deepInclude(found, {
        "worth{side=\"deposit\",state=\"open\",currency=\"USD\"}": 1.35,
        "unpriced_entries{side=\"deposit\",state=\"open\"}": 1,
        "worth{side=\"transfer\",state=\"open\",currency=\"USD\"}": 9.36,
        "unpriced_entries{side=\"transfer\",state=\"open\"}": 0
      })
      // A worth of nothing would say more than anybody knows.
      yield* book(options(), { prices: { of: new Map([["BTC", "2"]]) } })
      const partly = yield* books
      assert.strictEqual(partly["worth{side=\"deposit\",state=\"open\"}"], 6)
      assert.isUndefined(partly["worth{side=\"transfer\",state=\"open\"}"])
      assert.strictEqual(partly["unpriced_entries{side=\"transfer\",state=\"open\"}"], 2)
      // Without a price at all, what waits is worth nothing that anybody could state.
      yield* book()
      assert.notInclude(Object.keys(yield* books).join(), "worth")
      yield* book(options(), { prices: { of: new Map([["BTC", "2"], ["USDT", "1"]]) } })
      assert.deepInclude(yield* books, {
        "worth{side=\"deposit\",state=\"open\"}": 7.5,
        "worth{side=\"transfer\",state=\"open\"}": 10.4
      })
    }))))

  it.live("what waits no more is not told", () =>
    alone(test(Effect.gen(function*() {
      yield* book(options(far))
      assert.deepStrictEqual(yield* books, {
        ...EXECUTED,
        "items{state=\"open\",code=\"missing-transfer\"}": 1,
        "oldest_item_timestamp_seconds{state=\"open\"}": (NOW - 4 * DAY) / 1000
      })
      const why = { reason: "test", words: "a test of ours" } as const
      yield* decide([{ kind: "exclude", side: "deposit", id: yield* idOf("far"), ...why }])
      yield* book(options(far))
      assert.deepStrictEqual(yield* books, EXECUTED)
    }))))

  it.live("what waits is counted again when the ledger went on, and not before", () =>
    alone(test(Effect.gen(function*() {
      const counts = yield* Ref.make(0)
      const items = yield* OpenItems.OpenItems
      const counting = { ...items, totals: Effect.andThen(Ref.update(counts, (n) => n + 1), items.totals) }
      const gauges = Effect.provideService(Gauges.make("3 days"), OpenItems.OpenItems, counting)
      yield* book()
      for (const wanted of [1, 1]) {
        yield* gauges
        assert.strictEqual(yield* Ref.get(counts), wanted)
      }
      yield* decide([yield* link("near", ["t1"])])
      yield* book(options(near))
      assert.strictEqual((yield* gauges).books?.items.length, 2)
      assert.strictEqual(yield* Ref.get(counts), 2)
    }))))

  it.live("notices wait until they are sent", () =>
    alone(test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* bookFor([desk])
      const waiting = Effect.map(read, (text) => {
        const found = Exposition.samples(text)
        return [found["tallystick_notices_waiting"], found["tallystick_notices_oldest_timestamp_seconds"]]
      })
      assert.deepStrictEqual(yield* waiting, [5, (NOW + 7 * DAY) / 1000])
      yield* deliver(desk)
      assert.deepStrictEqual(yield* waiting, [0, undefined])
    }))))
})

const accounts = { list: ["a@x"], complete: true }

const refusing = Effect.map(Broker.Broker, (broker): Broker.Service => ({
  ...broker,
  scanSubAccountDeposits: () =>
    Stream.fail(
      BrokerError.BrokerError.of("subAccountDeposits", new BrokerError.KeyRejected({ code: "401", serviceMessage: "" }))
    )
}))

const broker = Broker.Broker.layerMemory({
  deposits: [deposit({ insertTime: NOW - HOUR })],
  transfers: [transfer({ timestamp: NOW - HOUR })]
})

describe("the metrics of sync", () => {
  it.effect("count rounds by how they ended, and tell when the last one did and when the exchange forgets", () =>
    alone(
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        assert.deepStrictEqual(Exposition.samples(yield* read), {
          tallystick_archive_read_success: 1,
          tallystick_notices_waiting: 0
        })
        yield* Sync.run({ accounts })
        const first = Exposition.samples(yield* read)
        assert.deepInclude(first, {
          "tallystick_sync_rounds_total{outcome=\"ok\"}": 1,
          tallystick_sync_records_added_total: 2,
          tallystick_sync_gaps: 0,
          tallystick_sync_holes: 0,
          tallystick_sync_last_round_success: 1,
          tallystick_sync_last_round_timestamp_seconds: NOW / 1000,
          tallystick_sync_last_success_timestamp_seconds: NOW / 1000,
          tallystick_archive_last_reading_timestamp_seconds: NOW / 1000,
          // What is settled ends on a whole minute.
          tallystick_exchange_forgets_timestamp_seconds: (NOW - NOW % 60_000 - 120_000 + 3 * DAY) / 1000
        })
        yield* TestClock.setTime(NOW + HOUR)
        yield* Effect.flip(Effect.provideServiceEffect(Sync.run({ accounts }), Broker.Broker, refusing))
        const second = Exposition.samples(yield* read)
        assert.deepInclude(second, {
          "tallystick_sync_rounds_total{outcome=\"ok\"}": 1,
          "tallystick_sync_rounds_total{outcome=\"KeyRejected\"}": 1,
          tallystick_sync_records_added_total: 2,
          tallystick_sync_last_round_success: 0,
          tallystick_sync_last_round_timestamp_seconds: (NOW + HOUR) / 1000,
          tallystick_sync_last_success_timestamp_seconds: NOW / 1000,
          tallystick_exchange_forgets_timestamp_seconds: first["tallystick_exchange_forgets_timestamp_seconds"]
        })
        yield* Sync.run({ accounts, inDoubt: true })
        assert.deepInclude(Exposition.samples(yield* read), {
          "tallystick_sync_rounds_total{outcome=\"ok\"}": 1,
          "tallystick_sync_rounds_total{outcome=\"doubtful\"}": 1,
          tallystick_sync_last_round_success: 0
        })
        const families = Exposition.read(yield* read)
        assert.strictEqual(families.get("tallystick_sync_round_duration_seconds")?.samples.get("_count"), 3)
      }).pipe(Effect.provide([Archive.Archive.layerMemory(), broker]))
    ))

  it.effect("every metric says what it is, in a name and a help text of its own", () =>
    alone(Effect.gen(function*() {
      for (const metric of Object.values(Metrics)) {
        assert.match(metric.id, /^tallystick(?:\.[a-z]+)+$/)
        assert.match(metric.description ?? "", /^[A-Z1].*[^.]$/)
      }
      const ids = Object.values(Metrics).map(({ id }) => id)
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.deepStrictEqual(Exposition.samples(yield* Prometheus.text(undefined)), {
        tallystick_archive_read_success: 0
      })
    })))
})
