import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Text from "@tallystick/report/text/Text"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Parser from "effect/encoding/Csv"
import * as Stream from "effect/Stream"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Hostile from "../../reconcile/test/support/Hostile.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Samples from "../../reconcile/test/support/Samples.ts"

const render = (report: Report.Report, options?: Csv.Options): string => Array.from(Csv.parts(report, options)).join("")

const rowsOf = (report: Report.Report, options?: Csv.Options) =>
  Stream.make(render(report, options)).pipe(
    Stream.pipeThroughChannel(Parser.decodeString({ headers: true })),
    Stream.runCollect
  )

/** What the documentation says gives a text back. */
const given = (cell = ""): string => cell.replace(/(^|;)'/g, "$1")

const texts = ["id", "asset", "account", "reference", "network", "address", "memo", "from", "to"] as const
const names = ["side", "amount", "at_ms", "status", ...texts]

const expected = (entry: Entry.Entry): Readonly<Record<string, string>> => ({
  side: entry.side,
  amount: entry.amount,
  at_ms: String(entry.at),
  status: entry.status,
  ...Object.fromEntries(texts.map((key) => [key, Text.plain(entry[key] ?? "")]))
})

const report = Sample.report()

describe("the CSV report", () => {
  it.effect("has a row for each entry and each bad record, and gives back what stands in it", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= 40; seed++) {
        const random = Generator.make(seed)
        const one = seed === 1 ? report : Hostile.report(report, random)
        const rows = yield* rowsOf(one)
        const entries = one.outcomes.flatMap(({ deposits, transfers }) => [...deposits, ...transfers])
        const key = (value: Readonly<Record<string, string>>) => names.map((name) => value[name]).join("\u0000")
        const found = rows.filter(({ amount }) => amount !== "").map((row) =>
          Object.fromEntries(names.map((name) => [name, given(row[name])]))
        )
        assert.deepStrictEqual(found.map(key).toSorted(), entries.map(expected).map(key).toSorted())
        const bad = one.outcomes.flatMap(({ bad }) => bad === undefined ? [] : [Text.plain(bad.raw)])
        assert.deepStrictEqual(rows.filter(({ code }) => code === "bad-record").map(({ raw }) => given(raw)), bad)
      }
    }))

  it.effect("names the other asset where two only look alike, and what is too much of it", () =>
    Effect.gen(function*() {
      const policy = Run.policy()
      const alike = Report.make({
        policy,
        coverage: Run.complete,
        accounts: { list: [], complete: true },
        ...Run.match(Samples.samples["asset-mismatch"])
      })
      const [row] = yield* rowsOf(alike)
      assert.deepStrictEqual(
        ["missing", "excess", "other_excess", "other_asset", "difference_bound"].map((name) => row?.[name]),
        ["1", "0", "1", "USDT-TRX", "at most"]
      )
    }))

  it.effect("starts no formula in any cell, also where a spreadsheet splits at semicolons", () =>
    Effect.gen(function*() {
      const formula = /^[\s"]*[=+\-@＝＋－＠﹢﹣﹦﹫]/
      const number = /^-?\d+(?:\.\d+)?$/
      for (let seed = 1; seed <= 40; seed++) {
        const one = Hostile.report(report, Generator.make(seed))
        const cells = (yield* rowsOf(one)).flatMap((row) => Object.entries(row))
        for (const [name, cell] of cells) {
          const isNumber = ["lag_ms", "residual"].includes(name) && number.test(cell)
          assert.isTrue(isNumber || !formula.test(cell), `${name}: ${cell}`)
        }
        for (const line of render(one).split("\r\n").slice(1)) {
          for (const cell of line.split(";").slice(1)) assert.notMatch(cell, formula)
        }
      }
    }))

  it.effect("does not set off what is missing against what is too much, so that a bound holds for each number", () =>
    Effect.gen(function*() {
      const of = (name: string, amounts: ReadonlyArray<string>, make: typeof Run.deposit) =>
        amounts.map((amount, index) => make(`${name}${index}`, index, { amount }))
      const outcome: Outcome.Outcome = {
        id: "o1",
        outcome: "discrepancy",
        code: "ambiguous",
        final: true,
        deposits: of("d", ["100", "99"], Run.deposit),
        transfers: of("t", ["98.9", "99.1"], Run.transfer),
        lagMs: null,
        residual: null,
        explanation: "",
        candidates: []
      }
      const rows = yield* rowsOf({ ...report, outcomes: [outcome] })
      assert.deepStrictEqual(
        new Set(rows.map((row) => [row["missing"], row["excess"], row["difference"], row["difference_bound"]].join())),
        new Set(["199,198,397,at most"])
      )
    }))

  it.effect("says what to do about a break, and of a recorded run the command to copy; of nothing else", () =>
    Effect.gen(function*() {
      const kept = { ...report, identity: { ...report.identity, run: "r3f2a00112233" } }
      const rows = yield* rowsOf(kept)
      const settled = new Set(["matched", "set-aside"])
      assert.isAbove(rows.filter(({ outcome = "" }) => !settled.has(outcome)).length, 0)
      for (const row of rows) {
        const isBreak = !settled.has(row["outcome"] ?? "")
        assert.strictEqual(row["advice"] !== "", isBreak, row["code"])
        const isCommanded = isBreak && row["outcome"] !== "pending"
        assert.strictEqual(row["command"], isCommanded ? `tallystick show ${row["outcome_id"]}` : "")
      }
      assert.isTrue(
        (yield* rowsOf(report)).every(({ advice, command, outcome = "" }) =>
          command === "" && (advice !== "") !== settled.has(outcome)
        )
      )
    }))

  it("is on lines that end in CRLF, behind a byte order mark, as wide as its header", () => {
    const text = render(Hostile.report(report, Generator.make(3)))
    assert.isTrue(text.startsWith("\uFEFFoutcome,code,outcome_id,"))
    assert.isTrue(text.endsWith("\r\n"))
    assert.notMatch(text.replaceAll("\r\n", ""), /[\r\n\p{Cc}\u202e\u200b]/u)
  })

  it.effect("puts what needs attention first, and most money before the rest", () =>
    Effect.gen(function*() {
      const rows = yield* rowsOf(report, { prices: new Map([["USDT", "1.5"]]) })
      const kinds = rows.map(({ outcome }) => outcome)
      assert.deepStrictEqual(Array.from(new Set(kinds)), [
        "discrepancy",
        "pending",
        "set-aside",
        "matched"
      ])
      assert.deepInclude(rows[0], { code: "missing-deposit", amount: "88", price: "1.5", worth: "132" })
      const breaks = rows.filter(({ outcome }) => outcome === "discrepancy").map(({ code }) => code)
      assert.deepStrictEqual(Array.from(new Set(breaks)), [
        "missing-deposit",
        "amount-mismatch",
        "missing-transfer",
        "class-short"
      ])
      const precise = rows.find(({ id }) => id === "d-missing")
      assert.deepInclude(precise, {
        amount: "12.345678901234567890123456789",
        worth: "18.5185183518518518351851851835"
      })
    }))

  it.effect("writes times in the zone that was asked for, and always as Unix ms", () =>
    Effect.gen(function*() {
      const [row] = yield* rowsOf(report, { zone: DateTime.zoneMakeNamedUnsafe("Europe/Berlin") })
      assert.match(row?.["at"] ?? "", /^2026-11-19 \d\d:\d\d:\d\d\.\d{3}\+01:00$/)
      assert.include(row?.["at_ms"] ?? "", "1795")
      const [utc] = yield* rowsOf(report)
      assert.match(utc?.["at"] ?? "", /^2026-11-19 \d\d:\d\d:\d\d\.\d{3}$/)
    }))

  it.effect("is a header alone without outcomes", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* rowsOf({ ...report, outcomes: [] }), [])
    }))
})
