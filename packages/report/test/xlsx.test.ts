/** The workbook, read back by another library, and as the XML that it is. */
import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Extract from "@tallystick/reconcile/Extract"
import type * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Text from "@tallystick/report/text/Text"
import * as Xlsx from "@tallystick/report/Xlsx"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { strFromU8, unzipSync } from "fflate"
import { readXlsx, type Sheet } from "hucre/xlsx"
import * as BookSample from "../../reconcile/test/bookSample.ts"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Books from "../../reconcile/test/support/Books.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Hostile from "../../reconcile/test/support/Hostile.ts"
import * as Cell from "../src/internal/xlsx/Cell.ts"
import * as Tables from "../src/internal/xlsx/Sheet.ts"
import * as Workbook from "../src/internal/xlsx/Workbook.ts"
import * as Printed from "./support/Printed.ts"
import * as Recount from "./support/Recount.ts"

const bytesOf = (parts: Iterable<Uint8Array>): Uint8Array => Buffer.concat(Array.from(parts))

type Row = Readonly<Record<string, Sheet["rows"][number][number]>>

interface Read {
  readonly rows: ReadonlyArray<Row>
  readonly sheet: Sheet
}

/** The sheets by their names, each row by the titles of its columns. */
const read = Effect.fnUntraced(function*(parts: Iterable<Uint8Array>) {
  const { sheets } = yield* Effect.promise(() => readXlsx(bytesOf(parts)))
  return new Map(sheets.map((sheet): readonly [string, Read] => {
    const [titles = [], ...rows] = sheet.rows
    return [sheet.name, {
      sheet,
      rows: rows.map((cells) => Object.fromEntries(titles.map((title, index) => [String(title), cells[index] ?? null])))
    }]
  }))
})

const rowsOf = (sheets: ReadonlyMap<string, Read>, name: string): ReadonlyArray<Row> => sheets.get(name)?.rows ?? []

/** The XML of each file in it. */
const filesOf = (parts: Iterable<Uint8Array>): ReadonlyArray<readonly [name: string, xml: string]> =>
  Object.entries(unzipSync(bytesOf(parts))).map(([name, bytes]) => [name, strFromU8(bytes)])

const report = Sample.report()

const reports = [report, ...Array.from({ length: 12 }, (_, seed) => Books.report(Generator.make(seed)))]

const entriesOf = ({ outcomes }: Report.Report): ReadonlyArray<Entry.Entry> =>
  outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers])

describe("the workbook", () => {
  it.effect("has the entries whose sums are the control totals, each amount exact as text and beside it as a number", () =>
    Effect.gen(function*() {
      for (const one of reports) {
        const rows = rowsOf(yield* read(Xlsx.parts(one)), "All entries")
        const lines = new Map<string, ReadonlyArray<string>>()
        const codes = new Map<string, Set<unknown>>()
        for (const row of rows) {
          const { Amount: amount, "Amount (rounded)": rounded, Code: code } = row
          codes.set(String(code), (codes.get(String(code)) ?? new Set()).add(row["Id of outcome"]))
          if (typeof amount !== "string") continue
          assert.strictEqual(rounded, Number(amount))
          const line = ["Asset of totals", "Side", "Line of totals"].map((title) => String(row[title])).join(" ")
          lines.set(line, [...(lines.get(line) ?? []), amount])
        }
        const { counts, totals } = Printed.ofRows(one)
        assert.deepStrictEqual(
          Object.fromEntries(
            Array.from(lines, ([line, amounts]) => [line, { count: amounts.length, sum: Recount.total(amounts) }])
          ),
          totals
        )
        assert.deepStrictEqual(Object.fromEntries(Array.from(codes, ([code, ids]) => [code, ids.size])), counts)
      }
    }))

  it.effect("has the totals and the counts of the report", () =>
    Effect.gen(function*() {
      for (const one of reports) {
        const sheets = yield* read(Xlsx.parts(one))
        assert.deepStrictEqual(
          rowsOf(sheets, "Totals").map((row) => [
            row["Asset"],
            row["Line"],
            row["Deposits"],
            row["Sum of deposits"],
            row["Transfers"],
            row["Sum of transfers"],
            row["Difference"]
          ]),
          Printed.expected(one).totals
        )
        const counts = rowsOf(sheets, "Summary").filter((row) => typeof row["Deposits"] === "number")
        assert.deepStrictEqual(
          counts.map((row) => [row["What"], row["Outcomes"], row["Deposits"], row["Transfers"]]),
          one.counts.flatMap(({ code, deposits, ofOtherDays, outcomes, transfers }) => [
            [code, outcomes, deposits, transfers],
            ...(ofOtherDays === undefined
              ? []
              : [[code, ofOtherDays.outcomes, ofOtherDays.deposits, ofOtherDays.transfers]])
          ])
        )
        const breaks = one.outcomes.filter(({ code, outcome }) =>
          outcome === "discrepancy" || outcome === "undetermined" || code === "bad-record"
        )
        const rows = rowsOf(sheets, "Breaks")
        assert.sameMembers(rows.map((row) => row["Outcome"]), breaks.map(({ id }) => id))
        for (const row of rows.filter((row) => row["Difference"] !== null)) {
          assert.strictEqual(Recount.total([String(row["Missing"]), String(row["Too much"])]), row["Difference"])
        }
      }
    }))

  it.effect("gives back whatever strangers write as text, on one line, and has no formula", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= 10; seed++) {
        const one = Hostile.report(report, Generator.make(seed))
        const rows = rowsOf(yield* read(Xlsx.parts(one)), "All entries")
        const found = rows.filter((row) => row["Amount"] !== null)
          .map((row) => ["Id", "Account", "Memo", "Address"].map((title) => row[title] ?? ""))
        const expected = entriesOf(one).map(({ account = "", address = "", id, memo = "" }) =>
          [id, account, memo, address].map(Text.plain)
        )
        const sorted = (lines: ReadonlyArray<ReadonlyArray<unknown>>) =>
          lines.map((line) => JSON.stringify(line)).toSorted()
        assert.deepStrictEqual(sorted(found), sorted(expected))
        for (const [name, xml] of filesOf(Xlsx.parts(one))) {
          assert.notMatch(xml, /<f[ >/]/, name)
          assert.notMatch(xml, /[^\P{Cc}\n]|[\uFFFE\uFFFF\u202E]/u, name)
        }
      }
    }))

  it.effect("says what to do about each break, and of a recorded run the command to copy", () =>
    Effect.gen(function*() {
      const kept = { ...report, identity: { ...report.identity, run: "r3f2a00112233" } }
      const rows = rowsOf(yield* read(Xlsx.parts(kept)), "Breaks").filter((row) => row["Kind"] !== "set-aside")
      assert.isAbove(rows.length, 0)
      for (const row of rows) {
        assert.isString(row["To do"])
        assert.strictEqual(row["Command"], `tallystick show ${String(row["Outcome"])}`)
      }
      const others = rowsOf(yield* read(Xlsx.parts(report)), "Breaks")
      assert.isTrue(others.every((row) => row["Command"] === null))
    }))

  it.effect("keeps what looks like an escape of its own, and cuts what no cell can hold, and says so", () =>
    Effect.gen(function*() {
      const given = ["_x0041_", "a_x000D_b", "\uFFFE<&>\"'", "=1+1", "x".repeat(40_000), " spaced ", "_x_"]
      const table = Tables.table(
        "Texts",
        [{ title: "Text", kind: "text", width: 10, cell: (text: string) => text }],
        given
      )
      const sheets = yield* read(Workbook.parts({ title: "", made: null, tables: [table] }))
      const found = rowsOf(sheets, "Texts").map((row) => String(row["Text"]))
      assert.deepStrictEqual(
        found.toSpliced(4, 1),
        given.toSpliced(4, 1).map((text) => text.replace("\uFFFE", "\uFFFD"))
      )
      assert.lengthOf(found[4] ?? "", 32_767)
      assert.match(found[4] ?? "", /^x{30000}x* … \(cut here; the JSON report has all of it\)$/)
    }))

  it.effect("shows dates as a clock in the zone does, beside the exact time, also where the clocks change", () =>
    Effect.gen(function*() {
      const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
      const at = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30), Date.UTC(2026, 6, 1, 12, 0, 0, 250)]
      const outcomes = report.outcomes.slice(0, 3).map((outcome, index) =>
        Object.assign({}, outcome, {
          deposits: outcome.deposits.map((entry) => Object.assign({}, entry, { at: at[index] ?? 0 })),
          transfers: []
        })
      )
      const rows = rowsOf(yield* read(Xlsx.parts({ ...report, outcomes }, { zone })), "All entries")
      const shown = rows.map((row) => {
        const date = row["Time (Europe/Berlin)"]
        return [date instanceof Date ? date.toISOString().slice(0, 16) : date, row["Time, exact"]]
      })
      assert.includeDeepMembers(shown, [
        ["2026-10-25T02:30", "2026-10-25 02:30:00.000+02:00"],
        ["2026-10-25T02:30", "2026-10-25 02:30:00.000+01:00"]
      ])
      assert.strictEqual(Cell.write("A1", "date", Number.MAX_SAFE_INTEGER), "")
    }))

  it.effect("keeps its header in view, and can be filtered by every column", () =>
    Effect.gen(function*() {
      for (const { sheet } of (yield* read(Xlsx.parts(report))).values()) {
        assert.deepStrictEqual(sheet.freezePane, { rows: 1 })
        assert.match(sheet.autoFilter?.range ?? "", new RegExp(`^A1:[A-Z]+${sheet.rows.length}$`))
      }
    }))

  it("is the same, byte by byte, in whichever zone the program runs", () => {
    const before = process.env["TZ"]
    const written = ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"].map((zone) => {
      process.env["TZ"] = zone
      return bytesOf(Xlsx.parts(report)).toString()
    })
    if (before === undefined) delete process.env["TZ"]
    else process.env["TZ"] = before
    assert.strictEqual(new Set(written).size, 1)
  })

  it.effect("goes on in another sheet where one is full, with its header", () =>
    Effect.gen(function*() {
      const table = Tables.table(
        "Numbers",
        [{ title: "N", kind: "count", width: 10, cell: (number: number) => number }],
        Array.from({ length: 10 }, (_, index) => index)
      )
      const of = (limits: Tables.Limits) => read(Workbook.parts({ title: "", made: null, tables: [table] }, limits))
      const sheets = yield* of({ ...Tables.LIMITS, rows: 5 })
      assert.deepStrictEqual(
        Array.from(sheets, ([name, { rows }]) => [name, ...rows.map((row) => row["N"])]),
        [["Numbers", 0, 1, 2, 3], ["Numbers (2)", 4, 5, 6, 7], ["Numbers (3)", 8, 9]]
      )
      const byText = yield* of({ ...Tables.LIMITS, characters: 700 })
      assert.isAbove(byText.size, 1)
      assert.deepStrictEqual(
        Array.from(byText.values()).flatMap(({ rows }) => rows.map((row) => row["N"])),
        Array.from({ length: 10 }, (_, index) => index)
      )
      assert.strictEqual(Tables.LIMITS.rows, 1_048_576)
    }))

  it.effect("has the roll-forward of the books, line by line as the CSV has it", () =>
    Effect.gen(function*() {
      const one = { ...report, books: BookSample.valued }
      const rows = rowsOf(yield* read(Xlsx.parts(one)), "Roll-forward")
      const csv = Array.from(Csv.parts(one)).filter((line) => line.startsWith("roll-forward,"))
      assert.isAbove(csv.length, 0)
      assert.strictEqual(rows.length, csv.length)
      for (const [index, row] of rows.entries()) {
        for (const title of ["Side", "Asset", "State", "Entries", "Sum"]) {
          assert.include((csv[index] ?? "").trim().split(","), String(row[title]), title)
        }
      }
    }))

  it.effect("says what it leaves out where only some outcomes are asked for", () =>
    Effect.gen(function*() {
      const sheets = yield* read(Xlsx.parts(report, { only: Extract.withoutMatches }))
      assert.isFalse(sheets.has("All entries"))
      assert.isTrue(rowsOf(sheets, "Entries").every((row) => row["Outcome"] !== "matched"))
      const left = rowsOf(sheets, "Summary").find((row) => row["What"] === "Left out")
      assert.strictEqual(left?.["Facts"], "3 matches; totals and counts include them")
    }))
})
