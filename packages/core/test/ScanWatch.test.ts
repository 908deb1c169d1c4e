import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Seen from "@tallystick/core/Seen"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Service from "./support/service.ts"

const HOUR = 3_600_000
const SPOT = { fromAccountType: "SPOT", toAccountType: "SPOT" }

class DiskFull extends Data.TaggedError("DiskFull") {}

type Deposit = SubAccountDeposit.SubAccountDeposit

const within = (records: ReadonlyArray<Deposit>, { searchParams: query }: URL) =>
  records.filter(({ insertTime }) =>
    insertTime >= Number(query.get("startTime")) && insertTime <= Number(query.get("endTime"))
  )

/** A service that answers each request after a time of its own, and what it answered, in that order. */
const slowly = (answer: (url: URL, n: number) => ReadonlyArray<unknown>) => {
  const answered: Array<ReadonlyArray<unknown>> = []
  const service = Service.make(({ url }, n) =>
    Random.nextIntBetween(1, 5000).pipe(
      Effect.flatMap((wait) => Effect.sleep(wait)),
      Effect.map(() => {
        const records = answer(url, n)
        answered.push(records)
        return Service.json(records)
      })
    )
  )
  return { answered, service }
}

const everything = Array.from(
  { length: 40 },
  (_, index) => deposit({ txId: `tx${index}`, insertTime: NOW - 70 * HOUR + index * 1.7 * HOUR })
)

describe("who watches the pages of a scan", () => {
  it.effect("sees every response once, in the order in which they came, slices read at once or not", () =>
    Effect.gen(function*() {
      for (const concurrency of [1, 4]) {
        yield* TestClock.setTime(NOW)
        const { answered, service } = slowly((url) =>
          within(everything, url).toReversed().slice((Number(url.searchParams.get("page") ?? 1) - 1) * 7).slice(0, 7)
        )
        const broker = yield* Service.broker(service, { concurrency })
        const seen: Array<ReadonlyArray<unknown>> = []
        const scan = broker.scanSubAccountDeposits({
          from: NOW - 71 * HOUR,
          to: NOW,
          onPage: ({ records }) => Effect.sync(() => seen.push(records))
        })
        const slices = yield* Service.withAdvancingClock(Stream.runCollect(scan), "10 seconds")
        assert.strictEqual(slices.flatMap(({ records }) => records).length, everything.length)
        assert.isAbove(seen.length, slices.length)
        assert.deepStrictEqual(seen, answered)
        assert.isTrue(seen.some((records) => records.length === 0))
      }
    }))

  it.effect("sees a page as it came: its order, its neighbours, what could not be read, and when", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const [from, to] = [NOW - 9 * HOUR, NOW - HOUR]
      const records = [to, to - 5, from - 1, to - 1].map((insertTime) =>
        deposit({ insertTime, txId: `t${insertTime}` })
      )
      const bad = deposit({ insertTime: to, amount: "1e3" })
      const service = Service.make(
        ({ url }) => Service.json((url.searchParams.get("page") ?? "1") === "1" ? [...records, bad] : []),
        Service.timeAhead(5000)
      )
      const broker = yield* Service.broker(service)
      const seen: Array<Seen.Seen<Deposit>> = []
      const onPage = (page: Seen.Seen<Deposit>) => Effect.sync(() => void seen.push(page))
      const slices = yield* Stream.runCollect(broker.scanSubAccountDeposits({ from, to, onPage }))
      assert.deepStrictEqual(seen.slice(0, 2).map((page) => page.records), [records, []])
      assert.deepStrictEqual(seen.slice(0, 2).map((page) => page.bad.map(({ raw }) => raw)), [
        [JSON.stringify(bad)],
        []
      ])
      assert.isTrue(seen.every(({ readAt }) => readAt > NOW + 4000 && readAt <= NOW + 5000))
      // What it was asked about is what the slice is about, in whole minutes.
      for (const { asked } of seen.slice(0, 2)) {
        assert.isTrue(asked !== undefined && asked.from <= from && asked.from > from - 60_000)
        assert.isTrue(asked !== undefined && asked.to >= to && asked.to < to + 60_000)
      }
      assert.deepStrictEqual(slices.map((slice) => slice.records.length), [2])
    }))

  it.effect("sees pages that are read again, and none that failed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const times = [NOW - 10 * HOUR, NOW - 11 * HOUR, NOW - 12 * HOUR]
      const [a, b, c] = times.map((insertTime) => deposit({ insertTime, txId: `t${insertTime}` }))
      // A page that shifted, the list once more, then nothing but errors.
      const pages = [[a, b], [b, c], [a, b], [c], []]
      const service = Service.make((_, n) => n < pages.length ? Service.json(pages[n]) : Service.refusal(1, 503))
      const broker = yield* Service.broker(service, { concurrency: 1, retries: 1 })
      const seen: Array<ReadonlyArray<Deposit | undefined>> = []
      const scan = broker.scanSubAccountDeposits({
        from: NOW - 30 * HOUR,
        to: NOW - HOUR,
        onPage: ({ records }) => Effect.sync(() => seen.push(records))
      })
      const slices = yield* Service.withAdvancingClock(Stream.runCollect(scan))
      assert.deepStrictEqual(seen, pages)
      assert.deepStrictEqual(slices.map(({ coverage }) => coverage.map(({ gap }) => gap?.code)), [
        ["failed-page"],
        ["failed-page"]
      ])
    }))

  it.effect("ends the scan with an error of their own, which is never a gap, even where it looks like one", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const lost = new BrokerError.BrokerError({
        operation: "subAccountDeposits",
        reason: new BrokerError.Unavailable({ detail: "another broker's", attempts: 1, sent: true })
      })
      for (const failure of [new DiskFull(), lost]) {
        const { answered, service } = slowly((url) => within(everything, url))
        const broker = yield* Service.broker(service)
        let pages = 0
        const onPage = () => Effect.suspend(() => ++pages < 3 ? Effect.void : Effect.fail(failure))
        const input = { from: NOW - 71 * HOUR, to: NOW, onPage }
        const scans = [
          Stream.runDrain(broker.scanSubAccountDeposits(input)),
          Stream.runDrain(broker.scanUniversalTransfers({ ...input, ...SPOT })),
          Stream.runDrain(broker.streamSubAccountDeposits(input))
        ]
        for (const scan of scans) {
          pages = 0
          const error = yield* Service.withAdvancingClock(Effect.flip(scan), "10 seconds")
          assert.strictEqual(error, failure)
          assert.strictEqual(pages, 3)
        }
        assert.isAtLeast(answered.length, 3)
      }
    }))

  it.effect("is asked before the next page of a slice is asked for", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const service = Service.make(({ url }) =>
        Service.json(within(everything, url).slice((Number(url.searchParams.get("page") ?? 1) - 1) * 3).slice(0, 3))
      )
      const broker = yield* Service.broker(service, { concurrency: 1 })
      let kept = 0
      yield* Service.withAdvancingClock(
        Stream.runDrain(broker.scanSubAccountDeposits({
          from: NOW - 71 * HOUR,
          to: NOW,
          onPage: () =>
            Effect.sleep("3 seconds").pipe(Effect.andThen(Effect.sync(() => {
              kept++
              assert.strictEqual(service.seen.length, kept)
            })))
        })),
        "1 second"
      )
      assert.isAbove(kept, 10)
    }))

  it.effect("leaves no trace in the query of transfers", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const records = [transfer({ timestamp: NOW - 2 * HOUR })]
      const service = Service.make(({ url }) =>
        Service.json((url.searchParams.get("page") ?? "1") === "1" ? records : [])
      )
      const broker = yield* Service.broker(service)
      const input = { from: NOW - 9 * HOUR, to: NOW - HOUR, ...SPOT, fromAccount: "a@x" }
      const plain = yield* Stream.runCollect(broker.scanUniversalTransfers(input))
      const requests = service.seen.length
      const seen: Array<unknown> = []
      const watched = yield* Stream.runCollect(broker.scanUniversalTransfers({
        ...input,
        onPage: ({ records }) => Effect.sync(() => seen.push(...records)),
        onPlan: () => Effect.void
      }))
      assert.deepStrictEqual(watched, plain)
      assert.deepStrictEqual(seen.slice(0, 1), records)
      const [first, again] = [service.seen[0], service.seen[requests]].map((one) =>
        one && [...one.url.searchParams.keys()].toSorted()
      )
      assert.deepStrictEqual(again, first)
    }))

  it.effect("watches a broker in memory too", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Broker.Broker
      const seen: Array<Deposit> = []
      const onPage = ({ readAt, records }: Seen.Seen<Deposit>) =>
        readAt === NOW ? Effect.sync(() => void seen.push(...records)) : Effect.fail(new DiskFull())
      const range = { from: NOW - 71 * HOUR, to: NOW }
      const records = yield* Stream.runCollect(broker.streamSubAccountDeposits({ ...range, onPage, openTail: true }))
      const once = Array.from(new Map(seen.map((deposit) => [deposit.txId, deposit])).values())
      assert.deepStrictEqual(once.toSorted((a, b) => a.insertTime - b.insertTime), records)
      const failing = broker.scanUniversalTransfers({ ...range, ...SPOT, onPage: () => Effect.fail(new DiskFull()) })
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(failing)))._tag, "DiskFull")
    }).pipe(Effect.provide(Broker.Broker.layerMemory({ deposits: everything }))))
})

describe("the plan of a scan", () => {
  it.effect.prop(
    "counts the slices that come, before the first page",
    {
      age: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 90 * HOUR }))),
      length: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 100 * HOUR }))),
      sliceHours: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 30 })))
    },
    ({ age, length, sliceHours }) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const broker = yield* Broker.Broker
        const happened: Array<number | "page"> = []
        const slices = yield* Stream.runCollect(broker.scanSubAccountDeposits({
          from: NOW - age,
          to: NOW - age + length,
          onPlan: (slices) => Effect.sync(() => happened.push(slices)),
          onPage: () => Effect.sync(() => happened.push("page"))
        }))
        assert.deepStrictEqual(happened.filter((one) => one !== "page"), [slices.length])
        assert.strictEqual(happened[0], slices.length)
      }).pipe(
        Effect.provide(Broker.Broker.layerMemory({ conventions: { sliceLength: sliceHours * HOUR } }))
      )
  )

  it.effect("of a range without end is told at once, and its failure ends the scan", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const broker = yield* Broker.Broker
      let planned = 0
      const first = yield* Stream.runCollect(Stream.take(
        broker.scanUniversalTransfers({
          ...SPOT,
          from: 0,
          to: Number.MAX_SAFE_INTEGER,
          onPlan: (slices) => Effect.sync(() => void (planned = slices))
        }),
        1
      ))
      assert.strictEqual(first[0]?.from, 0)
      assert.isAbove(planned, NOW - 1)
      const refused = broker.scanUniversalTransfers({
        ...SPOT,
        from: 0,
        to: NOW,
        onPlan: () => Effect.fail(new DiskFull())
      })
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(refused)))._tag, "DiskFull")
    }).pipe(Effect.provide(Broker.Broker.layerMemory({ conventions: { sliceLength: 1 } }))))
})
