/** The books at the command line: what waits, since when, and what became of it. */
import { assert, it } from "@effect/vitest"
import * as BookState from "@tallystick/archive/BookState"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { STATES } from "../src/commands/Open.ts"
import { decodeItems, kept, sandbox } from "./support/Books.ts"

const Stories = Schema.Array(
  Schema.Struct({ changes: Schema.Array(Schema.Struct({ execution: Schema.Int, state: BookState.BookState })) })
)
const decodeStories = Schema.decodeEffect(Schema.fromJsonString(Stories))

it.layer(sandbox, { excludeTestServices: true })("tallystick open", (it) => {
  it.effect("knows every state in which an entry waits", () =>
    Effect.sync(() => assert.deepStrictEqual<ReadonlyArray<string>>(STATES, BookState.Waiting.literals)))

  it.effect("lists what waits after the last execution, and item tells what became of it", () =>
    Effect.gen(function*() {
      const { book, listed, run } = yield* kept
      const none = yield* run(["open"])
      assert.strictEqual(none.exitCode, 2)
      assert.include(none.stderr, "reconcile --archive --book brings them forward")

      const first = yield* book()
      assert.include(first.stderr, "the books were brought forward by execution 1; the ledger ends at 1@")
      const items = yield* listed
      const missing = items.find(({ code }) => code === "missing-transfer") ?? assert.fail("nothing is missing")
      const entry = missing.entries[0] ?? assert.fail("an item has an entry")
      const open = yield* run(["open"])
      assert.strictEqual(open.exitCode, 1)
      assert.include(open.stdout, missing.id)
      assert.match(open.stderr, /\d+ items: \d+ open.*; execution 1 brought the books forward at /)
      const csv = yield* run(["open", "--format", "csv", "--code", "missing-transfer"])
      assert.include(csv.stdout, `${missing.id},open,missing-transfer,1,deposit,${entry.id},`)

      const decided = yield* run(["decide", "exclude", entry.id, "--reason", "test", "--words", "a test of ours"])
      assert.strictEqual(decided.exitCode, 0, decided.stderr)
      assert.strictEqual((yield* listed).find(({ id }) => id === missing.id)?.decision, 2)
      yield* book()
      assert.isFalse((yield* listed).some(({ id }) => id === missing.id))
      const before = yield* run(["open", "--as-of", "1", "--format", "json"])
      assert.isTrue((yield* decodeItems(before.stdout)).some(({ id }) => id === missing.id))

      for (const name of [missing.id, entry.id, entry.id.slice(0, 12)]) {
        const story = yield* run(["item", name])
        assert.strictEqual(story.exitCode, 0, story.stderr)
        assert.include(story.stdout, "execution 1")
        assert.include(story.stdout, "decision 2, exclude deposit")
        assert.include(story.stdout, "out: excluded, last judged by execution 3")
      }
      const [story] = yield* decodeStories((yield* run(["item", entry.id, "--format", "json"])).stdout)
      assert.deepStrictEqual(story?.changes, [{ execution: 1, state: "open" }, { execution: 3, state: "out" }])
      const wrong = yield* run(["open", "--code", "missing"])
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, "\"missing\" is no code of an outcome")
      const unknown = yield* run(["item", "nothing"])
      assert.strictEqual(unknown.exitCode, 2)
      for (const number of ["2", "99"]) {
        const other = yield* run(["open", "--as-of", number])
        assert.strictEqual(other.exitCode, 2)
        assert.include(other.stderr, `row ${number} of the ledger is no execution`)
      }
    }))

  it.effect("a run under another policy leaves the books as they are, unless it is declared to be theirs", () =>
    Effect.gen(function*() {
      const { at, book, listed, put, run } = yield* kept
      yield* book()
      const before = yield* listed
      const policy = yield* put("policy.json", JSON.stringify({ window: { after: "1 minute" } }))
      const refused = yield* book("--policy", policy)
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.stderr, "the books stay as they are: the run follows another policy than execution 1")
      const lines = yield* book("--policy", policy, "--format", "ndjson")
      assert.strictEqual(lines.exitCode, 2)
      assert.notInclude(lines.stdout, "{\"summary\":")
      yield* book("--policy", policy, "--out", at("refused.ndjson"))
      assert.isFalse(existsSync(at("refused.ndjson")))
      assert.deepStrictEqual(yield* listed, before)
      const declared = yield* book("--policy", policy, "--declare", "--format", "ndjson", "--mask-accounts")
      assert.include(declared.stderr, "brought forward by execution 2")
      assert.include(declared.stdout, "\"books\":{\"execution\":{\"number\":2,")
      assert.notDeepEqual(yield* listed, before)
      const masked = yield* book("--policy", policy, "--mask-accounts")
      assert.include(masked.stderr, "brought forward by execution 3")
      for (const flags of [["--book"], ["--archive", "--declare"], ["--archive", "--book", "--no-record"]]) {
        assert.strictEqual((yield* run(["reconcile", ...flags])).exitCode, 2, flags.join(" "))
      }
    }))

  it.effect("archive check --books computes the books again, and archive rebuild writes them anew", () =>
    Effect.gen(function*() {
      const { at, book, run } = yield* kept
      yield* book()
      assert.strictEqual((yield* run(["archive", "check", "--books"])).exitCode, 0)
      const database = new DatabaseSync(at("books.db"))
      database.exec("UPDATE entry_states SET state = 'matched' WHERE state = 'open'")
      database.close()
      assert.strictEqual((yield* run(["archive", "check"])).exitCode, 0)
      const found = yield* run(["archive", "check", "--books"])
      assert.strictEqual(found.exitCode, 1)
      assert.include(found.stdout, "is not as the ledger and its runs have it")
      assert.include(found.stderr, "archive rebuild")
      assert.strictEqual((yield* run(["archive", "rebuild"])).exitCode, 0)
      assert.strictEqual((yield* run(["archive", "check", "--books"])).exitCode, 0)
    }))
})
