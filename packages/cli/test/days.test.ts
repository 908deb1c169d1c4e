/** What `tallystick reconcile --day` says of a pair that midnight cuts. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const MINUTE = 60_000
/** Midnight in Berlin, in the night after the clocks were turned back. */
const MIDNIGHT = Date.UTC(2026, 9, 25, 23)

const row = (id: string, amount: string, minutes: number): string =>
  `${JSON.stringify({ id, asset: "USDT", amount, at: MIDNIGHT + minutes * MINUTE, account: "sub00001" })}\n`

const read = Schema.decodeSync(Schema.fromJsonString(Report.Report))

/** A pair of 23:50 and 0:05, and one whose transfer came late: at 23:40 and 1:30. */
const books = Effect.gen(function*() {
  const { put, ...files } = yield* directory
  const deposits = yield* put("d.ndjson", row("d-late", "7", -20) + row("d", "10.5", -10))
  const transfers = yield* put("t.ndjson", row("t", "10.5", 5) + row("t-late", "7", 90))
  yield* TestClock.setTime(MIDNIGHT + 48 * 60 * MINUTE)
  const reconcile = (day: string, ...args: ReadonlyArray<string>) =>
    tallystick([
      "reconcile",
      "--deposits",
      deposits,
      "--transfers",
      transfers,
      "--complete",
      "--zone",
      "Europe/Berlin",
      "--day",
      day,
      ...args
    ])
  return { ...files, reconcile }
})

const SUNDAY = "2026-10-25"
const MONDAY = "2026-10-26"

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? ""

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("the reports of two days", (it) => {
  it.effect("count each entry on its own day, and add up to the report of both", () =>
    Effect.gen(function*() {
      const { at, get, reconcile } = yield* books
      yield* reconcile(`${SUNDAY}..${MONDAY}`, "--format", "json", "--out", at("{day}.json"))
      const days = [read(yield* get(`${SUNDAY}.json`)), read(yield* get(`${MONDAY}.json`))]
      const incoming = days.map(({ totals: [total] }) => [total?.deposits.in, total?.transfers.in])
      const [none, all] = [{ count: 0, sum: "0" }, { count: 2, sum: "17.5" }]
      assert.deepStrictEqual(incoming, [[all, none], [none, all]])
      assert.deepStrictEqual(days.map(({ range }) => ((range?.to ?? 0) - (range?.from ?? 0)) / 3_600_000), [25, 24])
    }))

  it.effect("count each outcome on the day of its deposit, in the sentence and in the line for logs", () =>
    Effect.gen(function*() {
      const { reconcile } = yield* books
      const sunday = yield* reconcile(SUNDAY)
      assert.include(sunday.stdout, "The books do not agree: 1 timing difference (late).")
      assert.include(
        lastLine(sunday.stderr),
        "result=not-clean exit=1 discrepancies=1 undetermined=0 bad_records=0 unread=0 pending=0 matched=1 " +
          "of_other_days=none deposits=1/2 transfers=0/0 failing=late:1 waived=none "
      )
      const monday = yield* reconcile(MONDAY)
      assert.strictEqual(monday.exitCode, 1)
      assert.include(monday.stdout, "The books do not agree: of other days: 1 timing difference (late).")
      assert.include(
        lastLine(monday.stderr),
        "result=not-clean exit=1 discrepancies=0 undetermined=0 bad_records=0 unread=0 pending=0 matched=0 " +
          "of_other_days=exact:1,late:1 deposits=0/0 transfers=1/2 failing=late:1 waived=none "
      )
      const waived = yield* reconcile(MONDAY, "--fail-on", "missing-transfer")
      assert.strictEqual(waived.exitCode, 0, waived.stderr)
      assert.include(lastLine(waived.stderr), "failing=none waived=late:1 ")
    }))

  it.effect("say of each entry whether it lies in the range, also in lines", () =>
    Effect.gen(function*() {
      const { reconcile } = yield* books
      const { stdout } = yield* reconcile(MONDAY, "--format", "ndjson")
      const Entries = Schema.Array(Schema.Struct({ id: Schema.String, inRange: Schema.Boolean }))
      const Line = Schema.fromJsonString(
        Schema.Union([
          Schema.Struct({ deposits: Entries, transfers: Entries }),
          Schema.Struct({ summary: Schema.Unknown })
        ])
      )
      const found = stdout.trimEnd().split("\n").map((line) => Schema.decodeSync(Line)(line)).flatMap((line) =>
        "summary" in line ? [] : [...line.deposits, ...line.transfers].map(({ id, inRange }) => [id, inRange])
      )
      assert.sameDeepMembers(found, [["d", false], ["t", true], ["d-late", false], ["t-late", true]])
    }))
})
