/** What each format of a report shows of the books' worth is what the history of the entries comes to at both prices, computed apart. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { kept, rows, sandbox } from "./support/Books.ts"
import { historyOf, type Row, text, units, waiting } from "./support/EntryHistory.ts"

/** Cents by asset. */
type Cents = ReadonlyMap<string, bigint>

interface ByHand {
  /** `deposit BTC open revaluation: -1.25`, a line each that is not zero. */
  readonly lines: ReadonlyArray<string>
  /** `deposit open revaluation: -1.25`, of all assets together. */
  readonly totals: ReadonlyArray<string>
  readonly lacking: ReadonlyArray<string>
}

const settled: Readonly<Record<string, string>> = { matched: "matched", decided: "decided", out: "set out" }

const recomputed = (history: ReadonlyArray<Row>, execution: number, now: Cents, former: Cents): ByHand => {
  const entries = Array.from(Map.groupBy(history, ({ id, side }) => `${side} ${id}`).values(), (rows) => {
    const known = rows.findLast((row) => row.execution < execution)
    const told = rows.findLast((row) => row.execution <= execution)
    return { before: waiting(known), after: waiting(told), known, told }
  })
  const carried = new Set(entries.flatMap(({ before }) => before === undefined ? [] : [before.asset]))
  const assets = new Set([...carried, ...entries.flatMap(({ after }) => after === undefined ? [] : [after.asset])])
  const lacking = Array.from(assets).filter((asset) => !now.has(asset) || (carried.has(asset) && !former.has(asset)))
  const [lines, totals] = [new Map<string, bigint>(), new Map<string, bigint>()]
  const add = ({ amount, asset, side, state }: Row, name: string, cents: bigint): void => {
    if (lacking.includes(asset)) return
    const worth = units(amount) * cents / 100n
    for (
      const [sums, key] of [[lines, `${side} ${asset} ${state} ${name}`], [totals, `${side} ${state} ${name}`]] as const
    ) {
      sums.set(key, (sums.get(key) ?? 0n) + worth)
    }
  }
  for (const { after, before, known, told } of entries) {
    if (before !== undefined) {
      const [old, price] = [former.get(before.asset) ?? 0n, now.get(before.asset) ?? 0n]
      add(before, "brought forward", old)
      add(before, "revaluation", price - old)
      if (after === undefined) add(before, settled[told?.state ?? ""] ?? "lost", price)
      else if (after.state !== before.state) {
        add(before, "moved", -price)
        add(after, "moved", price)
      }
    }
    if (after !== undefined) {
      const price = now.get(after.asset) ?? 0n
      add(after, "carried forward", price)
      if (before === undefined) add(after, known === undefined ? "new" : "reopened", price)
    }
  }
  const written = (sums: ReadonlyMap<string, bigint>) =>
    Array.from(sums).filter(([, sum]) => sum !== 0n).map(([key, sum]) => `${key}: ${text(sum)}`).toSorted()
  return { lines: written(lines), totals: written(totals), lacking: lacking.toSorted() }
}

type Cells = ReadonlyArray<string>

/** Writes what a table shows, apart for all assets and for each. */
const shown = (rows: ReadonlyArray<Cells>): Pick<ByHand, "lines" | "totals"> => {
  const all = rows.flatMap(([asset = "", state = "", label = "", ...worths]) =>
    (label === "carried, unchanged" ? ["brought forward", "carried forward"] : [label.replace(/^less /, "")]).flatMap(
      (name) =>
        (["deposit", "transfer"] as const).map((side, place) => ({
          isTotal: asset === "all assets with prices",
          worth: worths[place] ?? "",
          key: `${side} ${asset === "all assets with prices" ? "" : `${asset} `}${state} ${name}`
        }))
    )
  ).filter(({ worth }) => worth !== "0")
  const written = (isTotal: boolean) =>
    all.filter((one) => one.isTotal === isTotal).map(({ key, worth }) => `${key}: ${worth}`).toSorted()
  return { lines: written(false), totals: written(true) }
}

const named = (text: string): ReadonlyArray<string> =>
  (/No worth is stated of (.*?), and no sum holds/.exec(text.replaceAll("\n", " "))?.[1] ?? "").split(/, | and /)
    .filter((name) => name !== "").toSorted()

const decodeBooks = Schema.decodeUnknownSync(Schema.Struct({ books: Report.Books }))

const words = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const inData = (document: unknown): ByHand => {
  const { worth } = decodeBooks(document).books
  const { lacking, lines, totals } = worth ?? assert.fail("the books have a worth")
  const written = (place: string, worths: object) =>
    Object.entries(worths).filter(([, text]) => text !== "0").map(([name, text]) => `${place} ${words(name)}: ${text}`)
  return {
    lines: lines.flatMap(({ asset, side, state, ...worths }) =>
      written(`${side} ${asset} ${state}`, Struct.omit(worths, ["price", "priceBefore"]))
    ).toSorted(),
    totals: totals.flatMap(({ side, state, ...worths }) => written(`${side} ${state}`, worths)).toSorted(),
    lacking: lacking.toSorted()
  }
}

const decodeLine = Schema.decodeUnknownSync(Schema.Struct({ summary: Schema.Unknown }))

const decodeFacts = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ summary: Schema.Unknown })))

const readers: Readonly<Record<string, (text: string) => Partial<ByHand>>> = {
  table: (text) => {
    let place: Cells = []
    const [worth = ""] = /^worth in USD [^]*?\n\n/m.exec(text) ?? []
    const rows = worth.split("\n").flatMap((line): ReadonlyArray<Cells> => {
      const title = /^(.+), (open|pending|undetermined)$/.exec(line)
      if (title !== null) place = title.slice(1)
      const row = /^  (\D+?) +(-?[\d.]+) +(-?[\d.]+)$/.exec(line)
      return row === null ? [] : [[...place, ...row.slice(1)]]
    })
    return { ...shown(rows), lacking: named(worth) }
  },
  markdown: (text) => {
    const [books = ""] = /^## Books\n[^]*?\n## /m.exec(text) ?? []
    const rows = books.split("\n").flatMap((line): ReadonlyArray<Cells> => {
      const [title = "", ...cells] = line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("\\", ""))
      const place = /^(.+), (open|pending|undetermined)$/.exec(title)
      return place === null || cells.length !== 3 ? [] : [[...place.slice(1), ...cells]]
    })
    return { ...shown(rows), lacking: named(books) }
  },
  csv: (text) => {
    const [names = [], ...lines] = text.trim().split("\r\n").map((line) => line.split(","))
    const cell = (cells: Cells, name: string): string => cells[names.indexOf(name)] ?? ""
    return {
      lines: lines.filter((cells) => cells[0] === "roll-forward" && !["", "0"].includes(cell(cells, "worth"))).map(
        (cells) =>
          `${cell(cells, "side")} ${cell(cells, "asset")} ${cell(cells, "code")} ${
            cell(cells, "totals_line").replaceAll("-", " ")
          }: ${cell(cells, "worth")}`
      ).toSorted()
    }
  },
  json: (text) => inData(JSON.parse(text)),
  ndjson: (text) => inData(decodeLine(rows(text).at(-1)).summary),
  html: (text) => inData(decodeFacts(/data-part="facts">([^]*?)<\/script>/.exec(text)?.[1] ?? "").summary)
}

it.layer(sandbox, { excludeTestServices: true })("a report of the books with prices", (it) => {
  it.effect("shows in every format the worth that the history of the entries comes to, and names what lacks a price", () =>
    Effect.gen(function*() {
      const { at, book, listed, put, run } = yield* kept
      const priced = Effect.fnUntraced(function*(format: string, cents: Cents) {
        const list = Object.fromEntries(
          Array.from(cents, ([asset, price]) => [asset, `${price / 100n}.${String(price % 100n).padStart(2, "0")}`])
        )
        const prices = yield* put("prices.json", JSON.stringify(list))
        const { exitCode, stderr, stdout } = yield* book("--format", format, "--prices", prices, "--prices-in", "USD")
        assert.strictEqual(exitCode, 1, stderr)
        const found = readers[format]?.(stdout) ?? {}
        return { found, number: Number(/by execution (\d+)/.exec(stderr)?.[1]) }
      })
      const all = new Set(["BTC", "ETH", "USDT", "TRX", "SOL", "BNB", "XRP", "USDC", "DOGE", "LTC"])
      let former: Cents = new Map(Array.from(all, (asset, place) => [asset, 101n + BigInt(place)]))
      const first = yield* priced("json", former)
      const history = historyOf(at("books.db"))
      assert.deepStrictEqual(first.found, recomputed(history, first.number, former, new Map()))
      const waits = Array.from(new Set(history.map(({ asset }) => asset)))
      assert.isAbove(waits.length, 2)
      const { entries: [entry] } = (yield* listed).find(({ code }) => code === "missing-transfer") ??
        assert.fail("nothing is missing")
      // Before each report somebody decides, or takes that back, and prices change; of one asset there is none.
      for (const [index, format] of Object.keys(readers).entries()) {
        const why = ["--words", "a test of ours"]
        yield* run(
          index % 2 === 0 ? ["decide", "exclude", entry?.id ?? "", "--reason", "test", ...why] : ["undo", ...why]
        )
        const lacks = index === 0 ? undefined : waits[index % waits.length]
        const now: Cents = new Map(
          Array.from(all).filter((asset) => asset !== lacks).map((
            asset,
            place
          ) => [asset, 90n + BigInt(index * 7 + place)])
        )
        const { found, number } = yield* priced(format, now)
        const byHand = recomputed(historyOf(at("books.db")), number, now, former)
        assert.isTrue(byHand.lines.some((line) => line.includes(" revaluation: ")))
        assert.strictEqual(byHand.lacking.length > 0, index > 0)
        assert.deepStrictEqual({ ...byHand, ...found }, byHand, format)
        former = now
      }
    }))

  it.effect("is shown again with the prices and the currency that the books keep, and with others where they are given", () =>
    Effect.gen(function*() {
      const { book, put, run } = yield* kept
      const worth = (text: string) => /^Worth .*$/m.exec(text)?.[0] ?? ""
      const list = (price: string) =>
        JSON.stringify(
          Object.fromEntries(["BTC", "ETH", "USDT", "TRX", "SOL", "BNB", "XRP"].map((name) => [name, price]))
        )
      const prices = yield* put("prices.json", list("2"))
      const made = yield* book("--prices", prices, "--prices-in", "USD")
      const id = /recorded as run (r\w+)/.exec(made.stderr)?.[1] ?? assert.fail(made.stderr)
      assert.match(worth(made.stdout), /^Worth +[a-z ]*[\d,]+\.\d\d USD: /)
      assert.strictEqual(worth((yield* run(["show", id])).stdout), worth(made.stdout))
      const others = yield* put("others.json", list("4"))
      const shown = (yield* run(["show", id, "--prices", others])).stdout
      assert.match(worth(shown), /in the currency of the prices$/)
      assert.include((yield* run(["show", id, "--prices", others, "--prices-in", "EUR"])).stdout, " EUR: ")
    }))

  it.effect("refuses a currency without prices, or that is no name", () =>
    Effect.gen(function*() {
      const { book, put } = yield* kept
      const prices = yield* put("prices.json", "{\"BTC\": \"1\"}")
      const refused = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
        const { exitCode, stderr } = yield* book(...args)
        assert.strictEqual(exitCode, 2)
        return stderr
      })
      assert.include(yield* refused("--prices-in", "USD"), "--prices-in names the currency of --prices: give both")
      assert.include(yield* refused("--prices", prices, "--prices-in", "US dollars"), "--prices-in is \"US dollars\"")
    }))
})
