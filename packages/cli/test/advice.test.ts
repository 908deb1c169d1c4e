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

const commandsOf = ({ outcomes, ...summary }: Report.Report): ReadonlyArray<string> =>
  outcomes.flatMap((outcome) => Advice.of(outcome, Advice.scopeOf(summary))?.commands ?? [])
    .map(({ text }) => text).toSorted()

it.layer(sandbox, { excludeTestServices: true })("a report of a recorded run", (it) => {
  it.effect("says which it is, and every command in it is accepted and decides nothing", () =>
    Effect.gen(function*() {
      const { book, put, run } = yield* kept
      const policy = yield* put("it's $(no) \"policy\".json", JSON.stringify({ late: "20 hours" }))
      const report = yield* Effect.flatMap(
        book("--policy", policy, "--format", "json"),
        ({ stdout }) => decode(stdout)
      )
      const { identity } = report
      assert.isDefined(identity?.run)
      assert.strictEqual(identity.archive, "books.db")
      assert.strictEqual(identity.madeBy, "clerk (claimed)")
      assert.strictEqual(identity.ledger?.number, report.books?.execution.number)
      const shown = yield* run(["show", identity.run])
      assert.match(shown.stdout, new RegExp(`^Run +${identity.run}$`, "m"))
      // Neither the version that made the run nor the files that it was given are kept; all else can be cited from what is shown later.
      const again = yield* Effect.flatMap(
        run(["show", identity.run, "--format", "json"]),
        ({ stdout }) => decode(stdout)
      )
      assert.deepStrictEqual(Struct.omit(again.identity ?? {}, ["given"]), Struct.omit(identity, ["given", "program"]))
      assert.deepStrictEqual(identity.given?.map(({ flag }) => flag), ["policy", "accounts", "addresses"])
      const isOfQuestion = (text: string) => text.includes(" --policy ")
      assert.isTrue(commandsOf(report).some(isOfQuestion))
      assert.deepStrictEqual(commandsOf(again), commandsOf(report).filter((text) => !isOfQuestion(text)))
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
          const { exitCode, stderr, stdout } = yield* run(words)
          assert.strictEqual(exitCode, 0, `${outcome.code}: ${text}\n${stderr}`)
          // What linking, say, would change is asked under the policy and of the accounts of the run.
          assert.notInclude(stdout, "The last execution of the books")
          assert.strictEqual(words.includes(policy), words.includes("--dry-run"))
        }
      }
      assert.isAbove(tried.size, 5)
      const after = yield* run(["decisions", "--format", "json"])
      assert.strictEqual(after.stdout, before.stdout)
    }))

  it.effect("shown again has every command of the run where the archive and settings alone say what the run was asked", () =>
    Effect.gen(function*() {
      const { accounts, at, put, range, run } = yield* kept
      const settings = {
        TALLYSTICK_POLICY: yield* put("policy.json", JSON.stringify({ late: "20 hours" })),
        TALLYSTICK_ACCOUNTS: accounts,
        TALLYSTICK_ADDRESSES: at("addresses.json")
      }
      const asked = ["reconcile", "--archive", "--book", "--declare", ...range]
      for (const [first, other] of [[{}, settings], [settings, {}]] as const) {
        const report = yield* Effect.flatMap(
          run([...asked, "--format", "json"], { env: first }),
          ({ stdout }) => decode(stdout)
        )
        const own = commandsOf(report)
        const shownIn = (env: Readonly<Record<string, string>>) =>
          Effect.map(
            Effect.flatMap(run(["show", report.identity?.run ?? "", "--format", "json"], { env }), ({ stdout }) =>
              decode(stdout)),
            commandsOf
          )
        assert.deepStrictEqual(yield* shownIn(first), own)
        assert.isFalse((yield* shownIn(other)).some((text) => text.includes("--dry-run")))
        const tried = own.find((text) => text.includes(" --dry-run"))
        assert.isDefined(tried)
        const { exitCode, stderr, stdout } = yield* run(wordsOf(tried).slice(1), { env: first })
        assert.strictEqual(exitCode, 0, stderr)
        assert.include(stderr, "nothing was decided")
        assert.notInclude(stdout, "The last execution of the books")
      }
    }))
})
