import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 18, 12)

const entry = (id: string, at: number) => JSON.stringify({ id, asset: "USDT", amount: "10", at, account: "sub00001" })

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick reconcile over several days", (it) => {
  it.effect("writes a report a day, and ends as the worst of them", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOON + 3 * DAY)
      const { put } = yield* directory
      const { readFileString } = yield* FileSystem.FileSystem
      const deposits = yield* put("d.ndjson", [0, 1].map((day) => entry(`d${day}`, NOON + day * DAY)).join("\n"))
      const transfers = yield* put("t.ndjson", entry("t0", NOON + 60_000))
      const out = yield* put("report-{day}.json", "")
      const args = ["reconcile", "--deposits", deposits, "--transfers", transfers, "--complete", "--format", "json"]
      const result = yield* tallystick([...args, "--day", "-3..yesterday", "--out", out])
      const codes = Effect.fnUntraced(function*(day: string) {
        const report = JSON.parse(yield* readFileString(out.replace("{day}", day)))
        return report.counts.map(({ code, outcomes }: { code: string; outcomes: number }) => `${outcomes} ${code}`)
      })
      assert.deepStrictEqual(yield* codes("2026-11-18"), ["1 exact"])
      assert.deepStrictEqual(yield* codes("2026-11-19"), ["1 missing-transfer"])
      assert.deepStrictEqual(yield* codes("2026-11-20"), [])
      assert.strictEqual(result.exitCode, 1)
      assert.match(result.stderr, /2026-11-19: .*The books do not agree/)
      assert.include(result.stderr, "tallystick: 1 of 3 days did not end well")

      const fine = yield* tallystick([...args, "--day", "-3", "--out", yield* put("of-{day}.json", "")])
      assert.strictEqual(fine.exitCode, 0)
      const one = yield* readFileString(out.replace("report-{day}", "of-2026-11-18"))
      assert.deepStrictEqual(JSON.parse(one).counts.map(({ code }: { code: string }) => code), ["exact"])
    }))

  it.effect("wants a name for each report, and files that can be read more than once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOON + 3 * DAY)
      const { put } = yield* directory
      const file = yield* put("d.ndjson", "")
      const args = ["reconcile", "--transfers", file, "--complete", "--day", "-3..yesterday"]
      const named = yield* tallystick([...args, "--deposits", file, "--out", "report.json"])
      assert.strictEqual(named.exitCode, 2)
      assert.include(named.stderr, "write {day} where the day belongs")
      const piped = yield* tallystick([...args, "--deposits", "-"])
      assert.strictEqual(piped.exitCode, 2)
      assert.include(piped.stderr, "stdin can be read for one day only")
    }))

  it.effect("makes no report where one of the days has not begun", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOON)
      const { at, names, put } = yield* directory
      const file = yield* put("d.ndjson", "")
      const args = ["reconcile", "--deposits", file, "--transfers", file, "--complete", "--out", at("{day}.json")]
      const { exitCode, stderr } = yield* tallystick([...args, "--day", "yesterday..2026-11-20"])
      assert.strictEqual(exitCode, 2, stderr)
      assert.include(stderr, "the range lies in the future")
      assert.deepStrictEqual(yield* names, ["d.ndjson"])

      const kept = ["reconcile", "--archive-file", at("books.db"), "--out", at("{day}.json")]
      const refused = yield* tallystick([...kept, "--day", "yesterday..2026-11-20"])
      assert.strictEqual(refused.exitCode, 2, refused.stderr)
      assert.include(refused.stderr, "the range lies in the future")
    }))

  it.effect("writes no file that is named {day} where no day is asked for", () =>
    Effect.gen(function*() {
      const { at, names, put } = yield* directory
      const file = yield* put("d.ndjson", "")
      const args = ["reconcile", "--deposits", file, "--transfers", file, "--complete", "--out", at("rep-{day}.md")]
      const { exitCode, stderr } = yield* tallystick(args)
      assert.strictEqual(exitCode, 2, stderr)
      assert.include(stderr, "--out: {day} stands for a day of --day; give --day, or another name")
      assert.deepStrictEqual(yield* names, ["d.ndjson"])
    }))
})
