/** `--zone` and the setting `zone` hold for everything that the commands of an archive say. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { books, sandbox } from "./support/Books.ts"
import { decode } from "./support/Doctor.ts"

/** A time of day as messages write it, with its offset, if it has one. */
const time = /\d\d:\d\d(?::\d\d(?:\.\d+)?)?([+-]\d\d:\d\d)?/g

/** Fails where a time has another offset; none stands for UTC, which is named. */
const allIn = (offset: string, text: string): void => {
  const offsets = Array.from(text.matchAll(time), ([, offset = ""]) => offset)
  assert.isNotEmpty(offsets, text)
  assert.deepStrictEqual(Array.from(new Set(offsets)), [offset], text)
  assert.strictEqual(text.includes("UTC"), offset === "", text)
}

it.layer(sandbox, { excludeTestServices: true })("the zone of messages", (it) => {
  it.effect("is the one that was asked for, by a flag or by the setting, in every command of an archive", () =>
    Effect.gen(function*() {
      const { accounts, run, sync } = yield* books
      const ways = [
        [["--zone", "Asia/Kolkata"], {}, "+05:30"],
        [[], { TALLYSTICK_ZONE: "Asia/Kathmandu" }, "+05:45"],
        [[], {}, ""]
      ] as const
      for (const [flags, env, offset] of ways) {
        const said = Effect.fnUntraced(function*(args: ReadonlyArray<string>) {
          const { exitCode, stderr, stdout } = yield* run([...args, ...flags], { env })
          assert.isAtMost(exitCode, 1, stderr)
          return { stderr, stdout }
        })
        allIn(offset, (yield* said([...sync, "--since", "71h"])).stderr)
        const checks = yield* decode((yield* said(["doctor", "--format", "json"])).stdout)
        allIn(
          offset,
          checks.filter(({ what }) => what === "archive" || what === "unread").map(({ finding }) => finding).join("\n")
        )
        const report = yield* said(["reconcile", "--archive", "--accounts", accounts, "--format", "json"])
        allIn(offset, report.stderr.replace(/tallystick summary .*/, ""))
        const [id = ""] = /r[0-9a-f]{16}/.exec(report.stderr) ?? []
        allIn(offset, (yield* said(["show", id, "--format", "json"])).stderr)
        const status = (yield* said(["archive", "status"])).stdout
        const complete = status.split("\n").filter((line) => line.includes("complete to")).join("\n")
        if (offset === "") assert.include(status, "Times in UTC.")
        else allIn(offset, complete + (yield* said(["runs"])).stdout)
      }
    }))

  it.effect("is refused where it is none; doctor tells of a wrong setting as of any other", () =>
    Effect.gen(function*() {
      const { run } = yield* books
      const wrong = yield* run(["doctor", "--zone", "Berlin"])
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, "--zone: \"Berlin\" is no time zone")
      const configured = yield* run(["doctor", "--format", "json"], { env: { TALLYSTICK_ZONE: "Berlin" } })
      assert.strictEqual(configured.exitCode, 2)
      const checks = yield* decode(configured.stdout)
      assert.include(
        checks.filter(({ status }) => status === "failed").map(({ finding }) => finding).join(),
        "TALLYSTICK_ZONE"
      )
    }))
})
