import { assert, describe, it } from "@effect/vitest"
import * as Slice from "@tallystick/core/Slice"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

const covered = (operation: "deposits" | "transfers", hours: number) =>
  ({
    operation,
    from: Run.T0 - Run.DAY,
    to: Run.T0 + hours * Run.HOUR,
    readAt: Run.T0 + hours * Run.HOUR,
    state: "complete"
  }) as const

const side = (entries: ReadonlyArray<Entry.Entry>, operation: "deposits" | "transfers", chunk: number, hours: number) =>
  Slice.fromEntries(Stream.rechunk(Stream.fromIterable(entries), chunk), [covered(operation, hours)])

const paired = (count: number, minutes: number) => ({
  deposits: Array.from(
    { length: count },
    (_, index) => Run.deposit(`d${index}`, index * minutes, { amount: String(index + 1) })
  ),
  transfers: Array.from(
    { length: count },
    (_, index) => Run.transfer(`t${index}`, index * minutes + 5, { amount: String(index + 1) })
  )
})

describe("a stream of outcomes", () => {
  it.effect("gives what one run over everything gives, and its summary last", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = paired(500, 10)
      const left = deposits.filter((_, index) => index % 7 !== 0)
      const sides = () => [side(left, "deposits", 13, 200), side(transfers, "transfers", 5, 200)] as const
      const events = yield* Stream.runCollect(Reconciliation.events(...sides()))
      const report = yield* Reconciliation.reconcile(...sides())
      const last = events.at(-1)
      assert.strictEqual(last?._tag, "Summary")
      const { outcomes, ...facts } = report
      assert.deepStrictEqual(last?._tag === "Summary" ? last.summary : undefined, facts)
      const streamed = events.flatMap((event) => (event._tag === "Outcome" ? [event.outcome] : []))
      const byId = (list: typeof streamed) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(byId(streamed), byId([...outcomes]))
    }))

  it.effect("fails where an entry comes after its time was taken as complete, and says what to do", () =>
    Effect.gen(function*() {
      const [one, other] = [Run.deposit("d1", 10), Run.deposit("d0", 0)]
      const slice = (records: ReadonlyArray<Entry.Entry>, from: number, to: number): Slice.Slice<Entry.Entry> => ({
        from: Run.T0 + from * Run.MINUTE,
        to: Run.T0 + to * Run.MINUTE,
        records,
        bad: [],
        coverage: []
      })
      const error = yield* Effect.flip(Stream.runDrain(
        Reconciliation.outcomes(Stream.make(slice([one], 5, 20), slice([other], 20, 30)), Stream.empty)
      ))
      assert.strictEqual(error._tag, "Unordered")
      assert.strictEqual(
        error.message,
        "deposit d0 of 2027-01-15T08:00:00.000Z came after everything before 2027-01-15T08:20:00.000Z was taken as " +
          "complete; a stream is read in order of time, so sort the source by time and try again"
      )
    }))

  it.effect("says in the end which entries a link names that never came, as a run over everything does", () =>
    Effect.gen(function*() {
      const policy = Run.policy({
        links: [{ deposits: ["d0"], transfers: ["nobody"] }, { deposits: ["none"], transfers: ["t2"] }]
      })
      const { deposits, transfers } = paired(3, 10)
      const sides = () => [side(deposits, "deposits", 2, 900), side(transfers, "transfers", 2, 900)] as const
      const events = yield* Stream.runCollect(Reconciliation.events(...sides(), { policy }))
      const { outcomes, ...facts } = yield* Reconciliation.reconcile(...sides(), { policy })
      const told = events.flatMap((event) => (event._tag === "Outcome" ? [event.outcome] : []))
      assert.deepStrictEqual(Run.summary(told), Run.summary(outcomes))
      assert.deepStrictEqual(Run.summary(told), [
        "coverage-gap d0",
        "coverage-gap t2",
        "exact d1 t1",
        "missing-deposit t0",
        "missing-transfer d2"
      ])
      const last = events.at(-1)
      assert.deepStrictEqual(last?._tag === "Summary" ? last.summary : undefined, facts)
      assert.deepStrictEqual(facts.warnings, [
        `The policy links deposit "d0", transfer "nobody"; not among the entries: transfer "nobody".`,
        `The policy links deposit "none", transfer "t2"; not among the entries: deposit "none".`
      ])
    }))

  it.effect("says of an hour that a source passed over what one run says, however long it knows no better", () =>
    Effect.gen(function*() {
      const hour = (index: number) => ({ from: Run.T0 + index * Run.HOUR, to: Run.T0 + (index + 1) * Run.HOUR })
      const deposits = Array.from(
        { length: 20_000 },
        (_, index) => ({ ...Run.deposit(`d${index}`, 0, { asset: `A${index}` }), at: hour(1).from + 180 * index })
      )
      const slice = (operation: "deposits" | "transfers", index: number) => ({
        ...hour(index),
        records: [],
        bad: [],
        coverage: [{ operation, ...hour(index), readAt: hour(index).to, state: "complete" } as const]
      })
      const parts = Array.from({ length: 10 }, (_, index): Slice.Slice<Entry.Entry> => {
        const from = hour(1).from + (index * Run.HOUR) / 10
        const part = { from, to: from + Run.HOUR / 10 }
        return {
          ...part,
          records: deposits.filter(({ at }) => at >= part.from && at < part.to),
          bad: [],
          coverage: [{ operation: "deposits", ...part, readAt: part.to, state: "complete" }]
        }
      })
      const left = [slice("deposits", 0), ...parts, slice("deposits", 2)]
      const silent = { ...slice("transfers", 1), coverage: [] }
      const [first, last] = [slice("transfers", 0), slice("transfers", 2)]
      const policy = Run.policy({ window: { after: "1 minute" }, late: "0 minutes" })
      const one = <A>(slices: ReadonlyArray<A>) => Stream.rechunk(Stream.fromIterable(slices), 1)
      const sides = () => [one(left), one([first, silent, last])] as const
      const report = yield* Reconciliation.reconcile(...sides(), { policy })
      const told = yield* Stream.runCollect(Reconciliation.outcomes(...sides(), { policy }))
      assert.deepStrictEqual(new Set(told.map(({ code }) => code)), new Set(["coverage-gap"]))
      assert.deepStrictEqual(new Set(told.map(({ id }) => id)), new Set(report.outcomes.map(({ id }) => id)))
    }))

  it.effect("keeps what a link names until all of it has come", () =>
    Effect.gen(function*() {
      const policy = Run.policy({ links: [{ deposits: ["d0"], transfers: ["far"] }], late: "1 hour" })
      const { deposits, transfers } = paired(20_000, 1)
      const far = Run.transfer("far", 19_999, { amount: "77" })
      const outcomes = yield* Stream.runCollect(Reconciliation.outcomes(
        side(deposits, "deposits", 500, 400),
        side([...transfers.slice(1), far].toSorted((a, b) => a.at - b.at), "transfers", 500, 400),
        { policy }
      ))
      assert.deepStrictEqual(
        Run.summary(outcomes.filter(({ code }) => code !== "exact")),
        ["linked d0 far"]
      )
      assert.strictEqual(outcomes.length, 20_000)
    }))

  it.effect("reads no farther than the outcomes that are taken need", () =>
    Effect.gen(function*() {
      const read = yield* Ref.make(0)
      const { deposits, transfers } = paired(200_000, 1)
      const counted = side(deposits, "deposits", 1000, 4000).pipe(
        Stream.tap((slice) => Ref.update(read, (count) => count + slice.records.length))
      )
      const first = yield* Stream.runHead(
        Reconciliation.outcomes(counted, side(transfers, "transfers", 1000, 4000))
      )
      assert.strictEqual(first._tag, "Some")
      assert.isBelow(yield* Ref.get(read), 30_000)
    }))

  it.effect("lets go of both sources when it is interrupted", () =>
    Effect.gen(function*() {
      const released = yield* Ref.make(0)
      const begun = yield* Deferred.make<void>()
      const endless = (name: "deposits" | "transfers") =>
        Stream.unwrap(Effect.as(
          Effect.acquireRelease(Effect.void, () => Ref.update(released, (count) => count + 1)),
          Stream.concat(
            side(paired(10, 1)[name], name, 10, 1),
            Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
          )
        ))
      const fiber = yield* Effect.forkChild(
        Stream.runDrain(Reconciliation.outcomes(endless("deposits"), endless("transfers")))
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* Ref.get(released), 2)
    }))

  it.effect("does not depend on how the entries are cut into slices", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= Generator.cases(20); seed++) {
        const random = Generator.make(seed)
        const { deposits, transfers } = paired(300, 3)
        const some = deposits.filter(() => random.chance(0.9))
        const others = transfers.filter(() => random.chance(0.9))
        const run = (chunk: number) =>
          Stream.runCollect(Reconciliation.outcomes(
            side(some, "deposits", chunk, 48),
            side(others, "transfers", random.int(1, 50), 48)
          ))
        const [small, large] = [yield* run(random.int(1, 20)), yield* run(1000)]
        assert.deepStrictEqual(Run.summary(small), Run.summary(large))
      }
    }))
})
