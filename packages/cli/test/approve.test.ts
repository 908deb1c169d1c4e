/** Approvals at the command line: what is proposed, who approves it, and what decisions tell of it. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { books, sandbox } from "./support/Books.ts"

it.layer(sandbox, { excludeTestServices: true })("tallystick decide approve", (it) => {
  it.effect("a decision is proposed while the archive asks for approvals, and followed once another person approved it", () =>
    Effect.gen(function*() {
      const { accounts, run, sync } = yield* books
      yield* run([...sync, "--since", "71h"])
      const setting = Effect.map(run(["archive", "setting"]), ({ stderr }) => stderr)
      assert.include(yield* setting, "decisions of this archive: nobody has to approve them")
      const wordless = yield* run(["archive", "setting", "--approvals", "on"])
      assert.strictEqual(wordless.exitCode, 2)
      const set = yield* run([
        "archive",
        "setting",
        "--approvals",
        "on",
        "--words",
        "two people decide",
        "--by",
        "clerk"
      ])
      assert.strictEqual(set.exitCode, 0, set.stderr)
      assert.include(yield* setting, "another person approves each")

      const exported = yield* run(["export", "--side", "transfers"])
      const id = /"tranId": ?"([^"]+)"/.exec(exported.stdout)?.[1] ?? assert.fail(exported.stderr)
      const why = ["--reason", "test", "--words", "a test of ours", "--by", "clerk"]
      const made = yield* run(["decide", "exclude", id, ...why])
      assert.strictEqual(made.exitCode, 0, made.stderr)
      assert.include(made.stdout, "[proposed]")
      assert.include(made.stderr, "proposed: another person has to approve decision 2")
      const own = yield* run(["decide", "approve", "2", "--by", "clerk"])
      assert.strictEqual(own.exitCode, 2)
      assert.include(own.stderr, "it was proposed by clerk, and another person has to approve it")
      const spaced = yield* run(["decide", "approve", "2", "--by", "Clerk "])
      assert.include(spaced.stderr, "another person has to approve it")
      for (const name of [" ", "cl\u200berk", "cl\u2800erk", "clerk\u3164"]) {
        const hidden = yield* run(["decide", "approve", "2", "--by", name])
        assert.include(hidden.stderr, "a name that is not blank and has no invisible characters")
      }
      const reconcile = (...more: ReadonlyArray<string>) =>
        Effect.map(
          run(["reconcile", "--archive", "--accounts", accounts, ...more]),
          ({ stdout }) => stdout.replaceAll(/[\s\\]+/g, " ")
        )
      assert.notInclude(yield* reconcile(), "Approved")
      const other = yield* run(["decide", "approve", "2", "--by", "auditor"])
      assert.strictEqual(other.exitCode, 0, other.stderr)
      const approved = "1 decision that it follows, by auditor (claimed)"
      for (const format of ["table", "markdown"]) assert.include(yield* reconcile("--format", format), approved, format)
      assert.include(
        yield* reconcile("--format", "json"),
        "\"approved\":{\"decisions\":1,\"by\":[\"auditor (claimed)\"]}"
      )
      const decisions = (yield* run(["decisions"])).stdout.replaceAll(/\s+/g, " ")
      assert.include(decisions, "[approved by 3]")
      assert.include(decisions, "approve decision 2")
      assert.include((yield* run(["decisions", "--format", "json"])).stdout, "\"approvedBy\": 3")

      const off = yield* run(["archive", "setting", "--approvals", "off", "--words", "too slow", "--by", "clerk"])
      assert.include(off.stderr, "decision 4 is proposed; another person approves it with: tallystick decide approve 4")
      yield* run(["decide", "approve", "4", "--by", "auditor"])
      assert.include(yield* setting, "nobody has to approve them")
      const again = yield* run(["archive", "setting", "--approvals", "off", "--words", "too slow"])
      assert.include(again.stderr, "nothing was set")
    }))
})
