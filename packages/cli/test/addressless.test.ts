/** A report without an address book says first what one would decide; every line of it counts the same. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { books, sandbox } from "./support/Books.ts"

it.layer(sandbox, { excludeTestServices: true })("a report without an address book", (it) => {
  it.effect("says in its first line how many cases wait for one, and nothing of it where one is given", () =>
    Effect.gen(function*() {
      const { history, put, run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "71h"])).exitCode, 0)
      const accounts = yield* put("some.txt", history.subAccounts.map((name) => `${name}\n`).join(""))
      const range = ["--from", new Date(history.options.to - 60 * 3_600_000).toISOString()]
      const asked = ["reconcile", "--archive", "--accounts", accounts, ...range]
      const { stderr, stdout } = yield* run(asked)
      const [, count = ""] = /^No address book: (\d+) items are not decidable; give --addresses\. /m.exec(stdout) ?? []
      assert.isAbove(Number(count), 0, stdout)
      assert.include(stderr, `tallystick: No address book: ${count} items are not decidable; give --addresses. `)
      assert.include(stdout, `  ${count} items waiting for an address book: `)
      assert.match(stderr, new RegExp(` undetermined=${count} `))

      const known = yield* put("addresses.json", JSON.stringify(history.addressBook))
      const told = yield* run([...asked, "--addresses", known])
      assert.notInclude(told.stdout + told.stderr, "No address book")
      const vouched = yield* put("all.json", JSON.stringify({ list: history.subAccounts, complete: true }))
      assert.notInclude(
        (yield* run(["reconcile", "--archive", "--accounts", vouched, ...range])).stdout,
        "No address book"
      )
    }))
})
