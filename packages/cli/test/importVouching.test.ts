import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { edit } from "./support/Edit.ts"
import { archive, AT, DAY, deposit, ndjson, transfer } from "./support/Imports.ts"
import { layerFiles, layerNoNetwork } from "./support/Run.ts"

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick import of what somebody vouches for", (it) => {
  it.effect("makes no day complete of which the archive lost rows, and says so", () =>
    Effect.gen(function*() {
      for (const lose of ["DELETE FROM deposits WHERE id = (SELECT max(id) FROM deposits)", "DELETE FROM coverage"]) {
        const { at, put, run } = yield* archive
        const input = yield* put("old.ndjson", ndjson([deposit(1), deposit(2), deposit(3)]))
        const again = run("import", "--deposits", input, "--covers-from", "2026-11-19", "--covers-to", "2026-11-20")
        const whole = yield* again
        assert.strictEqual(whole.exitCode, 0, whole.stderr)
        edit(at("books.db"), lose)
        const { exitCode, stderr } = yield* again
        assert.strictEqual(exitCode, 1, stderr)
        assert.notInclude(stderr, "count as complete: you vouched")
        assert.include(
          stderr,
          "deposits from 2026-11-19 00:00:00 to 2026-11-20 00:00:00 UTC: the archive does not hold what was proven here"
        )
        assert.include(stderr, "everything is kept, but not all of it counts as complete")
        const night = yield* run(
          "import",
          "--deposits",
          input,
          "--covers-from",
          "2026-11-19",
          "--covers-to",
          "2026-11-19T06:00:00Z"
        )
        assert.include(night.stderr, "deposits from 2026-11-19 00:00:00 to 2026-11-19 06:00:00 UTC: the archive")
      }
    }))

  it.effect("calls no time lost that is complete because somebody vouched for it", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* archive
      const input = yield* put("old.ndjson", ndjson([transfer(1)]))
      const day = { from: Date.UTC(2026, 10, 19), to: Date.UTC(2026, 10, 20) }
      const query = { fromAccount: "sub00001", fromAccountType: "SPOT", toAccountType: "SPOT" }
      const gap = { code: "damaged", detail: "read it again" } as const
      const part = { operation: "transfers", query, ...day, readAt: AT + DAY, state: "incomplete", gap } as const
      yield* Archive.Archive.use(({ transfers }) =>
        transfers.saveSlice({ ...day, records: [], bad: [], coverage: [part] }, query)
      ).pipe(Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      const covers = ["--covers-from", "2026-11-19", "--covers-to", "2026-11-20"]
      const { exitCode, stderr } = yield* run("import", "--transfers", input, ...covers)
      assert.strictEqual(exitCode, 0, stderr)
      assert.include(stderr, "count as complete: you vouched for them")
    }))

  it.effect("says of what time a file contradicts what the exchange showed, which stays a gap", () =>
    Effect.gen(function*() {
      const { at, put, run } = yield* archive
      const { insertTime, ...rest } = deposit(1)
      const shown = { ...rest, insertTime, status: 4 }
      yield* Archive.Archive.use(({ deposits }) =>
        deposits.savePage({ records: [shown], bad: [], readAt: insertTime + 1 })
      ).pipe(Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      const input = yield* put("old.ndjson", ndjson([deposit(1)]))
      const covers = ["--seen", "2026-11-20", "--covers-from", "2026-11-19", "--covers-to", "2026-11-20"]
      const { exitCode, stderr } = yield* run("import", "--deposits", input, ...covers)
      assert.strictEqual(exitCode, 1, stderr)
      assert.include(stderr, "a file tells another status of a record of this time than the exchange does")
    }))
})
