/** The roll-forward that each format of a report shows is the one that the history of the entries comes to, computed apart. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { kept, rows, sandbox } from "./support/Books.ts"
import { historyOf, type Row, text, units, waiting } from "./support/EntryHistory.ts"

/** `BTC open deposit new: 3 1.25`, a line each that is not zero. */
const recomputed = (history: ReadonlyArray<Row>, execution: number): ReadonlyArray<string> => {
  const lines = new Map<string, { count: number; sum: bigint }>()
  const add = ({ asset, side, state }: Row, name: string, count: number, sum: bigint): void => {
    const key = `${asset} ${state} ${side} ${name}`
    const line = lines.get(key) ?? { count: 0, sum: 0n }
    lines.set(key, { count: line.count + count, sum: line.sum + sum })
  }
  for (const rows of Map.groupBy(history, ({ id, side }) => `${side} ${id}`).values()) {
    const known = rows.findLast((row) => row.execution < execution)
    const told = rows.findLast((row) => row.execution <= execution)
    const [before, after] = [waiting(known), waiting(told)]
    if (before !== undefined) add(before, "brought forward", 1, units(before.amount))
    if (after !== undefined) add(after, "carried forward", 1, units(after.amount))
    if (before !== undefined && after !== undefined) {
      add(after, "restated", 0, units(after.amount) - units(before.amount))
      if (before.state !== after.state) {
        add(before, "moved", -1, -units(before.amount))
        add(after, "moved", 1, units(before.amount))
      }
    } else if (before !== undefined) {
      const names: Readonly<Record<string, string>> = { matched: "matched", decided: "decided", out: "set out" }
      add(before, names[told?.state ?? ""] ?? "lost", 1, units(before.amount))
    } else if (after !== undefined) {
      add(after, known === undefined ? "new" : "reopened", 1, units(after.amount))
    }
  }
  return Array.from(lines).filter(([, { count, sum }]) => count !== 0 || sum !== 0n)
    .map(([key, { count, sum }]) => `${key}: ${count} ${text(sum)}`).toSorted()
}

type Cells = ReadonlyArray<string>

/** Writes what a table shows: of both sides, and where nothing changed of both ends. */
const shown = (rows: ReadonlyArray<Cells>): ReadonlyArray<string> =>
  rows.flatMap(([place = "", label = "", deposits = "", depositSum = "", transfers = "", transferSum = ""]) =>
    (label === "carried, unchanged" ? ["brought forward", "carried forward"] : [label.replace(/^less /, "")])
      .flatMap((name) => [
        [`${place} deposit ${name}`, deposits, depositSum],
        [`${place} transfer ${name}`, transfers, transferSum]
      ])
      .filter(([, count, sum]) => count !== "0" || sum !== "0")
      .map(([key, count, sum]) => `${key}: ${count?.replaceAll(",", "")} ${sum}`)
  ).toSorted()

const decodeBooks = Schema.decodeUnknownSync(Schema.Struct({ books: Report.Books }))

const inData = (document: unknown): ReadonlyArray<string> =>
  decodeBooks(document).books.rollForward.flatMap(({ asset, side, state, ...forward }) =>
    Object.entries(forward).filter(([, { count, sum }]) => count !== 0 || sum !== "0").map(([name, { count, sum }]) =>
      `${asset} ${state} ${side} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${count} ${sum}`
    )
  ).toSorted()

const decodeLine = Schema.decodeUnknownSync(Schema.Struct({ summary: Schema.Unknown }))

const decodeFacts = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ summary: Schema.Unknown })))

const readers: Readonly<Record<string, (text: string) => ReadonlyArray<string>>> = {
  table: (text) => {
    let place = ""
    const [books = ""] = /^BOOKS\n[^]*?\nThe books are of all days/m.exec(text) ?? []
    return shown(
      books.split("\n").flatMap((line): ReadonlyArray<Cells> => {
        const title = /^(\S+), (open|pending|undetermined)$/.exec(line)
        if (title !== null) place = `${title[1]} ${title[2]}`
        const row = /^  (\D+?) +(-?[\d,]+) +(-?[\d.]+) +(-?[\d,]+) +(-?[\d.]+)$/.exec(line)
        return row === null ? [] : [[place, ...row.slice(1)]]
      })
    )
  },
  markdown: (text) =>
    shown(
      (/^## Books\n[^]*?\n## /m.exec(text)?.[0] ?? "").split("\n").flatMap((line): ReadonlyArray<Cells> => {
        const [asset = "", state = "", ...cells] = line.split("|").slice(1, -1).map((cell) =>
          cell.trim().replaceAll("\\", "")
        )
        return cells.length === 5 && /^-?[\d,]+$/.test(cells[1] ?? "") ? [[`${asset} ${state}`, ...cells]] : []
      })
    ),
  csv: (text) => {
    const [names = [], ...lines] = text.trim().split("\r\n").map((line) => line.split(","))
    const cell = (cells: Cells, name: string): string => cells[names.indexOf(name)] ?? ""
    return lines.filter((cells) => cells[0] === "roll-forward" && cell(cells, "totals_line") !== "revaluation").map((
      cells
    ) =>
      `${cell(cells, "asset")} ${cell(cells, "code")} ${cell(cells, "side")} ${
        cell(cells, "totals_line").replaceAll("-", " ")
      }: ${cell(cells, "entries")} ${cell(cells, "amount")}`
    ).toSorted()
  },
  json: (text) => inData(JSON.parse(text)),
  ndjson: (text) => inData(decodeLine(rows(text).at(-1)).summary),
  html: (text) => inData(decodeFacts(/data-part="facts">([^]*?)<\/script>/.exec(text)?.[1] ?? "").summary)
}

it.layer(sandbox, { excludeTestServices: true })("a report of the books", (it) => {
  it.effect("shows in every format the roll-forward that the history of the entries comes to", () =>
    Effect.gen(function*() {
      const { at, book, listed, run } = yield* kept
      const checked = Effect.fnUntraced(function*(format: string) {
        const { exitCode, stderr, stdout } = yield* book("--format", format)
        assert.strictEqual(exitCode, 1, stderr)
        const execution = Number(/by execution (\d+)/.exec(stderr)?.[1])
        const history = historyOf(at("books.db"))
        const found = readers[format]?.(stdout) ?? []
        assert.deepStrictEqual(found, recomputed(history, execution), format)
        return found
      })
      assert.isTrue((yield* checked("json")).some((line) => line.includes(" new: ")))
      const items = yield* listed
      const { entries: [entry] } = items.find(({ code }) => code === "missing-transfer") ??
        assert.fail("nothing is missing")
      // Before each report somebody decides, or takes that back, so that each has something to tell.
      for (const [index, format] of Object.keys(readers).entries()) {
        const words = ["--words", "a test of ours"]
        const isOut = index % 2 === 0
        yield* run(isOut ? ["decide", "exclude", entry?.id ?? "", "--reason", "test", ...words] : ["undo", ...words])
        const lines = yield* checked(format)
        assert.lengthOf(lines.filter((line) => line.includes(isOut ? " set out: 1 " : " reopened: 1 ")), 1, format)
      }
    }))
})
