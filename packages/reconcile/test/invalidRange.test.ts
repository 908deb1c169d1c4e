import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Accounts from "../src/Accounts.ts"
import * as BrokerReconciliation from "../src/BrokerReconciliation.ts"
import * as BrokerSource from "../src/BrokerSource.ts"
import * as Matching from "../src/Matching.ts"
import * as Policy from "../src/Policy.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

const { DAY, T0 } = Run

/** Each with a word of what is said of it. */
const invalid: ReadonlyArray<readonly [from: number, to: number, told: string]> = [
  [Number.NaN, T0, "is none"],
  [T0, Number.NaN, "is none"],
  [T0, Number.POSITIVE_INFINITY, "is none"],
  [T0 + 0.5, T0 + 2, "is none"],
  [-1, T0, "is none"],
  [T0, T0, "is empty"],
  [T0 + 1, T0, "is empty"],
  [T0 / 1000, T0 / 1000 + 86_400, "in seconds"],
  [T0 / 1000, T0, "in seconds"],
  [T0, T0 / 1000, "in seconds"],
  [0, DAY, "no possible time"],
  [T0 * 1000, (T0 + DAY) * 1000, "no possible time"]
]

/** A source that must not be asked. */
const unasked: Reconciliation.Side = Stream.suspend(() => Stream.die("asked"))

describe("a range that is none", () => {
  it("is an error of a match and of its check", () => {
    for (const [from, to, told] of invalid) {
      const input = { deposits: [], transfers: [], policy: Policy.defaults, range: { from, to } }
      const checked = Matching.check(input)
      assert.isTrue(Result.isFailure(checked) && checked.failure._tag === "InvalidRange")
      assert.throws(
        () => Matching.match({ ...input, bad: [], coverage: Run.complete, accounts: Accounts.none }),
        told
      )
    }
  })

  it.effect("is an error by name where a program without types passes null", () =>
    Effect.gen(function*() {
      // @ts-expect-error JavaScript keeps no type's promise.
      const options: Reconciliation.Options = { range: null }
      const errors = [
        yield* Effect.flip(Reconciliation.reconcile(unasked, unasked, options)),
        yield* Effect.flip(Stream.runDrain(Reconciliation.events(unasked, unasked, options)))
      ]
      for (const error of errors) assert.include(error.message, "both ends are whole Unix milliseconds")
    }))

  it.effect("is an error of every reconciliation where it is the moment to which ages count", () =>
    Effect.gen(function*() {
      const range = { from: T0, to: T0 + DAY }
      for (const given of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, -1, 9e15, T0 / 1000, "2027-01-15T08:00", null]) {
        // @ts-expect-error JavaScript keeps no type's promise.
        const options: Reconciliation.Asked = { range, asOf: given }
        const errors = [
          yield* Effect.flip(Reconciliation.reconcile(unasked, unasked, options)),
          yield* Effect.flip(Stream.runDrain(Reconciliation.events(unasked, unasked, options))),
          yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(unasked, unasked, options))),
          yield* Effect.flip(BrokerReconciliation.run(options)),
          yield* Effect.flip(Stream.runDrain(BrokerReconciliation.events(options)))
        ]
        for (const error of errors) {
          assert.strictEqual(error._tag, "InvalidRange")
          const wanted = typeof given === "string"
            ? /^asOf .* is ISO 8601 with its zone/
            : /^asOf .*Unix milliseconds are wanted/
          assert.match(error.message, wanted)
        }
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it.effect("is read in every form of a moment, and a report tells it in Unix ms", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(T0 + DAY)
      const range = { from: T0, to: T0 + DAY }
      const accounts = { list: ["a"], complete: true }
      const report = yield* BrokerReconciliation.run({ range, asOf: T0, accounts })
      assert.deepStrictEqual([report.range, report.asOf], [range, T0])
      const forms = [(time: number) => new Date(time), DateTime.makeUnsafe<number>, (time: number) =>
        new Date(time).toISOString()]
      for (const form of forms) {
        const options = { range: { from: form(range.from), to: form(range.to) }, asOf: form(T0), accounts }
        assert.deepStrictEqual(yield* BrokerReconciliation.run(options), report)
        const events = yield* Stream.runCollect(BrokerReconciliation.events(options))
        const last = events.at(-1)
        assert.deepStrictEqual(last?._tag === "Summary" ? last.summary.range : undefined, range)
        const source = { ...options.range, policy: Policy.defaults, accounts }
        const asked = { ...range, policy: Policy.defaults, accounts }
        for (const read of [BrokerSource.deposits, BrokerSource.transfers]) {
          assert.deepStrictEqual(
            yield* Stream.runCollect(read(source)),
            yield* Stream.runCollect(read(asked))
          )
        }
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it.effect("is an error of every reconciliation, before anything is read", () =>
    Effect.gen(function*() {
      for (const [from, to, told] of invalid) {
        const range = { from, to }
        const errors = [
          yield* Effect.flip(Reconciliation.reconcile(unasked, unasked, { range })),
          yield* Effect.flip(Stream.runDrain(Reconciliation.events(unasked, unasked, { range }))),
          yield* Effect.flip(Stream.runDrain(Reconciliation.outcomes(unasked, unasked, { range }))),
          yield* Effect.flip(BrokerReconciliation.run({ range })),
          yield* Effect.flip(Stream.runDrain(BrokerReconciliation.events({ range })))
        ]
        for (const error of errors) {
          assert.strictEqual(error._tag, "InvalidRange")
          assert.include(error.message, `the range from ${from} to ${to} `)
          assert.include(error.message, told)
        }
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it.effect("is an error of the exchange's histories, which no request is made for", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(T0)
      const broker = yield* Broker.Broker
      const pair = { fromAccountType: "SPOT", toAccountType: "SPOT" }
      const source = { policy: Policy.defaults, accounts: { list: ["a"], complete: true } }
      for (const [from, to, told] of invalid) {
        const range = { from, to }
        for (
          const scan of [
            Stream.runDrain(broker.scanSubAccountDeposits(range)),
            Stream.runDrain(broker.scanUniversalTransfers({ ...range, ...pair })),
            Stream.runDrain(broker.streamSubAccountDeposits(range)),
            Stream.runDrain(broker.streamUniversalTransfers({ ...range, ...pair })),
            Stream.runDrain(BrokerSource.deposits({ ...source, ...range })),
            Stream.runDrain(BrokerSource.transfers({ ...source, ...range }))
          ]
        ) {
          const error = yield* Effect.flip(scan)
          assert.strictEqual(error._tag === "BrokerError" && error.reason._tag, "InvalidParameter")
          assert.include(error.message, told)
        }
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it.effect("may end as far ahead as one likes in a run that asks the exchange: what is still to come is asked for once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(T0)
      const source = { policy: Policy.defaults, accounts: { list: ["a"], complete: true }, from: T0 - DAY - 1 }
      for (const to of [T0 + 365 * DAY, Number.MAX_SAFE_INTEGER]) {
        const slices = yield* Stream.runCollect(BrokerSource.transfers({ ...source, to }))
        assert.deepStrictEqual(slices.map(({ from, to }) => [from, to]), [[source.from, T0 - 1], [T0 - 1, to]])
      }
      const range = { from: source.from, to: Number.MAX_SAFE_INTEGER }
      const { clean, unread } = yield* BrokerReconciliation.run({ ...source, range })
      assert.isFalse(clean)
      const { settle } = (yield* Broker.Broker).conventions
      for (const operation of ["deposits", "transfers"] as const) {
        const parts = unread.filter((part) => part.operation === operation)
        assert.strictEqual(Math.min(...parts.map(({ from }) => from)), T0 - settle)
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it.effect("is read whole where it ends at what is settled, on a whole minute or not", () =>
    Effect.gen(function*() {
      const { settle } = (yield* Broker.Broker).conventions
      for (const now of [T0, T0 + 1, T0 + 59_999]) {
        yield* TestClock.setTime(now)
        const about = { policy: Policy.defaults, accounts: { list: ["a"], complete: true } }
        const until = (to: number) => BrokerReconciliation.run({ ...about, range: { from: T0 - DAY, to } })
        assert.deepStrictEqual((yield* until(now - settle)).unread, [])
        assert.isFalse((yield* until(now - settle + 60_000)).clean)
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it("may begin at 0, and end as far ahead as one likes", () => {
    for (const [from, to] of [[0, T0], [T0, 8.64e15], [0, Number.MAX_SAFE_INTEGER], [946_684_800_000, T0]] as const) {
      assert.isUndefined(InvalidRange.InvalidRange.of({ from, to }))
    }
  })
})
