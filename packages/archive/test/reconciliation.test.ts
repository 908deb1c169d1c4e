import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Everything was read around `NOW` a day later, and something else long after that. */
const keep = Effect.fnUntraced(function*(lag: number) {
  const archive = yield* Archive.Archive
  const covered = (operation: Coverage.Coverage["operation"]): Coverage.Coverage => ({
    operation,
    from: NOW - 3 * DAY,
    to: NOW + 3 * DAY,
    readAt: NOW + 4 * DAY,
    state: "complete"
  })
  const { from, to } = covered("deposits")
  const slice = { from, to, bad: [] }
  yield* archive.deposits.saveSlice({ ...slice, records: [deposit()], coverage: [covered("deposits")] })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: [transfer({ timestamp: NOW + lag })],
    coverage: [covered("transfers")]
  })
  const later = { from: NOW + 90 * DAY, to: NOW + 91 * DAY }
  yield* archive.deposits.saveSlice({
    ...later,
    records: [],
    bad: [],
    coverage: [{ ...covered("deposits"), ...later, readAt: NOW + 92 * DAY }]
  })
})

const around = (at: number): ArchiveReconciliation.Options => ({
  range: { from: at - HOUR, to: at + HOUR },
  accounts: { list: ["a@x"], complete: true }
})

const codes = (at: number) =>
  Effect.map(
    ArchiveReconciliation.run(around(at)),
    ({ outcomes }) => outcomes.map(({ code }) => code)
  )

describe("reconciling a range from the archive", () => {
  it.effect("looks as far beyond its ends as the policy does", () =>
    Effect.gen(function*() {
      yield* keep(22 * HOUR)
      assert.deepStrictEqual(yield* codes(NOW), ["late"])
      assert.deepStrictEqual(yield* codes(NOW + 22 * HOUR), ["late"])
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  describe("where a deposit settled a day after it was inserted", () => {
    const MINUTE = 60_000

    /** Pending when it came, and when it was seen `again`, seen settled after `delay`; then moved. */
    const settledLate = Effect.fnUntraced(function*(delay: number, lag: number, again: number = MINUTE) {
      const archive = yield* Archive.Archive
      const covered = (operation: Coverage.Coverage["operation"], readAt: number): Coverage.Coverage => ({
        operation,
        from: NOW - 5 * DAY,
        to: NOW + 5 * DAY,
        readAt,
        state: "complete"
      })
      const slice = { from: NOW - 5 * DAY, to: NOW + 5 * DAY, bad: [] }
      for (
        const [status, readAt] of [[4, NOW + MINUTE], [4, NOW + again], [5, NOW + delay], [5, NOW + 6 * DAY]] as const
      ) {
        const read = { records: [deposit({ status })], coverage: [covered("deposits", readAt)] }
        yield* archive.deposits.saveSlice({ ...slice, ...read })
      }
      yield* archive.transfers.saveSlice({
        ...slice,
        records: [transfer({ timestamp: NOW + lag })],
        coverage: [covered("transfers", NOW + 6 * DAY)]
      })
    })
    const found = (at: number, policy = Policy.defaults) =>
      Effect.map(
        ArchiveReconciliation.run({ ...around(at), policy }),
        ({ outcomes }) => outcomes.map(({ code, final }) => `${code} ${final}`)
      )

    it.effect("a transfer ten minutes after that is its own, whichever day is asked for", () =>
      Effect.gen(function*() {
        yield* settledLate(2 * DAY, 2 * DAY + 10 * MINUTE)
        assert.deepStrictEqual(yield* found(NOW), ["exact false"])
        assert.deepStrictEqual(yield* found(NOW + 2 * DAY), ["exact true"])
        const streamed = yield* Stream.runCollect(ArchiveReconciliation.events(around(NOW + 2 * DAY)))
        assert.deepStrictEqual(streamed.flatMap((one) => (one._tag === "Outcome" ? [one.outcome.code] : [])), ["exact"])
        const { outcomes } = yield* ArchiveReconciliation.run(around(NOW))
        assert.include(
          outcomes[0]?.explanation ?? "",
          "later, 10 min after the deposit was first seen settled."
        )
      }).pipe(Effect.provide(Archive.Archive.layerMemory())))

    it.effect("it may have settled any time after it was last seen unsettled", () =>
      Effect.gen(function*() {
        yield* settledLate(2 * DAY, 40 * HOUR, 30 * HOUR)
        assert.deepStrictEqual(yield* found(NOW), ["exact true"])
        const { outcomes } = yield* ArchiveReconciliation.run(around(NOW))
        assert.include(
          outcomes[0]?.explanation ?? "",
          "(the deposit was last seen unsettled 1 d 6 h and first seen settled 2 d after it arrived)"
        )
      }).pipe(Effect.provide(Archive.Archive.layerMemory())))

    it.effect("a transfer before that is late", () =>
      Effect.gen(function*() {
        yield* settledLate(2 * DAY, 20 * HOUR, 30 * HOUR)
        assert.deepStrictEqual(yield* found(NOW), ["late true"])
      }).pipe(Effect.provide(Archive.Archive.layerMemory())))

    it.effect("both are missing where the policy counts from when it was seen", () =>
      Effect.gen(function*() {
        yield* settledLate(2 * DAY, 2 * DAY + 10 * MINUTE)
        const seen = { ...Policy.defaults, lagFrom: "seen" } as const
        assert.deepStrictEqual(yield* found(NOW, seen), ["missing-transfer true"])
        assert.deepStrictEqual(yield* found(NOW + 2 * DAY, seen), ["missing-deposit true"])
      }).pipe(Effect.provide(Archive.Archive.layerMemory())))

    it.effect("lateness counts from then", () =>
      Effect.gen(function*() {
        yield* settledLate(2 * DAY, 2 * DAY + 20 * HOUR)
        assert.deepStrictEqual(yield* found(NOW), ["late false"])
      }).pipe(Effect.provide(Archive.Archive.layerMemory())))
  })

  it.effect("counts ages to the last reading of anything, however old the range is", () =>
    Effect.gen(function*() {
      yield* keep(40 * HOUR)
      const { asOf, ageing } = yield* ArchiveReconciliation.run(around(NOW))
      const events = yield* Stream.runCollect(ArchiveReconciliation.events(around(NOW)))
      const last = events.at(-1)
      assert.strictEqual(asOf, NOW + 92 * DAY)
      assert.deepStrictEqual(ageing.filter(({ outcomes }) => outcomes > 0).map(({ from }) => from), [7 * DAY])
      assert.deepStrictEqual(last?._tag === "Summary" && [last.summary.asOf, last.summary.ageing], [asOf, ageing])
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  it.effect("loads what a link names by id, however far from the range it lies", () =>
    Effect.gen(function*() {
      yield* keep(60 * HOUR)
      const ids = (yield* ArchiveReconciliation.run(around(NOW))).outcomes.flatMap(({ deposits }) =>
        deposits.map(({ id }) => id)
      )
      assert.strictEqual(ids.length, 1)
      const linked = (at: number, transfer = "7"): ArchiveReconciliation.Options => ({
        ...around(at),
        policy: Effect.runSync(Policy.make({ links: [{ deposits: [ids[0] ?? ""], transfers: [transfer] }] }))
      })
      for (const at of [NOW, NOW + 60 * HOUR]) {
        const report = yield* ArchiveReconciliation.run(linked(at))
        const events = yield* Stream.runCollect(ArchiveReconciliation.events(linked(at)))
        assert.deepStrictEqual(report.outcomes.map(({ code }) => code), ["linked"])
        assert.deepStrictEqual(
          events.flatMap((event) => (event._tag === "Outcome" ? [event.outcome] : [])),
          report.outcomes
        )
        assert.isFalse(report.warnings.some((warning) => warning.includes("links")))
      }
      const { outcomes, warnings } = yield* ArchiveReconciliation.run(linked(NOW, "8"))
      assert.deepStrictEqual(outcomes.map(({ code }) => code), ["coverage-gap"])
      assert.match(warnings.join(), /not among the entries: transfer "8"/)
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  it.effect("says of an empty archive that nothing of the range was read", () =>
    Effect.gen(function*() {
      const { asOf, clean, outcomes, unread } = yield* ArchiveReconciliation.run(around(NOW))
      assert.deepStrictEqual({ asOf, clean, outcomes }, { asOf: null, clean: false, outcomes: [] })
      assert.deepStrictEqual(unread.map(({ operation }) => operation), ["deposits", "transfers"])
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))
})
