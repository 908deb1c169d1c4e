/** What is said of an archive that fails while the console is open. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { renameSync } from "node:fs"
import { basename, dirname } from "node:path"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"

const PATHS = [
  "/api/status",
  "/api/coverage",
  "/api/items",
  "/api/items/summary",
  "/api/items/i123",
  "/api/entries?name=t123",
  "/api/entries/transfer/t1",
  "/api/entries/transfer/t1/candidates",
  "/api/decisions",
  "/api/periods",
  "/api/runs"
]

describe("an archive whose file is taken away", () => {
  it.effect("fails in words that do not tell where it was", () =>
    Console.withArchive((file) =>
      Effect.gen(function*() {
        const served = yield* Console.atDesk()
        const headers = yield* Asked.atDesk(served)
        yield* Effect.acquireRelease(
          Effect.sync(() => renameSync(file, `${file}.away`)),
          () => Effect.sync(() => renameSync(`${file}.away`, file))
        )
        for (const path of PATHS) {
          const { status, text } = yield* Asked.asked(served.origin, { path, headers })
          assert.strictEqual(status, 503, path)
          assert.include(text, "the archive: archive.db was moved", path)
          assert.notInclude(text, basename(dirname(file)), path)
        }
      })
    ))
})
