/** What belongs to other days, in every form of a report. */
import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as Markdown from "@tallystick/report/Markdown"
import * as Ndjson from "@tallystick/report/Ndjson"
import * as Table from "@tallystick/report/Table"
import * as Verdict from "@tallystick/report/Verdict"
import * as Effect from "effect/Effect"
import * as Parser from "effect/encoding/Csv"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Run from "../../reconcile/test/support/Run.ts"

const MIDNIGHT = Date.UTC(2026, 10, 20)
const monday = { from: MIDNIGHT - Run.DAY, to: MIDNIGHT }
const tuesday = { from: MIDNIGHT, to: MIDNIGHT + Run.DAY }

/** Minutes from midnight. */
const at = (minutes: number): number => (MIDNIGHT - Run.T0) / Run.MINUTE + minutes

const reportOf = (
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>,
  range: Report.Summary["range"] = tuesday
): Report.Report => {
  const about = { coverage: Run.complete, accounts: { list: [], complete: true }, ...(range === null ? {} : { range }) }
  return Report.make({ ...about, policy: Run.policy(), ...Run.match({ ...about, deposits, transfers }) })
}

/** A pair that midnight cuts. */
const pair = [
  [Run.deposit("d", at(-10), { amount: "1.5" })],
  [Run.transfer("t", at(5), { amount: "1.5" })]
] as const

/** A pair like that whose transfer came late, and a deposit of the day that was never moved. */
const late = [
  [Run.deposit("d", at(-10), { amount: "1.5" }), Run.deposit("m", at(60), { amount: "2" })],
  [Run.transfer("t", at(90), { amount: "1.5" })]
] as const

const everything = { width: 200, limit: 100 }

describe("the verdict", () => {
  const sentence = (deposits: ReadonlyArray<Entry.Entry>, transfers: ReadonlyArray<Entry.Entry>): string =>
    Verdict.sentence(reportOf(deposits, transfers))

  it("counts the entries of the day as matched, and no others", () => {
    assert.strictEqual(
      sentence(...pair),
      "The books agree: 0 of 0 deposits and 1 of 1 transfer are matched, and nothing is open."
    )
  })

  it("names what belongs to other days apart", () => {
    assert.strictEqual(
      sentence(...late),
      "The books do not agree: 1 unmatched deposit; of other days: 1 timing difference (late)."
    )
  })

  it("does not say that the books agree where an entry of the day is open in an outcome of another day", () => {
    const [[deposit], transfers] = late
    const report = reportOf([deposit], transfers)
    assert.strictEqual(
      Verdict.sentence(report),
      "The books do not agree: of other days: 1 timing difference (late)."
    )
    assert.strictEqual(Verdict.grade(report), "bad")
    const unknown = reportOf(
      [Run.deposit("d", at(-10), { status: "unknown" })],
      pair[1].map((entry) => ({ ...entry, amount: "1" }))
    )
    assert.match(Verdict.sentence(unknown), /^Whether the books agree is not decidable: of other days: 1 item/)
    assert.strictEqual(Verdict.grade(unknown), "doubtful")
  })
})

describe("the verdict without an address book", () => {
  const far = Run.T0 + 300 * Run.DAY
  const read = { from: 0, to: far, readAt: far, state: "complete" } as const
  const transfers = (fromAccount: string) =>
    ({ operation: "transfers", query: { fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" } }) as const
  const hole = { from: MIDNIGHT + 10 * Run.HOUR, to: MIDNIGHT + 11 * Run.HOUR }
  const coverage = [
    { ...read, operation: "deposits" } as const,
    { ...read, ...transfers("a") },
    { ...read, ...transfers("b"), to: hole.from },
    { ...read, ...transfers("b"), ...hole, state: "incomplete", gap: { code: "failed-page", detail: "503" } } as const,
    { ...read, ...transfers("b"), from: hole.to }
  ]
  const verdict = (
    deposits: ReadonlyArray<Entry.Entry>,
    range: Report.Summary["range"],
    more: ReadonlyArray<Entry.Entry> = []
  ): string => {
    const about = { coverage, accounts: { list: ["a", "b"], complete: false }, ...(range === null ? {} : { range }) }
    const found = Run.match({ ...about, deposits, transfers: [Run.transfer("t", at(20), { from: "a" }), ...more] })
    return Verdict.sentence(Report.make({ ...about, policy: Run.policy(), ...found }))
  }
  /** Deposits of nobody, so many minutes from midnight, of which one was moved. */
  const nobodys = (first: number, second: number) =>
    [Run.deposit("d1", at(first)), Run.deposit("d2", at(second))].map((entry) => Struct.omit(entry, ["account"]))

  it("counts what waits for one on the day that it belongs to, and names it apart on the other", () => {
    assert.include(verdict(nobodys(-10, 5), null), "No address book: 1 item is not decidable; give --addresses.")
    assert.include(verdict(nobodys(-10, 5), monday), "No address book: 1 item is not decidable; give --addresses.")
    const later = verdict(nobodys(-10, 5), tuesday)
    assert.include(later, "No address book: 1 item of other days is not decidable; give --addresses.")
    // It is named once.
    assert.strictEqual(later.split("of other days").length, 2, later)
  })

  it("names the cases of the day that no address book would decide", () => {
    const own = Run.deposit("e", at(610), { account: "b", amount: "7" })
    assert.match(
      verdict([...nobodys(-10, 5), own], tuesday),
      /^No address book: 1 item of other days [^.]*\. Whether the books agree is not decidable: 1 item that is not decidable/
    )
  })

  it("names what is open in outcomes of other days beside it", () => {
    const moved = Run.deposit("l", at(-10), { account: "a", amount: "9" })
    const came = Run.transfer("m", at(90), { account: "a", from: "a", amount: "9" })
    assert.strictEqual(
      verdict([...nobodys(1, 5), moved], tuesday, [came]),
      "No address book: 1 item is not decidable; give --addresses. The books do not agree: in doubt: transfers were not all read (503); of other days: 1 timing difference (late)."
    )
  })
})

describe("the ages of discrepancies", () => {
  it("show entries of the range also where every discrepancy is of another day", () => {
    const [[deposit], transfers] = late
    const report = reportOf([deposit], transfers)
    assert.deepStrictEqual(report.ageing.filter(({ entries }) => entries > 0).map(({ outcomes }) => outcomes), [0])
    assert.match(Table.render(report), /AGEING OF BREAKS at .*\n {2}.*: 1 entry in breaks of other days$/m)
    assert.match(Markdown.render(report), /## Ageing of breaks at [^#]*\| 0 \| 1 \|/)
  })
})

describe("what belongs to other days", () => {
  it("has a line of its own in a terminal, and its entries are marked", () => {
    const text = Table.render(reportOf(...late), everything)
    assert.match(text, /^ {2}in +1 +2(?:\.0)? +1 +1\.5 +0\.5$/m)
    assert.match(text, /^ {2}of other days +1 +1\.5 +0 +0(?:\.0)? +1\.5$/m)
    assert.include(text, "of other days: 1 timing difference (late) [late]")
    assert.match(text, /2026-11-19 23:50:00\.000 {2}deposit {3}1\.5 BTC .*, of another day {2}d$/m)
    assert.match(text, /2026-11-20 01:30:00\.000 {2}transfer {2}1\.5 BTC (?!.*of another day).* {2}t$/m)
    assert.include(text, "of other days: outside the range, in one outcome with entries inside")
  })

  it("has a line of its own in Markdown, and its entries are marked", () => {
    const text = Markdown.render(reportOf(...late))
    assert.include(text, "| BTC | of other days | 1 | 1.5 | 0 | 0 | 1.5 |")
    assert.include(text, "| break | late | timing differences (late) | 0 | 0 | 1 |")
    assert.include(text, "| break | late | timing difference (late), of other days | 1 | 1 | 0 |")
    assert.include(text, "## Breaks: 1, and 1 of other days")
    assert.match(text, /Deposit of 1\.5 BTC at 2026-11-19 23:50:00\.000, .*, of another day: `d`/)
    assert.match(text, /Transfer of 1\.5 BTC at 2026-11-20 01:30:00\.000, (?!.*of another day).*: `t`/)
  })

  it.effect("has a line of its own in the totals of a spreadsheet, and a column says so of each entry", () =>
    Effect.gen(function*() {
      const rows = yield* Stream.fromIterable(Csv.parts(reportOf(...late))).pipe(
        Stream.pipeThroughChannel(Parser.decodeString({ headers: true })),
        Stream.runCollect
      )
      const found = rows.map(({ id, in_range, totals_line }) => [id, in_range, totals_line])
      assert.sameDeepMembers(found, [["d", "no", "of-other-days"], ["t", "yes", "open"], ["m", "yes", "open"]])
    }))

  it.effect("is told of each entry in JSON and in lines of JSON, and is everything without a range", () =>
    Effect.gen(function*() {
      const Entries = Schema.Array(Schema.Struct({ id: Schema.String, inRange: Schema.optionalKey(Schema.Boolean) }))
      const Outcome = Schema.Struct({ deposits: Entries, transfers: Entries })
      const Line = Schema.fromJsonString(Schema.Union([Outcome, Schema.Struct({ summary: Schema.Unknown })]))
      const inRange = (outcomes: ReadonlyArray<typeof Outcome.Type>) =>
        outcomes.flatMap(({ deposits, transfers }) =>
          [...deposits, ...transfers].map(({ id, inRange }) => [id, inRange])
        )
      const json = (report: Report.Report) =>
        inRange(
          Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ outcomes: Schema.Array(Outcome) })))(
            Json.render(report)
          ).outcomes
        )
      const lines = Effect.fnUntraced(function*({ outcomes, ...summary }: Report.Report, options?: Ndjson.Options) {
        const events: ReadonlyArray<Reconciliation.Event> = [
          ...outcomes.map((outcome) => ({ _tag: "Outcome" as const, outcome })),
          { _tag: "Summary", summary }
        ]
        const written = yield* Stream.runCollect(Ndjson.lines(Stream.fromIterable(events), options))
        return inRange(
          written.map((line) => Schema.decodeSync(Line)(line)).flatMap((line) => "summary" in line ? [] : [line])
        )
      })
      const report = reportOf(...pair)
      assert.deepStrictEqual(json(report), [["d", false], ["t", true]])
      assert.deepStrictEqual(yield* lines(report, { range: tuesday }), [["d", false], ["t", true]])
      assert.deepStrictEqual(yield* lines(report, { range: null }), [["d", true], ["t", true]])
      assert.deepStrictEqual(yield* lines(report), [["d", undefined], ["t", undefined]])
      assert.deepStrictEqual(json(reportOf(...pair, null)), [["d", true], ["t", true]])
    }))

  it("is not told where nothing is of other days", () => {
    const [[deposit], [transfer]] = pair
    const report = reportOf([{ ...deposit, at: MIDNIGHT }], [transfer])
    for (const text of [Table.render(report), Markdown.render(report), Json.render(report)]) {
      assert.notMatch(text, /other day|ofOtherDays/)
    }
  })
})

describe("a report of an earlier version", () => {
  it("says in every form for people that its numbers also count other days", () => {
    const says = "This report was made by an earlier version"
    const texts = (report: Report.Report) => [Table.render(report, everything), Markdown.render(report)]
    const report = reportOf(...pair)
    for (const text of texts({ ...report, version: 1 })) assert.include(text, says)
    for (const text of texts(report)) assert.notInclude(text, says)
    // Without a range there are no other days.
    for (const text of texts({ ...reportOf(...pair, null), version: 1 })) assert.notInclude(text, says)
    assert.include(Array.from(Html.parts({ ...report, version: 1 })).join(""), "\"version\":1")
  })
})

describe("what a report of an earlier version says of other days", () => {
  const everywhere = reportOf(...late, null)
  const { range } = reportOf(...late)
  /** It counted everything as of the range. */
  const earlier: Report.Report = { ...everywhere, range, version: 1 }
  const withoutRange: Report.Report = { ...everywhere, version: 1 }

  it("is nothing in a terminal and in Markdown, where each number is of all that it lists", () => {
    const markdown = Markdown.render(earlier)
    assert.include(markdown, "## Breaks: 2\n")
    for (const text of [markdown, Table.render(earlier, everything)]) {
      assert.notMatch(text.replace(/.*This report was made by an earlier version.*/, ""), /of (other days|another day)/)
    }
    const unknown = [Run.deposit("d", at(-10), { status: "unknown" })]
    const gaps = { ...reportOf(unknown, pair[1], null), range, version: 1 } as const
    for (const text of [Markdown.render(gaps), Table.render(gaps, everything)]) {
      assert.include(text, "1 item waiting for a status that the policy does not know")
    }
  })

  it("is nothing in a spreadsheet, where the totals of each line are those of the report", () => {
    const rows = Array.from(Csv.parts(earlier))
    assert.notInclude(rows.join(""), "of-other-days")
    assert.deepStrictEqual(
      rows.map((row) => row.replace(",,BTC,open,", ",yes,BTC,open,")),
      Array.from(Csv.parts({ ...everywhere, range: null }))
    )
  })

  it("is nothing in JSON: no entry says whether it lies in the range", () => {
    assert.notInclude(Json.render(earlier), "inRange")
    assert.include(Json.render(earlier), "\"version\":1")
    assert.deepStrictEqual(Schema.decodeSync(Schema.fromJsonString(Report.Report))(Json.render(earlier)), earlier)
  })

  it("is nothing on the page: its charts count every entry and every lag", () => {
    const parts = (report: Report.Report) => Array.from(Html.parts(report)).join("").match(/"flows":.*?"lanes"/s)?.[0]
    assert.isDefined(parts(earlier))
    assert.deepStrictEqual(parts(earlier), parts(withoutRange))
  })
})

describe("two days together", () => {
  it("have each entry in a line of one of them", () => {
    const reports = [monday, tuesday].map((day) => reportOf(...late, day))
    const counts = reports.flatMap(({ totals }) =>
      totals.map(({ deposits, transfers }) => [deposits.in.count, transfers.in.count])
    )
    assert.deepStrictEqual(counts, [[1, 0], [1, 1]])
  })
})
