/** What a report says of the books that the run brought forward. */
import { assert, describe, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as BookSample from "../../reconcile/test/bookSample.ts"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Csv from "../src/Csv.ts"
import * as Json from "../src/Json.ts"
import * as Markdown from "../src/Markdown.ts"
import * as Masking from "../src/Masking.ts"
import * as Table from "../src/Table.ts"

const report: Report.Report = { ...Sample.report(), asOf: BookSample.AS_OF, books: BookSample.books }

const valued: Report.Report = { ...report, books: BookSample.valued }

const sentences = [
  "Execution 12 brought the books forward, and the ledger ends with it:",
  "2 entries wait that did not wait before.",
  "2 entries that waited are settled: 1 matched (exact) and 1 out (gone).",
  "1,202 entries in 1,100 items go on waiting."
]

describe("a report of the books", () => {
  it("tells apart what is new, what was settled and by what, and what goes on waiting", () => {
    const table = Table.render(report, { width: 200 })
    const markdown = Markdown.render(report)
    for (const sentence of sentences) {
      assert.include(table, sentence)
      assert.include(markdown, sentence)
    }
    assert.isBelow(table.indexOf("BOOKS"), table.indexOf("TOTALS"))
    assert.isBelow(markdown.indexOf("## Books"), markdown.indexOf("## Control totals"))
  })

  it("shows the roll-forward with both sides beside each other, and what did not change in one row", () => {
    assert.include(
      Table.render(report, { width: 200 }),
      `                      deposits      sum  transfers  sum
USDT, open
  brought forward        1,200  1500.5           3    7
  new                        2     3             0    0
  restated                   0    -0.5           0    0
  less matched               1     1.25          0    0
  less set out               1    10             0    0
  carried forward        1,200  1491.75          3    7
<b>|*x*, pending
  carried, unchanged         1     4             0    0
`
    )
    assert.include(Markdown.render(report), "| USDT | open | less matched | 1 | 1.25 | 0 | 0 |")
  })

  it("names the items that wait longest, with their age, and says how many more there are", () => {
    const table = Table.render(report, { width: 200, limit: 2 })
    assert.match(
      table,
      /i0000000000000000 +2 d +missing-transfer +deposit 1\.5 USDT sub00001 sub00001-4711 and 4 more\n/
    )
    assert.match(table, /i0000000000000001 .* in-flight \(pending\) /)
    assert.include(table, "… and 1,098 more items that go on waiting; tallystick open lists all\n")
    assert.include(Markdown.render(report), "… and 1,080 more items that go on waiting; tallystick open lists all\n")
  })

  it("shows what strangers wrote as text", () => {
    const markdown = Markdown.render(report)
    assert.include(markdown, "| `<b>`&#124;`*x*` | pending |")
    assert.notInclude(markdown, "\u202e")
    assert.notInclude(Table.render(report), "\u202e")
  })

  it("comes first in the CSV, as rows that stand in no line of the control totals", () => {
    const [names = "", first = "", ...lines] = Array.from(Csv.parts(report, { byteOrderMark: false }))
    assert.match(names, /,entries\r\n$/)
    assert.match(first, /^roll-forward,open,+deposit,,USDT,1500\.5,.*,brought-forward,.*,1200\r\n$/)
    const own = lines.filter((line) => line.startsWith("roll-forward,"))
    assert.lengthOf(own, 9)
    assert.deepStrictEqual(lines.slice(0, own.length), own)
    const without = Array.from(Csv.parts({ ...Sample.report(), asOf: report.asOf }, { byteOrderMark: false }))
    assert.deepStrictEqual(lines.slice(own.length).map((line) => line.replace(/,\r\n$/, "\r\n")), without.slice(1))
  })

  it("shows what the roll-forward is worth with its revaluation, and names the assets of which it states none", () => {
    assert.include(
      Table.render(valued, { width: 200 }),
      `worth in USD       deposits  transfers
USDT, open
  brought forward  1500.5          7
  revaluation      -750.25        -3.5
  new                 1.5          0
  restated           -0.25         0
  less matched        0.625        0
  less set out        5            0
  carried forward   745.875        3.5
Worth is at the prices of this execution; what was brought forward is at those of the execution before, and the revaluation is the difference.
No worth is stated of <b>|*x*, and no sum holds it: this execution has no price in USD of it,`
    )
    const markdown = Markdown.render(valued)
    assert.include(markdown, "| Worth in USD | Line | Deposits | Transfers |")
    assert.include(markdown, "| USDT, open | revaluation | -750.25 | -3.5 |")
    assert.include(markdown, "No worth is stated of `<b>`")
    assert.notInclude(markdown, "\u202e")
  })

  it("puts all assets together first where several have a worth, and shows what did not change in one row", () => {
    const worth = BookSample.valued.worth ?? assert.fail("the sample has a worth")
    const { lines: [line] } = worth
    const same = {
      ...line ?? assert.fail("the sample has a line"),
      asset: "BTC",
      priceBefore: "2",
      price: "2",
      broughtForward: "6",
      revaluation: "0",
      new: "0",
      restated: "0",
      matched: "0",
      setOut: "0",
      carriedForward: "6"
    }
    const books = { ...BookSample.valued, worth: { ...worth, lines: [...worth.lines, same] } }
    const table = Table.render({ ...report, books }, { width: 200 })
    assert.match(table, /transfers\nall assets with prices, open\n {2}brought forward/)
    assert.match(table, /\nBTC, open\n {2}carried, unchanged +6 +0\n/)
  })

  it("says in the CSV at which price each line is taken, and gives the revaluation a row of its own", () => {
    const [names = "", ...lines] = Array.from(Csv.parts(valued, { byteOrderMark: false }))
    const place = (name: string): number => names.trim().split(",").indexOf(name)
    const shown = lines.filter((line) => /^roll-forward,open,+deposit,/.test(line)).map((line) => {
      const cells = line.trim().split(",")
      return ["totals_line", "amount", "price", "worth", "entries"].map((name) => cells[place(name)]).join(" ")
    })
    assert.deepStrictEqual(shown, [
      "brought-forward 1500.5 1 1500.5 1200",
      "revaluation 0  -750.25 0",
      "new 3 0.5 1.5 2",
      "restated -0.5 0.5 -0.25 0",
      "matched 1.25 0.5 0.625 1",
      "set-out 10 0.5 5 1",
      "carried-forward 1491.75 0.5 745.875 1200"
    ])
    const pending = lines.find((line) => line.startsWith("roll-forward,pending,"))?.split(",") ?? []
    assert.deepStrictEqual([pending[place("price")], pending[place("worth")]], ["", ""])
  })

  it.each([["without", BookSample.books], ["with", BookSample.valued]])(
    "is read back from JSON as it was, %s a worth",
    (_, books) => {
      const read = Schema.decodeSync(Schema.fromJsonString(Report.Report))(Json.render({ ...report, books }))
      assert.deepStrictEqual(read.books, books)
    }
  )

  it("names no account where accounts are masked, and tells the same numbers", () => {
    const { books } = Masking.report(report, { ...Sample.accounts, list: ["sub00001"] })
    assert.notInclude(JSON.stringify(books), "sub00001")
    assert.notInclude(JSON.stringify(books), "-account\"")
    assert.deepStrictEqual(books?.rollForward, BookSample.books.rollForward)
    const [first] = books?.carried.oldest ?? []
    assert.deepStrictEqual(first?.entries, [
      { side: "deposit", id: "account-1-4711", asset: "USDT", amount: "1.5", account: "account-1" }
    ])
  })
})
