/** A report of a recorded run says which it is, and its commands can be copied into a shell as they stand. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { execFileSync } from "node:child_process"
import * as Advice from "../../report/src/internal/content/Advice.ts"
import { kept, sandbox } from "./support/Books.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(Report.Report))

/** The words of a command, as a shell passes them on. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  execFileSync("sh", ["-c", `for word in ${command}; do printf '%s\\0' "$word"; done`], { encoding: "utf8" })
    .split("\0").slice(0, -1)

it.layer(sandbox, { excludeTestServices: true })("a report of a recorded run", (it) => {
  it.effect("says which it is, and every command in it is accepted and decides nothing", () =>
    Effect.gen(function*() {
      const { book, run, settings } = yield* kept
      const report = yield* Effect.flatMap(book("--format", "json"), ({ stdout }) => decode(stdout))
      const { identity } = report
      assert.isDefined(identity?.run)
      assert.strictEqual(identity.archive, "books.db")
      assert.strictEqual(identity.madeBy, "clerk (claimed)")
      assert.strictEqual(identity.ledger?.number, report.books?.execution.number)
      const shown = yield* run(["show", identity.run])
      assert.match(shown.stdout, new RegExp(`^Run +${identity.run}$`, "m"))
      // Which version made the run is not kept; all else can be cited from what is shown later.
      const again = yield* Effect.flatMap(
        run(["show", identity.run, "--format", "json"]),
        ({ stdout }) => decode(stdout)
      )
      assert.deepStrictEqual(again.identity, Struct.omit(identity, ["program"]))
      assert.match(shown.stdout, /^Time to sweep {2,}median /m)

      const scope = Advice.scopeOf(report)
      assert.isTrue(scope.isBooked)
      const before = yield* run(["decisions", "--format", "json"])
      const tried = new Set<string>()
      for (const outcome of report.outcomes) {
        for (const { text } of Advice.of(outcome, scope)?.commands ?? []) {
          const [program, ...words] = wordsOf(text)
          assert.strictEqual(program, "tallystick")
          const kind = [outcome.code, ...words.filter((word) => /^[a-z]+$/.test(word)).slice(0, 2)].join(" ")
          if (tried.has(kind) || words[0] === "sync") continue
          tried.add(kind)
          const isDry = words.includes("--dry-run")
          const at = words.indexOf("--")
          const given = isDry ? words.toSpliced(at < 0 ? words.length : at, 0, ...settings) : words
          const { exitCode, stderr } = yield* run(given)
          assert.strictEqual(exitCode, 0, `${outcome.code}: ${text}\n${stderr}`)
        }
      }
      assert.isAbove(tried.size, 5)
      const after = yield* run(["decisions", "--format", "json"])
      assert.strictEqual(after.stdout, before.stdout)
    }))
})
