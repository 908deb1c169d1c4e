/** An exchange that does not know the list of sub-accounts. */
import { assert, describe, it } from "@effect/vitest"
import * as Conventions from "@tallystick/core/Conventions"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import { listing, names, run } from "./support/Listing.ts"
import { directory } from "./support/Run.ts"

describe("an exchange that does not offer the list", () => {
  const without = { conventions: Conventions.make({ subAccountsPath: null, apiKeysPath: null }) }
  /** As a client that does not know it. */
  const usual = { env: { TALLYSTICK_CONVENTIONS: "" } }

  it.live("is told by each command that needs it, which says to name a file, and nothing else changes", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const archive = ["--archive-file", at("books.db")]
      for (const options of [{}, usual]) {
        for (
          const args of [["accounts"], ["sync", "--accounts", "service", ...archive], [
            "reconcile",
            "--accounts",
            "service"
          ]]
        ) {
          const { exitCode, stderr } = yield* run(args, options)
          assert.strictEqual(exitCode, 2, stderr)
          assert.match(
            stderr,
            /the exchange does not offer this \(.*\); name the sub-accounts in a file: --accounts FILE/
          )
        }
        const keys = yield* run(["keys", "list", "--sub-account", "sub00001"], options)
        assert.strictEqual(keys.exitCode, 3)
        assert.include(keys.stderr, "the exchange does not offer this")
      }
      const file = yield* put("accounts.txt", names.join("\n"))
      const synced = yield* run(["sync", "--accounts", file, "--since", "3h", ...archive], usual)
      assert.strictEqual(synced.exitCode, 0, synced.stderr)
    }).pipe(listing({}, without)))

  it.live("is a doubt like any other once the archive has kept a list: the known accounts are read", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      const { at } = yield* directory
      const sync = ["sync", "--accounts", "service", "--archive-file", at("books.db")]
      assert.strictEqual((yield* run([...sync, "--since", "3h"])).exitCode, 0)
      const asked = Effect.map(exchange.requests, (all) => all.filter(({ path }) => path.endsWith("Transfer")).length)
      const before = yield* asked
      const env = { TALLYSTICK_CONVENTIONS: JSON.stringify({ subAccountsPath: "/api/v3/broker/nowhere" }) }
      const { exitCode, stderr } = yield* run(sync, { env })
      assert.strictEqual(exitCode, 3, stderr)
      assert.include(stderr, "not proven complete: subAccounts: the exchange does not offer this")
      assert.isAtLeast((yield* asked) - before, 7)
    }).pipe(listing({})))
})
