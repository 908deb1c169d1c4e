import { assert, describe, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Lines from "@tallystick/reconcile/rows/Lines"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { vi } from "vitest"
import * as LineStream from "../src/files/LineStream.ts"
import { directory, layerFiles, layerNoNetwork, type Options, tallystick } from "./support/Run.ts"

vi.setConfig({ testTimeout: 300_000 })

const AT = Date.UTC(2026, 10, 19, 8)
const SECOND = 1000

const decode = Schema.decodeSync(Schema.fromJsonString(Report.Report))
const decodeOutcome = Schema.decodeUnknownSync(Report.ReportOutcome)
const decodeSummary = Schema.decodeUnknownSync(Schema.Struct({ summary: Report.Summary }))

const run = Effect.fnUntraced(function*(
  [left, right]: readonly [string, string],
  format: "json" | "ndjson",
  args: ReadonlyArray<string> = [],
  options: Options = {}
) {
  yield* TestClock.setTime(AT + 48 * 3600 * SECOND)
  return yield* tallystick(
    ["reconcile", "--deposits", left, "--transfers", right, "--format", format, ...args],
    options
  )
})

/** The outcomes and the summary of what was written line by line. */
const parse = (text: string) => {
  const values: ReadonlyArray<unknown> = text.trimEnd().split("\n").map((line) => JSON.parse(line))
  return {
    outcomes: values.slice(0, -1).map((value) => decodeOutcome(value)),
    summary: decodeSummary(values.at(-1)).summary
  }
}

const byId = <A extends { readonly id: string }>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
  list.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Rows a second apart, every seventh transfer missing. */
const books = (count: number) => {
  const row = (id: string, index: number, lag: number) =>
    JSON.stringify({ id: `${id}${index}`, asset: "USDT", amount: `${index + 1}`, at: AT + index * SECOND + lag })
  const indices = Array.from({ length: count }, (_, index) => index)
  return {
    deposits: indices.map((index) => row("d", index, 0)),
    transfers: indices.filter((index) => index % 7 !== 3).map((index) => row("t", index, 5 * SECOND))
  }
}

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick reconcile --format ndjson", (it) => {
  it.effect("says line by line what the report says, and the summary last", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const { deposits, transfers } = books(700)
      const files = [
        yield* put("d.ndjson", `${deposits.join("\n")}\n`),
        yield* put("t.ndjson", transfers.join("\r\n"))
      ] as const
      for (const args of [["--complete"], [], ["--from", "2026-11-19T08:05:00Z", "--to", "2026-11-19T08:20:00Z"]]) {
        const lines = yield* run(files, "ndjson", args)
        const whole = yield* run(files, "json", args)
        const { outcomes, ...facts } = decode(whole.stdout)
        const found = parse(lines.stdout)
        assert.deepStrictEqual(byId(found.outcomes), byId(outcomes))
        assert.deepStrictEqual(
          { ...found.summary, coverage: [] },
          { ...facts, coverage: [] }
        )
        assert.strictEqual(lines.exitCode, whole.exitCode)
        assert.strictEqual(lines.stderr, whole.stderr)
      }
    }))

  it.effect("puts rows in order that come in any, as far as it holds back", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const { deposits, transfers } = books(500)
      const files = [
        yield* put("d.ndjson", deposits.toReversed().join("\n")),
        yield* put("t.ndjson", transfers.join("\n"))
      ] as const
      const { outcomes } = parse((yield* run(files, "ndjson", ["--complete"])).stdout)
      assert.strictEqual(outcomes.filter(({ code }) => code === "exact").length, transfers.length)
    }))

  it.effect("refuses a file that is out of order by more than that, says what to do, and leaves no file", () =>
    Effect.gen(function*() {
      const { at, names, put } = yield* directory
      const { deposits, transfers } = books(60_000)
      const files = [
        yield* put("d.ndjson", deposits.toReversed().join("\n")),
        yield* put("t.ndjson", transfers.join("\n"))
      ] as const
      const result = yield* run(files, "ndjson", ["--complete", "--out", at("out.ndjson")])
      assert.strictEqual(result.exitCode, 2)
      assert.match(
        result.stderr,
        /^tallystick: deposit d\d+ of \S+ came after everything before \S+ was taken as complete; a stream is read in order of time, so sort the source by time and try again, or leave out --format ndjson: the other formats read everything first\n$/
      )
      assert.deepStrictEqual(yield* names, ["d.ndjson", "t.ndjson"])
    }))

  it.effect("reads the other forms, and stdin, as well", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const { deposits, transfers } = books(30)
      const rows = deposits.map((row) => JSON.parse(row))
      const csv = ["id,asset,amount,at", ...rows.map(({ amount, asset, at, id }) => [id, asset, amount, at].join(","))]
      const others = yield* put("t.ndjson", transfers.join("\n"))
      const expected = parse(
        (yield* run([yield* put("d.ndjson", deposits.join("\n")), others], "ndjson", ["--complete"])).stdout
      )
      for (
        const text of [
          csv.join("\n"),
          `[${deposits.join(",")}]`,
          `{"result":[${deposits.join(",")}]}`,
          `\uFEFF${deposits.join("\n")}`
        ]
      ) {
        const found = parse((yield* run(["-", others], "ndjson", ["--complete"], { stdin: text })).stdout)
        assert.deepStrictEqual(found.outcomes, expected.outcomes)
        assert.deepStrictEqual(found.summary.totals, expected.summary.totals)
      }
    }))

  it.effect("names the line of what cannot be read, and exits with 1", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const { deposits, transfers } = books(20)
      const files = [
        yield* put(
          "d.ndjson",
          [
            ...deposits.slice(0, 9),
            "{oops",
            "",
            `{"id":"x","asset":"USDT","amount":1,"at":${AT}}`,
            ...deposits.slice(9)
          ].join("\n")
        ),
        yield* put("t.ndjson", transfers.join("\n"))
      ] as const
      const result = yield* run(files, "ndjson", ["--complete"])
      const bad = parse(result.stdout).outcomes.flatMap(({ bad }) => (bad === undefined ? [] : [bad]))
      assert.deepStrictEqual(bad.map(({ source }) => source).toSorted(), [
        `${files[0]}, line 10`,
        `${files[0]}, line 12`
      ])
      assert.strictEqual(result.exitCode, 1)
    }))

  it.effect("gives nothing to match the summary alone, and 3 for files that prove nothing", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const files = [yield* put("d.ndjson", ""), yield* put("t.ndjson", "\n \n")] as const
      const complete = yield* run(files, "ndjson", ["--complete"])
      assert.deepStrictEqual(parse(complete.stdout).outcomes, [])
      assert.strictEqual(complete.exitCode, 0)
      assert.strictEqual((yield* run(files, "ndjson")).exitCode, 3)
    }))
})

describe("lines of a file that comes in parts", () => {
  it.effect("are the same, wherever it is cut, also within a letter", () =>
    Effect.gen(function*() {
      const text = "one\r\n\n  zwölf €\nthree"
      const bytes = new TextEncoder().encode(text)
      for (let size = 1; size <= bytes.length; size++) {
        const parts = Array.from(
          { length: Math.ceil(bytes.length / size) },
          (_, index) => bytes.slice(index * size, (index + 1) * size)
        )
        const lines = yield* Stream.runCollect(
          Stream.fromIterable(parts).pipe(LineStream.text("a file"), Lines.lines)
        )
        assert.deepStrictEqual(lines, [
          { number: 1, text: "one" },
          { number: 3, text: "zwölf €" },
          { number: 4, text: "three" }
        ])
      }
    }))
})
