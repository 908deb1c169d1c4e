/** What became of entries from one run to another, at the command line. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { kept, rows, sandbox } from "./support/Books.ts"

const Told = Schema.Struct({
  kind: Schema.String,
  id: Schema.String,
  before: Schema.optionalKey(Schema.Struct({ code: Schema.String })),
  after: Schema.optionalKey(Schema.Struct({ code: Schema.String }))
})
const decodeDiff = Schema.decodeEffect(Schema.fromJsonString(Schema.Tuple([
  Schema.Struct({
    before: Schema.Struct({ run: Schema.String }),
    after: Schema.Struct({ run: Schema.String }),
    differences: Schema.Array(Told)
  })
])))

it.layer(sandbox, { excludeTestServices: true })("tallystick diff", (it) => {
  it.effect("compares two runs, or what the last execution changed of a day, and exits with 1 where something differs", () =>
    Effect.gen(function*() {
      const { book, history, listed, run, settings } = yield* kept
      yield* book()
      const items = yield* listed
      const { to } = history.options
      const today = to - to % 86_400_000
      const waiting = items.flatMap(({ entries, ...item }) => entries.map((entry) => ({ ...item, ...entry })))
      const entry = waiting.find(({ at, code }) => code === "missing-transfer" && at < today) ??
        assert.fail("nothing is missing on a day that is over")
      const day = new Date(entry.at).toISOString().slice(0, 10)
      const none = yield* run(["diff", "--day", day, "--format", "json"])
      assert.strictEqual(none.exitCode, 0)
      assert.include(none.stderr, `only execution 1 of the books judged ${day}`)
      assert.strictEqual(none.stdout, "[]\n")
      const daily = ["reconcile", "--archive", "--book", "--by", "clerk", ...settings, "--day", day]
      yield* run(daily)
      yield* run(daily)
      const same = yield* run(["diff", "--day", day])
      assert.strictEqual(same.exitCode, 0, same.stderr)
      assert.include(same.stderr, "both are one run: nothing differs")
      assert.strictEqual(same.stdout, "")

      yield* run(["decide", "exclude", entry.id, "--reason", "test", "--words", "a test of ours"])
      yield* run(daily)
      const found = yield* run(["diff", "--day", day])
      assert.strictEqual(found.exitCode, 1)
      assert.match(found.stdout, /closed .* deposit .* missing-transfer.* excluded \(out\)/)
      assert.include(found.stderr, "The policy differs in exclude; decisions count as part of it.")
      assert.include(found.stderr, "1 entry differs: 1 closed")

      const json = yield* run(["diff", "--day", day, "--format", "json"])
      const [diff] = yield* decodeDiff(json.stdout)
      const told = [{ kind: "closed", id: entry.id, before: { code: "missing-transfer" }, after: { code: "excluded" } }]
      assert.deepStrictEqual(diff.differences, told)
      const runs = [diff.before.run, diff.after.run]
      const lines = yield* run(["diff", ...runs, "--format", "ndjson"])
      assert.lengthOf(rows(lines.stdout), 1)
      const csv = yield* run(["diff", ...runs.toReversed(), "--format", "csv"])
      assert.match(csv.stdout, new RegExp(`\nnew,deposit,${entry.id},.*,out,excluded,true,.*,open,missing-transfer,`))
    }))

  it.effect("refuses what names no two runs, and says how to name them", () =>
    Effect.gen(function*() {
      const { book, run } = yield* kept
      const { stderr } = yield* book()
      const [id = assert.fail("a run is recorded")] = /r[0-9a-f]{16}/.exec(stderr) ?? []
      const asked: ReadonlyArray<readonly [args: ReadonlyArray<string>, told: string]> = [
        [[], "give the ids of both, or --day DAY"],
        [[id], "give the ids of both, or --day DAY"],
        [[id, "--day", "yesterday"], "leave the ids out"],
        [[id, "rffffffffffffffff"], "no run has an id that begins with rffffffffffffffff"],
        [["--day", "2020-01-01..2020-01-02"], "give one day"],
        [["--day", "2020-01-01"], "no execution of the books judged 2020-01-01"]
      ]
      for (const [args, told] of asked) {
        const refused = yield* run(["diff", ...args])
        assert.strictEqual(refused.exitCode, 2, refused.stderr)
        assert.include(refused.stderr, told)
      }
    }))
})
