/** An archive that the first version made, with the run that it recorded: its sandbox had 40 sub-accounts and 49 deposits. */
import { assert, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Integrity from "../src/Integrity.ts"
import * as Runs from "../src/Runs.ts"
import { temporaryFolder } from "./support/databases.ts"

const made = readFileSync(new URL("data/first-version.db.gz", import.meta.url))

const accounts = Array.from({ length: 40 }, (_, index) => `sub${String(index + 1).padStart(5, "0")}`)

it.effect("an archive of the first version is sound, gives its run back, and its books can be begun", () =>
  Effect.gen(function*() {
    const file = join(yield* temporaryFolder, "archive.db")
    writeFileSync(file, gunzipSync(made))
    yield* Effect.gen(function*() {
      assert.isTrue(Integrity.isSound(yield* Integrity.check()))
      const runs = yield* Runs.Runs
      const { run, summary } = Option.getOrThrow(yield* runs.get("r9e5b53e13418bbea"))
      assert.strictEqual(summary.policy.ambiguity.residual, "0")
      const outcomes = yield* Stream.runCollect(runs.outcomes(run))
      assert.deepStrictEqual(new Set(outcomes.map(({ code }) => code)), new Set(["exact", "reference"]))
      assert.lengthOf(outcomes, 13)

      const { execution } = yield* ArchiveReconciliation.book({
        range: summary.range ?? assert.fail("the run was made over a day"),
        accounts: { list: accounts, complete: true },
        policy: Policy.defaults
      }, { author: { by: "clerk", identity: "os" } })
      assert.strictEqual(execution.body.number, 1)
      assert.strictEqual(execution.body.accounts.digest, summary.accounts.digest)
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
      assert.isTrue(Integrity.isSound(yield* Integrity.check()))
    }).pipe(Effect.provide(Archive.Archive.layerSqlite({ file })))
  }).pipe(Effect.scoped))
