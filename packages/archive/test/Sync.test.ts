import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import type * as SyncModule from "@tallystick/archive/Sync"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Coverage from "@tallystick/core/Coverage"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as TestClock from "effect/testing/TestClock"
import * as SyncTally from "../src/internal/sync/SyncTally.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const accounts = { list: ["a@x", "b@x", "c@x"], complete: true }

const history = () => ({
  deposits: [1, 2, 3].map((hour) => deposit({ txId: `t${hour}`, insertTime: NOW - hour * HOUR })),
  transfers: accounts.list.map((fromAccount, index) =>
    transfer({ tranId: String(index), fromAccount, timestamp: NOW - HOUR })
  )
})

const AGAIN = "it is complete as it was read before, but reading it again proved nothing: "

/** A broker whose pages are all answered so. */
const answering = (reason: BrokerError.RequestReason, gap: Coverage.Gap | undefined) =>
  Layer.effect(
    Broker.Broker,
    Effect.map(Broker.Broker, (broker): Broker.Service => {
      const scan = ({ from, to }: Coverage.Interval, scope: Pick<Coverage.Coverage, "operation" | "query">) =>
        gap === undefined
          ? Stream.fail(BrokerError.BrokerError.of("subAccountDeposits", reason))
          : Stream.succeed({
            from,
            to,
            records: [],
            bad: [],
            coverage: [{ ...scope, from, to, readAt: NOW, state: "incomplete" as const, gap }]
          })
      const scanned = (input: TimeRange.Input, about: Parameters<typeof scan>[1]) =>
        scan(Result.getOrThrow(TimeRange.make(input)), about)
      return {
        ...broker,
        scanSubAccountDeposits: (input) => scanned(input, { operation: "deposits" }),
        scanUniversalTransfers: (input) =>
          scanned(input, {
            operation: "transfers",
            query: Struct.pick(input, ["fromAccount", "toAccount", "fromAccountType", "toAccountType"])
          })
      }
    })
  ).pipe(Layer.provide(Broker.Broker.layerMemory(history())))

const refusal = new BrokerError.KeyRejected({ code: "401", serviceMessage: "" })
const unauthorized = answering(refusal, undefined)
const unanswering = answering(refusal, { code: "failed-page", detail: "no answer" })

const run = <A, E>(
  effect: Effect.Effect<A, E, Archive | Broker.Broker>,
  broker: Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError> = Broker.Broker.layerMemory(history())
) =>
  TestClock.setTime(NOW).pipe(
    Effect.andThen(effect),
    Effect.provide(Layer.merge(Archive.layerMemory(), broker))
  )

const kept = Effect.gen(function*() {
  const { deposits, transfers } = yield* Archive
  const count = (slices: Stream.Stream<{ readonly records: ReadonlyArray<unknown> }, unknown>) =>
    Effect.map(Stream.runCollect(slices), (found) => found.reduce((sum, { records }) => sum + records.length, 0))
  const all = { from: 0, to: NOW * 2 }
  return [yield* count(deposits.slices(all)), yield* count(transfers.slices(all))]
})

describe("sync", () => {
  it.effect("keeps everything, says how far it got and when the first unread deposit is forgotten", () =>
    run(Effect.gen(function*() {
      const summary = yield* Sync.run({ accounts })
      assert.deepStrictEqual(yield* kept, [3, 3])
      const { added, bad, changed, completeTo, deadline, gaps, lost, now, vanished } = summary
      assert.deepStrictEqual({ added, bad, changed, gaps, lost, now, vanished }, {
        added: 6,
        bad: 0,
        changed: 0,
        gaps: [],
        lost: [],
        now: NOW,
        vanished: 0
      })
      // What is settled ends on a whole minute.
      assert.strictEqual(completeTo, NOW - 2 * 60_000 - NOW % 60_000)
      assert.strictEqual(deadline, NOW - 2 * 60_000 - NOW % 60_000 + 72 * HOUR)
    })))

  it.effect("tells that hardly anything is shown again, and counts what comes back", () =>
    run(Effect.gen(function*() {
      const deposits = Array.from({ length: 7 }, (_, n) =>
        deposit({ txId: `t${n}`, insertTime: NOW - (10 + n) * 60_000 }))
      const round = Effect.fnUntraced(function*(after: number, shown: typeof deposits) {
        yield* TestClock.setTime(NOW + after)
        const broker = yield* Effect.provide(
          Broker.Broker,
          Layer.fresh(Broker.Broker.layerMemory({ deposits: shown, transfers: [] }))
        )
        const { emptied, returned, vanished } = yield* Effect.provideService(
          Sync.run({ accounts }),
          Broker.Broker,
          broker
        )
        return { emptied, returned, vanished }
      })
      assert.deepStrictEqual(yield* round(0, deposits), { emptied: [], returned: 0, vanished: 0 })
      assert.deepStrictEqual(yield* round(60_000, deposits.slice(4)), { emptied: [], returned: 0, vanished: 4 })
      assert.deepStrictEqual(yield* round(120_000, deposits), { emptied: [], returned: 4, vanished: 0 })
      assert.deepStrictEqual(yield* round(180_000, []), { emptied: ["deposits"], returned: 0, vanished: 7 })
      assert.deepStrictEqual(yield* round(240_000, deposits), { emptied: [], returned: 7, vanished: 0 })
    })))

  it.effect("adds nothing the second time, reads the last hour again for what came late, and a list of each side twice", () =>
    run(Effect.gen(function*() {
      yield* Sync.run({ accounts })
      yield* TestClock.adjust("10 minutes")
      const { added, changed, records, vanished } = yield* Sync.run({ accounts })
      assert.deepStrictEqual({ added, changed, records, vanished }, { added: 0, changed: 0, records: 8, vanished: 0 })
    })))

  it.effect("reads again what the policy does not call settled, and not what only the policy calls settled", () => {
    const at = NOW - 30 * HOUR
    const [old, young] = [deposit({ insertTime: at }), deposit({ insertTime: NOW - 40 * HOUR, status: 12 })]
    const statuses = { deposit: { settled: [12], pending: [5], failed: [] } }
    const policy = Effect.runSync(Policy.make({ statuses }))
    const changed = Broker.Broker.layerMemory({ deposits: [{ ...old, status: 12 }, { ...young, confirmTimes: "99" }] })
    return run(
      Effect.gen(function*() {
        const { deposits } = yield* Archive
        yield* Sync.run({ accounts, policy })
        yield* TestClock.adjust("10 minutes")
        const first = yield* Effect.provide(Sync.run({ accounts }), changed)
        assert.strictEqual(first.changed, 1)
        yield* TestClock.adjust("10 minutes")
        const second = yield* Effect.provide(Sync.run({ accounts, policy }), changed)
        assert.strictEqual(second.changed, 1)
        const found = yield* Stream.runCollect(deposits.slices({ from: at, to: at + 1 }))
        assert.strictEqual(found[0]?.records[0]?.record.status, 12)
      }),
      Broker.Broker.layerMemory({ deposits: [old, young] })
    )
  })

  it.effect("tells how far it has come, in counts that only grow, and from the beginning how many queries there are", () =>
    run(Effect.gen(function*() {
      const told: Array<SyncModule.Progress> = []
      const { pages, queries } = yield* Sync.run({
        accounts,
        onProgress: (progress) => Effect.sync(() => void told.push(progress))
      })
      for (const [index, { added, pages, queriesDone, records }] of told.entries()) {
        const next = told[index + 1]
        if (next !== undefined) {
          assert.isTrue(
            next.added >= added && next.pages >= pages && next.records >= records && next.queriesDone >= queriesDone
          )
        }
      }
      const [first, last] = [told.at(0), told.at(-1)]
      assert.deepStrictEqual([first?.pages, first?.queriesDone], [0, 0])
      assert.deepStrictEqual(Array.from(new Set(told.map(({ queries }) => queries))), [1 + accounts.list.length])
      assert.deepStrictEqual([last?.pages, last?.queriesDone, last?.queries], [pages, queries, queries])
      const read = told.map(({ operation, query }) => query?.fromAccount ?? operation)
      assert.deepStrictEqual(Array.from(new Set(read)), ["deposits", ...accounts.list])
    })))

  it.effect("tells nothing older behind what is newer, however long somebody takes to hear it", () =>
    Effect.gen(function*() {
      const told: Array<number> = []
      const tally = SyncTally.make(({ queriesDone }) =>
        Effect.andThen(
          queriesDone === 1 ? Effect.yieldNow : Effect.void,
          Effect.sync(() => void told.push(queriesDone))
        )
      )
      yield* Effect.all([tally.done, tally.done, tally.done], { concurrency: "unbounded" })
      assert.deepStrictEqual(told, [1, 2, 3])
    }))

  it.effect("refuses a beginning that is no moment before it asks for anything, and takes one in any form", () =>
    run(Effect.gen(function*() {
      for (const since of ["yesterday", 1_790_000_000, Number.NaN]) {
        const error = yield* Effect.flip(Sync.run({ accounts, since }))
        assert.strictEqual(error.reason._tag, "InvalidParameter")
        assert.include(error.message, "since")
      }
      assert.deepStrictEqual(yield* kept, [0, 0])
      yield* Sync.run({ accounts, since: new Date(0) })
      assert.deepStrictEqual(yield* kept, [3, 3])
    })))

  it.effect("leaves the archive free when it has ended, however it ended", () =>
    run(
      Effect.gen(function*() {
        yield* Effect.flip(Sync.run({ accounts }))
        const { exclusive } = yield* Archive
        yield* Effect.scoped(exclusive("a test"))
      }),
      unauthorized
    ))

  it.effect("does not begin while another holds the archive", () =>
    run(Effect.gen(function*() {
      const { exclusive } = yield* Archive
      const error = yield* Effect.scoped(Effect.andThen(exclusive("import"), Effect.flip(Sync.run({ accounts }))))
      assert.strictEqual(error.reason._tag, "Held")
      assert.include(error.message, "import")
      assert.deepStrictEqual(yield* kept, [0, 0])
    })))

  it.effect("refuses the archive of another master before it asks for anything", () =>
    run(Effect.gen(function*() {
      const { claim } = yield* Archive
      yield* claim({ baseUrl: "https://broker.example", fingerprint: "00aa" })
      assert.strictEqual((yield* Effect.flip(Sync.run({ accounts }))).reason._tag, "OtherMaster")
      assert.deepStrictEqual(yield* kept, [0, 0])
    })))

  it.effect("keeps nothing that it reads with a key that the archive does not know, also when the key changes in a round", () =>
    Effect.gen(function*() {
      const keys = ["aaaa", "aaaa", "bbbb"]
      const changing = Layer.effect(
        Broker.Broker,
        Effect.map(Broker.Broker, (broker): Broker.Service => ({
          ...broker,
          origin: Effect.sync(() => ({ baseUrl: "https://broker.example", fingerprint: keys.shift() ?? "bbbb" }))
        }))
      ).pipe(Layer.provide(Broker.Broker.layerMemory(history())))
      yield* run(
        Effect.gen(function*() {
          const { coverage, stamps } = yield* Archive
          const { reason } = yield* Effect.flip(Sync.run({ accounts }))
          assert.strictEqual(reason._tag, "OtherMaster")
          assert.deepStrictEqual((yield* stamps).map(({ fingerprint }) => fingerprint), ["aaaa"])
          assert.isFalse((yield* coverage()).some(({ state }) => state === "complete"))
        }),
        changing
      )
    }))

  it.effect("claims an archive with the first answer, and not where there is none", () =>
    run(
      Effect.gen(function*() {
        const { stamps } = yield* Archive
        assert.strictEqual((yield* Effect.flip(Sync.run({ accounts }))).reason._tag, "KeyRejected")
        assert.deepStrictEqual(yield* stamps, [])
        assert.isAbove((yield* Effect.provide(Sync.run({ accounts }), unanswering)).gaps.length, 0)
        assert.deepStrictEqual(yield* stamps, [])
        yield* Sync.run({ accounts }).pipe(Effect.provide(Broker.Broker.layerMemory(history())))
        assert.strictEqual((yield* stamps).length, 1)
      }),
      unauthorized
    ))

  it.effect("says that deposits are being lost while none could be read", () =>
    run(
      Effect.gen(function*() {
        const { deadline, gaps, now } = yield* Sync.run({ accounts })
        assert.isAbove(gaps.length, 0)
        assert.isAtMost(deadline - now, 3 * 60_000)
      }),
      unanswering
    ))

  it.effect("says what it could not read again of time that is complete, and leaves it complete", () =>
    run(Effect.gen(function*() {
      const { completeTo } = yield* Sync.run({ accounts })
      yield* TestClock.adjust("10 minutes")
      for (const code of ["failed-page", "unproven", "outside-range", "full-millisecond", "source-conflict"] as const) {
        const { gaps, ...second } = yield* Effect.provide(
          Sync.run({ accounts }),
          answering(refusal, { code, detail: "no answer" })
        )
        assert.strictEqual(second.completeTo, completeTo)
        for (const operation of ["deposits", "transfers"] as const) {
          const again = gaps.filter((gap) => gap.operation === operation && gap.to === completeTo)
          assert.isAbove(again.length, 0, code)
          assert.isTrue(
            again.every(({ from, gap }) => from === (completeTo ?? 0) - HOUR && gap?.detail === `${AGAIN}no answer`)
          )
        }
      }
    })))

  it.effect("says what it could not read again of time that a person vouched for, and not what was forgotten since", () =>
    run(Effect.gen(function*() {
      const { coverage, vouch } = yield* Archive
      const week = { from: NOW - 168 * HOUR, to: NOW - HOUR }
      for (const operation of ["deposits", "transfers"] as const) yield* vouch(operation, week, NOW)
      const { gaps } = yield* Effect.provide(Sync.run({ accounts, overlap: "1 hour" }), unanswering)
      for (const operation of ["deposits", "transfers"] as const) {
        const again = gaps.filter((gap) => gap.operation === operation && gap.to === week.to)
        assert.isAbove(again.length, 0, operation)
        assert.isTrue(again.every(({ from, gap }) => from === week.to - HOUR && gap?.detail === `${AGAIN}no answer`))
      }
      yield* TestClock.adjust("72 hours")
      const forgotten = answering(refusal, { code: "retention", detail: "forgotten" })
      const later = yield* Effect.provide(Sync.run({ accounts }), forgotten)
      assert.isTrue(later.gaps.every(({ from }) => from >= week.to))
      assert.isTrue((yield* coverage()).some(({ state }) => state === "complete"))
    })))

  it.effect("asks for what nobody vouched for, and lets nobody vouch for the future", () =>
    run(Effect.gen(function*() {
      const { coverage, vouch } = yield* Archive
      yield* vouch("deposits", { from: NOW - 90 * HOUR, to: NOW + 1000 * HOUR }, NOW - 2.5 * HOUR)
      const before = yield* coverage()
      assert.deepStrictEqual(before.map(({ from, to, vouched }) => [from, to, vouched]), [
        [NOW - 90 * HOUR, NOW - 2.5 * HOUR, true]
      ])
      yield* Sync.run({ accounts })
      const [deposits] = yield* kept
      assert.strictEqual(deposits, 3)
      const after = (yield* coverage()).filter(({ operation, state }) =>
        operation === "deposits" && state === "complete"
      )
      // What the service will soon forget is read a last time, also where a person vouched for it.
      assert.deepStrictEqual(after.filter(({ vouched }) => vouched).map(({ from, to }) => [from, to]), [
        [NOW - 90 * HOUR, NOW - 72 * HOUR + 60_000],
        [NOW - 66 * HOUR, NOW - 3.5 * HOUR]
      ])
      assert.strictEqual(after.at(-1)?.vouched, false)
    })))
})
