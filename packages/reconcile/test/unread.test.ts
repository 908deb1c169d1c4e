import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Accounts from "../src/Accounts.ts"
import type * as Entry from "../src/Entry.ts"
import * as Matching from "../src/Matching.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Policy from "../src/Policy.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Report from "../src/Report.ts"
import * as Run from "./support/Run.ts"

const DAY = { from: Run.T0, to: Run.T0 + Run.DAY }

const ALWAYS = { from: 0, to: 9e15 }

const part = (
  operation: Coverage.Coverage["operation"],
  state: Coverage.Coverage["state"],
  { from, to } = DAY
): Coverage.Coverage => ({
  operation,
  from,
  to,
  readAt: to,
  state,
  ...(state === "incomplete" ? { gap: { code: "failed-page", detail: "HTTP 503" } } : {})
})

const report = (coverage: ReadonlyArray<Coverage.Coverage>, range?: Coverage.Interval) =>
  Report.make({ policy: Policy.defaults, accounts: Accounts.none, coverage, range, outcomes: [], warnings: [] })

const tooYoung = "transfers: too young to be settled: later records may still appear"

/** What the report says of each gap: `deposits: HTTP 503`. */
const gapsOf = ({ unread }: Report.Report): ReadonlyArray<string> =>
  unread.map(({ gap, operation }) => `${operation}: ${gap?.detail}`)

describe("books of which nothing is known", () => {
  it("do not agree when nobody asked, however empty they are", () => {
    const unknown = report([], DAY)
    assert.isFalse(unknown.clean)
    assert.deepStrictEqual(Report.operationsUnread(unknown), ["deposits", "transfers"])
    assert.include(gapsOf(unknown), "deposits: nobody asked for all of it")
  })

  it("do not agree when a side could not be read, and the reason is told", () => {
    const failed = report([part("deposits", "incomplete"), part("transfers", "complete")], DAY)
    assert.isFalse(failed.clean)
    assert.deepStrictEqual(Report.operationsUnread(failed), ["deposits"])
    assert.deepStrictEqual(gapsOf(failed), ["deposits: HTTP 503"])
  })

  it("do not agree when a part of the range could not be read", () => {
    const middle = Run.T0 + Run.DAY / 2
    const half = report([
      part("deposits", "complete", { from: Run.T0, to: middle }),
      part("deposits", "incomplete", { from: middle, to: DAY.to }),
      part("transfers", "complete")
    ], DAY)
    assert.isFalse(half.clean)
    assert.deepStrictEqual(Report.operationsUnread(half), [])
  })

  it("do not agree when nobody asked for a part of the range", () => {
    const late = { from: Run.T0 + 1, to: DAY.to }
    const partly = report([part("deposits", "complete", late), part("transfers", "complete")], DAY)
    assert.isFalse(partly.clean)
    assert.deepStrictEqual(partly.unread.map(({ from, operation, to }) => [operation, from, to]), [
      ["deposits", Run.T0, Run.T0 + 1]
    ])
  })

  it("do not agree where nothing is settled yet, be it now or tomorrow", () => {
    for (const range of [DAY, undefined]) {
      const young = report([part("deposits", "complete"), part("transfers", "open")], range)
      assert.isFalse(young.clean)
      assert.deepStrictEqual(Report.operationsUnread(young), ["transfers"])
      assert.deepStrictEqual(gapsOf(young), [tooYoung])
    }
  })

  it("do not agree over a range that is empty or none, nor by coverage of no time", () => {
    const all = [part("deposits", "complete", ALWAYS), part("transfers", "complete", ALWAYS)]
    for (const [from, to] of [[Run.T0, Run.T0], [Run.T0 + 1, Run.T0], [Number.NaN, Run.T0]] as const) {
      assert.isFalse(report(all, { from, to }).clean)
    }
    const nothing = { from: Run.T0, to: Run.T0 }
    assert.isFalse(
      report([part("deposits", "complete", nothing), part("transfers", "complete", nothing)]).clean
    )
  })

  it("agree when both sides were read, whatever is unknown outside the range", () => {
    const before = { from: Run.T0 - Run.DAY, to: Run.T0 }
    const behind = { from: DAY.to, to: DAY.to + 60_000 }
    const whole = report([
      part("deposits", "incomplete", before),
      part("deposits", "complete"),
      part("transfers", "complete"),
      part("transfers", "open", behind)
    ], DAY)
    assert.isTrue(whole.clean)
  })

  it("do not agree where the range reaches into what is not settled, or has not happened", () => {
    const young = report([
      part("deposits", "complete"),
      part("transfers", "complete", { from: DAY.from, to: DAY.to - 60_000 }),
      part("transfers", "open", { from: DAY.to - 60_000, to: DAY.to })
    ], DAY)
    assert.isFalse(young.clean)
    assert.deepStrictEqual(young.unread.map(({ from, operation }) => [operation, from]), [
      ["transfers", DAY.to - 60_000]
    ])
    assert.deepStrictEqual(gapsOf(young), [tooYoung])
  })
})

describe("what is missing beside records that could not be used", () => {
  const input = {
    deposits: [],
    transfers: [Run.transfer("t1", 0)],
    coverage: [part("deposits", "complete", ALWAYS), part("transfers", "complete", ALWAYS)],
    policy: Policy.defaults,
    accounts: Accounts.none
  }
  const bad = {
    side: "deposit",
    source: "line 1",
    path: "amount",
    reason: "Expected string, got 1",
    raw: "{}"
  } as const
  const missing = (records: Matching.Input["bad"]) =>
    Matching.match({ ...input, bad: records }).outcomes.find(({ code }) => code === "missing-deposit")

  it("is never final, and says that it may be among them", () => {
    assert.isTrue(missing([])?.final)
    assert.isFalse(missing([bad])?.final)
    assert.include(
      missing([bad])?.explanation,
      "Some deposit records could not be used, and what is missing may be among them."
    )
    assert.include(missing([bad])?.explanation, ", as far as the records could be used.")
  })

  it("leaves nothing final that lacks a counterpart or came to another one instead", () => {
    const failed = Run.transfer("f1", 5, { status: "failed" })
    const kinds: ReadonlyArray<readonly [Outcome.Code, ReadonlyArray<Entry.Entry>, ReadonlyArray<Entry.Entry>]> = [
      ["class-short", [Run.deposit("d1", 0), Run.deposit("d2", 1)], [Run.transfer("t2", 5)]],
      ["failed-attempt", [Run.deposit("d1", 0)], [failed]],
      ["late", [Run.deposit("d1", 0)], [Run.transfer("t2", 200)]],
      ["account-mismatch", [Run.deposit("d1", 0, { account: "a" })], [Run.transfer("t2", 5, { account: "b" })]]
    ]
    for (const [code, deposits, transfers] of kinds) {
      const of = (records: Matching.Input["bad"]) =>
        Matching.match({ ...input, deposits, transfers, bad: records }).outcomes.find((outcome) =>
          outcome.code === code
        )
      assert.isTrue(of([])?.final, code)
      for (const side of ["deposit", "transfer"] as const) {
        const beside = of([{ ...bad, side }])
        assert.isFalse(beside?.final, code)
        assert.include(
          beside?.explanation,
          `Some ${side} records could not be used, and with them it may be otherwise.`
        )
      }
    }
  })

  it("is as certain as ever when only its own side had such records", () => {
    assert.isTrue(missing([{ ...bad, side: "transfer" }])?.final)
  })
})

describe("a range that holds nothing of what was read", () => {
  const side = (entry: Entry.Entry): Reconciliation.Side =>
    Stream.make({ from: 0, to: 9e15, records: [entry], bad: [], coverage: [] })

  it.effect("is pointed out, for it may be the wrong day", () =>
    Effect.gen(function*() {
      const [left, right] = [side(Run.deposit("d1", 0)), side(Run.transfer("t1", 1))]
      const range = { from: Run.T0 - 2 * Run.DAY, to: Run.T0 - Run.DAY }
      const elsewhere = yield* Reconciliation.reconcile(left, right, { range })
      assert.include(elsewhere.warnings, "None of the 1 deposits that were read lies in the range.")
      assert.include(elsewhere.warnings, "None of the 1 transfers that were read lies in the range.")
      const here = yield* Reconciliation.reconcile(left, right, { range: DAY })
      assert.deepStrictEqual(here.warnings, [])
    }))
})

/** What one run over everything and a stream of outcomes say; both say the same. */
const told = Effect.fnUntraced(function*(
  entries: { readonly deposits: ReadonlyArray<Entry.Entry>; readonly transfers: ReadonlyArray<Entry.Entry> },
  coverage: Readonly<Record<Coverage.Coverage["operation"], ReadonlyArray<Coverage.Coverage>>>
) {
  const side = (operation: Coverage.Coverage["operation"]): Reconciliation.Side =>
    Slice.fromEntries(Stream.fromIterable(entries[operation]), coverage[operation])
  const whole = yield* Reconciliation.reconcile(side("deposits"), side("transfers"))
  const events = yield* Stream.runCollect(Reconciliation.events(side("deposits"), side("transfers")))
  const last = events.at(-1)
  const streamed = events.flatMap((event) => event._tag === "Outcome" ? [event.outcome] : [])
  assert.deepStrictEqual(Run.summary(streamed), Run.summary(whole.outcomes))
  assert.deepStrictEqual(
    last?._tag === "Summary" ? [last.summary.clean, last.summary.unread] : [],
    [whole.clean, whole.unread]
  )
  return whole
})

const pairs = (count: number, minutes: number, unmoved: (index: number) => boolean = () => false) => {
  const all = Array.from({ length: count }, (_, index) => index)
  const amount = (index: number) => ({ amount: `${index + 1}` })
  return {
    deposits: all.map((index) => Run.deposit(`d${index}`, index * minutes, amount(index))),
    transfers: all.filter((index) => !unmoved(index))
      .map((index) => Run.transfer(`t${index}`, index * minutes + 1, amount(index)))
  }
}

describe("books without a range", () => {
  const at = (minutes: number): number => Run.T0 + minutes * Run.MINUTE
  const hours = (from: number, to: number): Coverage.Interval => ({ from: at(from * 60), to: at(to * 60) })
  const deposits = [part("deposits", "complete", hours(-6, 6))]
  const around = [
    part("transfers", "complete", hours(-6, -3)),
    part("transfers", "complete", hours(-2, 6))
  ]

  it.effect("do not agree where a gap is named, wherever it lies", () =>
    Effect.gen(function*() {
      for (const [from, to] of [[-3, -2], [-9, -6], [6, 9]] as const) {
        const gap = part("transfers", "incomplete", hours(from, to))
        const known = from === -3 ? around : [part("transfers", "complete", hours(-6, 6))]
        const report = yield* told(pairs(9, 1), { deposits, transfers: [...known, gap] })
        assert.deepStrictEqual([report.clean, report.unread], [false, [gap]])
      }
    }))

  it.effect("do not agree where nobody asked for a part between what was read", () =>
    Effect.gen(function*() {
      const report = yield* told(pairs(9, 1), { deposits, transfers: around })
      assert.deepStrictEqual(report.unread.map(({ from, to }) => ({ from, to })), [hours(-3, -2)])
    }))

  it.effect("do not agree where what was read is not of the time of the entries", () =>
    Effect.gen(function*() {
      for (const interval of [hours(-54, -30), hours(30, 54), { from: 1_000_000, to: 86_000_000 }]) {
        const elsewhere = {
          deposits: [part("deposits", "complete", interval)],
          transfers: [part("transfers", "complete", interval)]
        }
        for (const entries of [pairs(9, 1), { ...pairs(9, 1), transfers: [] }]) {
          for (
            const coverage of [elsewhere, { ...elsewhere, deposits }, { deposits, transfers: elsewhere.transfers }]
          ) {
            const report = yield* told(entries, coverage)
            assert.isFalse(report.clean)
            assert.isNotEmpty(report.unread)
          }
        }
      }
    }))

  it.effect("do not agree where one side ends while the other goes on for longer than a window", () =>
    Effect.gen(function*() {
      const own = (operation: Coverage.Coverage["operation"], entries: ReadonlyArray<Entry.Entry>) => {
        const times = entries.map((entry) => entry.at)
        return [part(operation, "complete", { from: Math.min(...times), to: Math.max(...times) + 1 })]
      }
      const report = Effect.fnUntraced(function*(minutes: number) {
        const entries = pairs(40, minutes, (index) => index >= 20)
        return yield* told(entries, {
          deposits: own("deposits", entries.deposits),
          transfers: own("transfers", entries.transfers)
        })
      })
      const early = yield* report(30)
      assert.isFalse(early.clean)
      assert.deepStrictEqual(early.unread.map(({ operation }) => operation), ["transfers"])
      assert.deepStrictEqual(gapsOf(early), [
        "transfers: what was read of them ends early: there are entries behind it"
      ])
      // The windows of the last deposits are open where both sides end.
      const open = yield* report(2)
      assert.isTrue(open.clean)
      assert.deepStrictEqual(open.counts.find(({ code }) => code === "in-flight")?.outcomes, 20)
    }))
})

describe("what is vouched for behind its own reading", () => {
  it.effect("is open there: nobody can vouch for what has not happened", () =>
    Effect.gen(function*() {
      const now = Run.T0 + 2 * Run.MINUTE
      const vouched = (operation: Coverage.Coverage["operation"]) => [
        { ...part(operation, "complete", { from: Run.T0 - Run.DAY, to: Run.T0 + Run.DAY }), readAt: now }
      ]
      const coverage = { deposits: vouched("deposits"), transfers: vouched("transfers") }
      const report = yield* told({ deposits: [Run.deposit("d1", 0)], transfers: [] }, coverage)
      assert.deepStrictEqual(Run.summary(report.outcomes), ["in-flight d1"])
      assert.deepStrictEqual(
        report.coverage.map(({ from, state, to }) => [state, from, to]),
        [0, 1].flatMap(() => [["complete", Run.T0 - Run.DAY, now], ["open", now, Run.T0 + Run.DAY]])
      )
    }))
})
