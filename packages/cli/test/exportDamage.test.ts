import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { books, rows, sandbox } from "./support/Books.ts"
import { edit } from "./support/Edit.ts"

const SPOILT = "the archive does not hold what was proven here: read it again, or restore a backup"
const LOST = "the archive lost rows of this time, and the exchange shows only what it knows now: restore a backup"

/** The lines that name what is not proven complete. */
const named = (stderr: string): ReadonlyArray<string> => stderr.split("Not proven complete:\n")[1]?.split("\n") ?? []

it.layer(sandbox, { excludeTestServices: true })("tallystick export, of an archive that was damaged", (it) => {
  it.effect("names the damage, with a range and without one, quiet or not, and ends with 0", () =>
    Effect.gen(function*() {
      const { at, history, run, sync } = yield* books
      const exported = Effect.fnUntraced(function*(side: string, ...args: ReadonlyArray<string>) {
        const { exitCode, stderr, stdout } = yield* run(["export", "--side", side, ...args])
        assert.strictEqual(exitCode, 0, stderr)
        return { count: rows(stdout).length, gaps: named(stderr) }
      })
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const all = history.deposits.length
      assert.deepStrictEqual(yield* exported("deposits"), { count: all, gaps: [] })
      assert.deepStrictEqual((yield* exported("transfers")).gaps, [])
      const range = ["--since", "70h"]
      const before = yield* exported("deposits", ...range)
      assert.deepStrictEqual(before.gaps, [])

      // The day of the earliest is no longer shown as a whole.
      const latest = "(SELECT id FROM deposits ORDER BY at DESC, id LIMIT 1)"
      edit(at("books.db"), `DELETE FROM deposits WHERE id = ${latest}`)
      for (const args of [[], range, ["--quiet"]]) {
        const { count, gaps } = yield* exported("deposits", ...args)
        assert.isAtLeast(count, before.count - 1)
        assert.match(gaps[0] ?? "", /^deposits from 20\S+ \S+ to 20\S+ \S+ UTC: /)
        assert.include(gaps[0], SPOILT)
      }
      assert.deepStrictEqual((yield* exported("transfers")).gaps, [])
      edit(at("books.db"), "DELETE FROM transfers")
      const none = yield* exported("transfers")
      assert.strictEqual(none.count, 0)
      assert.match(none.gaps[0] ?? "", /^transfers from .* UTC: /)
      assert.isTrue(none.gaps.filter((line) => line !== "").every((line) => line.endsWith(SPOILT)))

      yield* run(sync)
      const again = yield* exported("deposits")
      assert.strictEqual(again.count, all)
      assert.isTrue(again.gaps.some((line) => line.endsWith(LOST)), again.gaps.join("\n"))
    }))
})
