import { assert, describe, it } from "@effect/vitest"
import * as FailOn from "@tallystick/cli/flags/FailOn"
import * as Extract from "@tallystick/reconcile/Extract"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, type Options, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const row = (id: string, amount: string, asset: string, at: number): string =>
  `${JSON.stringify({ id, asset, amount, at, account: "sub00001" })}\n`

const deposits = [
  row("d1", "10.5", "USDT", AT),
  row("d2", "20", "USDT", AT + HOUR),
  row("d3", "0.5", "BTC", AT + 2 * HOUR),
  row("d4", "1000", "ADA", AT + 3 * HOUR)
]

const readExtract = Schema.decodeSync(Schema.fromJsonString(Extract.Extract))
const read = Schema.decodeSync(Schema.fromJsonString(Report.Report))

/** Two files of which three deposits were not moved, and a way to reconcile them. */
const books = Effect.gen(function*() {
  const files = yield* directory
  const left = yield* files.put("d.ndjson", deposits.join(""))
  const right = yield* files.put("t.ndjson", row("t1", "10.50", "USDT", AT + MINUTE))
  const run = Effect.fnUntraced(
    function*(deposits: string, transfers: string, args: ReadonlyArray<string>, options: Options = {}) {
      yield* TestClock.setTime(AT + 48 * HOUR)
      return yield* tallystick(["reconcile", "--deposits", deposits, "--transfers", transfers, ...args], options)
    }
  )
  const bytes = Effect.fnUntraced(function*(name: string) {
    return yield* FileSystem.FileSystem.use((fileSystem) => fileSystem.readFile(files.at(name)))
  })
  const complete = (...args: ReadonlyArray<string>) => run(left, right, ["--complete", ...args])
  return { ...files, bytes, run, complete }
})

/** The same, with a directory for reports. */
const named = Effect.gen(function*() {
  const files = yield* books
  const folder = files.at("reports")
  yield* FileSystem.FileSystem.use((fileSystem) => fileSystem.makeDirectory(folder))
  return { ...files, folder }
})

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? ""

const begins = {
  "report.json": "{\"version\":2",
  "report.ndjson": "{\"id\":",
  // Reading it as text takes the byte order mark away.
  "report.csv": "outcome,code,",
  "report.md": "# Everything that was read\n",
  "report.xlsx": "PK\u0003\u0004",
  "report.HTML": "<!doctype html>",
  "report.txt": "Everything that was read\nThe books do not agree",
  report: "Everything that was read\nThe books do not agree"
}

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("the report of tallystick reconcile", (it) => {
  it.effect("is written in the form that the name of the file asks for, unless a form is asked for", () =>
    Effect.gen(function*() {
      const { at, bytes, complete, get } = yield* books
      for (const [name, begin] of Object.entries(begins)) {
        const { exitCode, stdout } = yield* complete("--out", at(name))
        assert.strictEqual(exitCode, 1)
        assert.strictEqual(stdout, "")
        assert.isTrue((yield* get(name)).startsWith(begin), name)
      }
      assert.deepStrictEqual(Array.from((yield* bytes("report.csv")).slice(0, 4)), [0xef, 0xbb, 0xbf, 0x6f])
      yield* complete("--out", at("report.html"), "--format", "csv")
      assert.isTrue((yield* get("report.html")).startsWith(begins["report.csv"]))
      for (const [format, begin] of [["markdown", "# Ev"], ["html", "<!doctype"], ["csv", "outcome,"]] as const) {
        assert.isTrue((yield* complete("--format", format)).stdout.startsWith(begin))
      }
    }))

  it.effect("gets a name of its own in a directory, which says what it is of, and says where it went", () =>
    Effect.gen(function*() {
      const { at, complete, folder, get } = yield* named
      const day = ["--day", "2026-11-19", "--zone", "Europe/Berlin"]
      for (
        const [format, ending] of [["csv", "csv"], ["markdown", "md"], ["html", "html"], ["table", "txt"]] as const
      ) {
        const { stderr, stdout } = yield* complete(...day, "--format", format, "--out", folder)
        assert.strictEqual(stdout, "")
        const name = `reports/tallystick-2026-11-19-Europe-Berlin.${ending}`
        assert.include(stderr, `written to ${at(name)}`)
        assert.isAbove((yield* get(name)).length, 100)
      }
      const streamed = yield* complete(...day, "--format", "ndjson", "--out", folder)
      assert.include(streamed.stderr, "it is a directory")
    }))

  it.effect("is not written under the name of another kind of file, unless a form is asked for", () =>
    Effect.gen(function*() {
      const { at, complete, get, names } = yield* books
      yield* complete("--out", at("report.constructor"))
      assert.isTrue((yield* get("report.constructor")).startsWith(begins["report.txt"]))
      const before = yield* names
      for (const name of ["report.pdf", "report.XLS", "report.json.gz"]) {
        const { exitCode, stderr } = yield* complete("--out", at(name))
        assert.strictEqual(exitCode, 2, name)
        assert.include(
          stderr,
          `no report is written as .${name.split(".").at(-1)?.toLowerCase()}; let the name end in .html`
        )
      }
      assert.deepStrictEqual(yield* names, before)
      yield* complete("--out", at("report.pdf"), "--format", "table")
      assert.isTrue((yield* get("report.pdf")).startsWith(begins["report.txt"]))
    }))

  it.effect("is written as a workbook whole, also through a pipe, and not to a terminal", () =>
    Effect.gen(function*() {
      const { at, bytes, complete, run } = yield* books
      yield* complete("--out", at("report.xlsx"))
      const file = yield* bytes("report.xlsx")
      // The end of a zip, without which it is not whole.
      assert.deepStrictEqual(Array.from(file.slice(-22, -18)), [0x50, 0x4b, 5, 6])
      const piped = yield* complete("--format", "xlsx")
      assert.strictEqual(piped.stdout.slice(0, 2), "PK")
      const shown = yield* run(at("d.ndjson"), at("t.ndjson"), ["--complete", "--format", "xlsx"], {
        stdoutTerminal: true
      })
      assert.strictEqual(shown.exitCode, 2)
      assert.include(shown.stderr, "a terminal shows no xlsx: name a file with --out, or choose another --format")
    }))

  it.effect("has the most money first with --prices, from JSON and from CSV", () =>
    Effect.gen(function*() {
      const { complete, put } = yield* books
      const order = (text: string) => Array.from(text.matchAll(/^ {4}.* deposit .* (d\d)$/gm), ([, id]) => id)
      assert.deepStrictEqual(order((yield* complete()).stdout), ["d4", "d3", "d2"])
      const forms = [
        yield* put("a.json", "{\"BTC\": \"65000.12\", \"USDT\": \"1\", \"ADA\": \"0.01\"}"),
        yield* put("b.csv", "\uFEFFasset;price\r\nBTC;65000.12\r\nUSDT;1.0\r\nADA;0.01\r\n"),
        yield* put("c.json", "[{\"asset\":\"BTC\",\"price\":\"65000.12\"},{\"asset\":\"USDT\",\"price\":\"1\"}]")
      ]
      for (const form of forms) {
        const { stdout } = yield* complete("--prices", form)
        assert.deepStrictEqual(order(stdout), ["d3", "d2", "d4"])
        assert.include(stdout, "worth 32500.06, ")
      }
    }))

  it.effect("says whose books it is of and by whom, by which program and under which policy it was made, in every format", () =>
    Effect.gen(function*() {
      const { complete } = yield* books
      const args = ["--title", "Books of sub00001", "--by", "clerk"]
      const shown = yield* complete(...args)
      assert.match(shown.stdout, /^Books of sub00001: Everything that was read\n/)
      assert.match(shown.stdout, /^Policy +[0-9a-f]{16}\nMade +by clerk \(claimed\) with tallystick \d/m)
      const { identity } = read((yield* complete(...args, "--format", "json")).stdout)
      assert.deepStrictEqual(identity?.title, "Books of sub00001")
      assert.notProperty(identity, "madeAt")
      for (const format of ["markdown", "html", "ndjson"]) {
        const { stdout } = yield* complete(...args, "--format", format)
        for (const text of ["Books of sub00001", "clerk (claimed)", identity?.policy ?? "none"]) {
          assert.include(stdout.replaceAll("\\", ""), text, format)
        }
      }
      const masked = yield* complete(...args, "--mask-accounts", "--format", "json")
      assert.notInclude(masked.stdout, "sub00001")
      assert.notInclude(masked.stdout, identity?.policy ?? "none")
      assert.strictEqual((yield* complete("--title", " ")).exitCode, 2)
    }))

  it.effect("names the currency of the prices where somebody said it, and none where nobody did", () =>
    Effect.gen(function*() {
      const { complete, put } = yield* books
      const prices = yield* put("p.csv", "asset,price\nBTC,65000.12\nUSDT,1\nADA,0.01\n")
      const said = {
        table: ["32,530.06 EURX: of 3 items", "worth in EURX", "worth 32500.06 EURX"],
        markdown: ["32,530.06 EURX", "worth in EURX", "worth 32500.06 EURX"],
        csv: [",currency,", ",65000.12,32500.06,EURX,"],
        html: ["\"currency\":\"EURX\""]
      }
      for (const [format, texts] of Object.entries(said)) {
        const args = ["--prices", prices, "--format", format]
        const { stdout } = yield* complete(...args, "--prices-in", "EURX")
        for (const text of texts) assert.include(stdout, text, format)
        const unsaid = yield* complete(...args)
        assert.notInclude(unsaid.stdout, "EURX")
      }
      assert.include((yield* complete("--prices", prices)).stdout, "in the currency of the prices")
    }))

  it.effect("is not made with prices that cannot be used, and says where and why", () =>
    Effect.gen(function*() {
      const { at, complete, names, put } = yield* books
      const wanted = "Expected a price above zero as decimal text, such as \"65000.12\""
      const policy = yield* put("policy.json", "{\"assets\":{\"aliases\":[[\"USDT\",\"USDC\"]]}}")
      for (
        const [name, text, told] of [
          ["a.csv", "asset,price\nBTC,65000.12\nUSDT,1e0\n", `a.csv, line 3: price: ${wanted}`],
          ["b.csv", "asset,price\nBTC,0.00\n", `b.csv, line 2: price: ${wanted}`],
          ["c.csv", "asset,price\nBTC,1\nBTC,2\n", "c.csv, line 3: BTC has a price already"],
          ["d.csv", "coin,price\nBTC,1\n", "d.csv, line 2: "],
          ["e.json", "{\"BTC\": 65000.12}", `e.json: BTC: ${wanted}`],
          ["f.json", "{\"BTC\": \"1\",\n \"USDT\" \"1\"}", "f.json, line 2, column 9: not valid JSON"],
          ["g.json", "{}", "g.json: no price stands in it"],
          [
            "i.json",
            "{\"BTC\":\"1\",\n\"A\\\":\":\"2\",\n\"\\u0042TC\" :\"2\"}",
            "i.json, line 3, column 1: BTC stands here for the second time"
          ],
          ["h.csv", "asset,price\nUSDT,1\nUSDC,1.01\n", "h.csv: the policy calls USDT and USDC one asset"]
        ] as const
      ) {
        const before = yield* names
        const path = yield* put(name, text)
        const result = yield* complete("--prices", path, "--policy", policy, "--out", at("report.html"))
        assert.strictEqual(result.exitCode, 2, name)
        assert.include(result.stderr, told)
        assert.deepStrictEqual(yield* names, [...before, name].toSorted((a, b) => (a < b ? -1 : 1)))
      }
      const missing = yield* complete("--prices", at("absent.csv"))
      assert.strictEqual(missing.exitCode, 2)
      assert.include(missing.stderr, "absent.csv cannot be read: it does not exist")
    }))

  it.effect("says which prices are of nothing, where others lack: a name may be misspelt", () =>
    Effect.gen(function*() {
      const { complete, put } = yield* books
      const file = yield* put("p.json", "{\"btc\":\"65000.12\",\"USDT\":\"1\",\"ADA\":\"1\"}")
      const { stderr } = yield* complete("--prices", file)
      assert.include(stderr, "p.json has no price for BTC, and prices for what occurs nowhere: btc\n")
      const policy = yield* put("policy.json", "{\"assets\":{\"aliases\":[[\"BTC\",\"btc\"]]}}")
      assert.notInclude((yield* complete("--prices", file, "--policy", policy)).stderr, "nowhere")
      const more = yield* put("q.json", "{\"BTC\":\"65000.12\",\"USDT\":\"1\",\"ADA\":\"1\",\"ETH\":\"3000\"}")
      assert.notInclude((yield* complete("--prices", more)).stderr, "nowhere")
    }))

  it.effect("ends with one line for logs, the same keys in every run", () =>
    Effect.gen(function*() {
      const { complete, put, run } = yield* books
      const dirty = yield* complete("--from", "2026-11-19", "--to", "2026-11-20")
      assert.strictEqual(
        lastLine(dirty.stderr),
        "tallystick summary result=not-clean exit=1 discrepancies=3 undetermined=0 bad_records=0 unread=0 pending=0 " +
          "matched=1 of_other_days=none deposits=1/4 transfers=1/1 failing=missing-transfer:3 waived=none " +
          "range=2026-11-19T00:00:00.000Z/2026-11-20T00:00:00.000Z run=none"
      )
      const nothing = yield* put("none.ndjson", "")
      const clean = yield* run(nothing, nothing, ["--complete"])
      assert.strictEqual(clean.exitCode, 0)
      assert.strictEqual(
        lastLine(clean.stderr),
        "tallystick summary result=clean exit=0 discrepancies=0 undetermined=0 bad_records=0 unread=0 pending=0 " +
          "matched=0 of_other_days=none deposits=0/0 transfers=0/0 failing=none waived=none range=all run=none"
      )
      const unread = yield* run(nothing, nothing, ["--fail-on", "late", "--from", "2026-11-19"])
      assert.strictEqual(unread.exitCode, 3, unread.stderr)
      assert.match(
        lastLine(unread.stderr),
        / result=unread exit=3 .* range=2026-11-19T00:00:00.000Z\/[^.]\S+Z run=none$/
      )
      assert.match(lastLine(unread.stderr), / failing=unread:\d+ waived=none /)
      const keys = (line: string) => Array.from(line.matchAll(/ (\w+)=/g), ([, key]) => key)
      assert.deepStrictEqual(keys(lastLine(unread.stderr)), keys(lastLine(clean.stderr)))
    }))

  it.effect("fails on what --fail-on names and on nothing else, and says what was waived", () =>
    Effect.gen(function*() {
      const { complete } = yield* books
      for (
        const [failOn, exitCode, told] of [
          ["missing-transfer", 1, "failing=missing-transfer:3 waived=none"],
          ["discrepancy", 1, "failing=missing-transfer:3 waived=none"],
          ["late, undetermined,unread", 0, "failing=none waived=missing-transfer:3"],
          ["exact", 1, "failing=exact:1 waived=missing-transfer:3"]
        ] as const
      ) {
        const result = yield* complete("--fail-on", failOn, "--format", "json")
        assert.strictEqual(result.exitCode, exitCode, result.stderr)
        assert.include(lastLine(result.stderr), ` ${told} `)
        assert.include(result.stderr, "The books do not agree: 3 unmatched deposits.")
        assert.isFalse(read(result.stdout).clean)
      }
    }))

  it.effect("refuses a code that is none, suggests what was meant, and lists them all", () =>
    Effect.gen(function*() {
      const { complete } = yield* books
      const { exitCode, stderr, stdout } = yield* complete("--fail-on", "late,missing-transfr")
      assert.strictEqual(exitCode, 2)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^tallystick: --fail-on: "missing-transfr" is no code; did you mean missing-transfer\?\n/)
      for (const code of ["undetermined", "unread", "class-short", "out-of-flow"]) assert.include(stderr, code)
      assert.strictEqual((yield* complete("--fail-on", "")).exitCode, 2)
    }))

  it.effect("shows what --only names in every format, says what it leaves out, and judges all of it", () =>
    Effect.gen(function*() {
      const { complete } = yield* books
      for (const format of ["table", "markdown", "csv", "html", "json", "ndjson"]) {
        const all = yield* complete("--format", format)
        const { exitCode, stderr, stdout } = yield* complete("--only", "matched", "--format", format)
        assert.strictEqual(exitCode, 1)
        assert.strictEqual(stderr, all.stderr)
        assert.include(all.stdout, "d4")
        assert.notInclude(stdout.replace(/<(script|style)>.*?<\/\1>/gs, ""), "d4", format)
        assert.match(stdout, /Left out|left-out|"leftOut"/, format)
      }
      const { stdout } = yield* complete("--only", "open, undetermined", "--format", "json")
      const { carried, carries, counts } = readExtract(stdout)
      assert.deepStrictEqual(carried.map(({ code }) => code), Array.from({ length: 3 }, () => "missing-transfer"))
      assert.deepStrictEqual(carries, {
        only: ["open", "undetermined"],
        leftOut: [{ outcome: "matched", code: "exact", outcomes: 1 }]
      })
      assert.deepStrictEqual(counts, read((yield* complete("--format", "json")).stdout).counts)
      const without = readExtract((yield* complete("--without-matches", "--format", "json")).stdout)
      assert.deepStrictEqual(without.carried, carried)
    }))

  it.effect("refuses words that choose no outcomes, and both ways to choose at once", () =>
    Effect.gen(function*() {
      const { complete } = yield* books
      const wrong = yield* complete("--only", "opn")
      assert.strictEqual(wrong.exitCode, 2)
      assert.match(wrong.stderr, /^tallystick: --only: "opn" is no code; did you mean open\?\n/)
      assert.strictEqual((yield* complete("--only", "unread")).exitCode, 2)
      const both = yield* complete("--only", "open", "--without-matches")
      assert.strictEqual(both.exitCode, 2)
      assert.include(both.stderr, "--only and --without-matches both choose the outcomes: leave one of them out")
    }))
})

describe("what a run fails on", () => {
  const count = (outcome: Report.Count["outcome"], code: Report.Count["code"]): Report.Count => ({
    outcome,
    code,
    outcomes: 2,
    deposits: 1,
    transfers: 1
  })
  const counts = [
    count("matched", "exact"),
    count("discrepancy", "late"),
    count("pending", "in-flight"),
    count("undetermined", "coverage-gap"),
    count("set-aside", "bad-record"),
    count("set-aside", "excluded")
  ]
  const gap = { operation: "deposits", from: 0, to: 1, readAt: 0, state: "incomplete" } as const
  const words = (found: ReadonlyArray<FailOn.Found>) => found.map(({ count, word }) => `${word}:${count}`)

  it("is by default whatever keeps a report from being clean, and nothing else", () => {
    const { failing, waived } = FailOn.judge({ counts, unread: [gap] }, undefined)
    assert.deepStrictEqual(words(failing), ["late:2", "coverage-gap:2", "bad-record:2", "unread:1"])
    assert.deepStrictEqual(waived, [])
  })

  it("is otherwise what was asked for; of the rest, what keeps a report from being clean is waived", () => {
    const { failing, waived } = FailOn.judge({ counts, unread: [gap] }, new Set(["pending", "bad-record"] as const))
    assert.deepStrictEqual(words(failing), ["in-flight:2", "bad-record:2"])
    assert.deepStrictEqual(words(waived), ["late:2", "coverage-gap:2", "unread:1"])
  })
})
