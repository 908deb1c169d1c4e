/** The runs page by page, as somebody looks through them while others record. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import { Database } from "../src/internal/sql/Database.ts"
import type * as RunPage from "../src/RunPage.ts"
import * as Runs from "../src/Runs.ts"
import { book, far, near, options } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { HOUR, testOn } from "./support/decisions.ts"
import { NOW } from "./support/records.ts"

const page = (asked?: RunPage.Asked) => Runs.Runs.use(({ page }) => page(asked))

const record = (hours: number) =>
  Effect.map(ArchiveReconciliation.record(options({ from: NOW, to: NOW + hours * HOUR })), ({ run }) => run.id)

const ids = ({ runs }: RunPage.RunPage) => runs.map(({ run }) => run.id)

describe.each(databases)("the runs by pages, on $name", (kind) => {
  const test = testOn(kind)

  it.live("stand in all pages together as the list has them, each once, whatever is recorded meanwhile", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* page(), { runs: [], count: 0 })
      const recorded = yield* Effect.forEach([1, 2, 3, 4, 5], record)
      const listed = yield* Runs.Runs.use(({ list }) => list())
      for (const limit of [1, 2, 3, 5, 6]) {
        const found: Array<RunPage.Paged["run"]> = []
        let next: number | undefined
        do {
          const told = yield* page({ limit, ...(next === undefined ? {} : { before: next }) })
          assert.isAtMost(told.runs.length, limit)
          found.push(...told.runs.map(({ run }) => run))
          yield* record(10 + limit)
          next = told.next
        } while (next !== undefined)
        const isFirst = ({ id }: RunPage.Paged["run"]) => recorded.includes(id)
        assert.deepStrictEqual(found.filter(isFirst), listed)
      }
      assert.strictEqual((yield* page({ limit: 2 })).count, 10)
    })))

  it.live("tell by which executions the books were brought forward, and which run is damaged", () =>
    test(Effect.gen(function*() {
      const trial = yield* ArchiveReconciliation.record(
        options(near, yield* Policy.make({ tolerance: { absolute: "1" } }))
      )
      const first = yield* book()
      const other = yield* book(options(far))
      const again = yield* book(options(far))
      assert.strictEqual(again.run.id, other.run.id)
      const { sql } = yield* Database
      yield* sql`UPDATE runs SET clean = 1 WHERE id = ${trial.run.id}`
      assert.deepStrictEqual(
        (yield* page()).runs.map(({ executions, run }) => [run.id, executions, "damaged" in run]),
        [
          [other.run.id, [2, 3], false],
          [first.run.id, [1], false],
          [trial.run.id, [], true]
        ]
      )
      assert.deepStrictEqual(ids(yield* page({ about: far })), [other.run.id])
      assert.deepStrictEqual((yield* page({ about: far, limit: 1 })).count, 1)
    })))
})
