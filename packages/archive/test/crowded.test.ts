/** An archive with more rows than a round of sync looks at. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW } from "./support/records.ts"

const SECOND = 1000
const DAY = 86_400 * SECOND
const FIRST = Math.floor(NOW / DAY) * DAY

const range = { from: FIRST, to: FIRST + 2 * DAY }
const complete: Coverage.Coverage = { operation: "deposits", ...range, readAt: range.to + DAY, state: "complete" }

/** Enough for several stretches on the first day, and one on the second day. */
const records = [
  ...Array.from({ length: 20_000 }, (_, index) => deposit({ insertTime: FIRST + index * SECOND, txId: `${index}` })),
  deposit({ insertTime: FIRST + 1.5 * DAY, txId: "later" })
]

/** Rounds, each of which looks at a few rows, until one finds something. */
const repaired = Effect.gen(function*() {
  const { deposits } = yield* Archive.Archive
  for (let round = 0; round < 200; round++) {
    const damages = yield* deposits.repair({ from: range.from + 1, to: range.to }, 100)
    if (damages.length > 0) return damages
  }
  return []
}).pipe(Random.withSeed("crowded"))

describe.each(databases)("a crowded archive in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))

  for (
    const [what, statement] of [
      ["row was lost", `DELETE FROM deposits WHERE at = ${FIRST + 11_000 * SECOND}`],
      ["row was edited", `UPDATE deposits SET memo = 'x' WHERE at = ${FIRST + 11_000 * SECOND}`],
      ["row was edited, and was divided since", `UPDATE deposits SET memo = 'x' WHERE at = ${FIRST + 19_000 * SECOND}`],
      ["day lost its control totals", `DELETE FROM controls WHERE from_ms = ${FIRST + DAY}`]
    ] as const
  ) {
    it.effect(`is repaired by some round where a ${what}, and is whole then`, () =>
      Effect.gen(function*() {
        const { deposits } = yield* Archive.Archive
        const { sql } = yield* Database
        yield* deposits.saveSlice({ ...range, records, bad: [], coverage: [complete] })
        yield* sql.unsafe(statement)
        if (what.includes("divided")) {
          const more = Array.from({ length: 9000 }, (_, index) =>
            deposit({ insertTime: FIRST + 19_500 * SECOND + index, txId: `more ${index}` }))
          yield* deposits.savePage({ readAt: range.to + DAY, records: more, bad: [] })
        }
        const found = yield* deposits.check(range)
        assert.strictEqual(found.length, 1)
        const [damage] = yield* repaired
        assert.deepStrictEqual([damage?.from, damage?.to], [found[0]?.from, found[0]?.to])
        assert.deepStrictEqual(yield* deposits.check(range), [])
        const [lost] = yield* deposits.lost(range)
        assert.strictEqual(lost?.from, damage?.from)
      }).pipe(Effect.provide(archive)), 60_000)
  }
})
