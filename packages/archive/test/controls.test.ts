/** Control totals of days with any number of stretches. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ControlTable from "../src/internal/coverage/ControlTable.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Sqlite from "../src/internal/sqlite/Sqlite.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const FIRST = Math.floor(NOW / DAY) * DAY

const complete = (interval: Coverage.Interval): Coverage.Coverage => ({
  operation: "deposits",
  ...interval,
  readAt: interval.to + DAY,
  state: "complete"
})

/** The control totals of what is kept, anew and with limits of their own. */
const renew = Effect.fnUntraced(function*(limits: ControlTable.Limits) {
  const { sql } = yield* Database
  const controls = ControlTable.make(sql, limits)
  yield* sql`DELETE FROM controls`
  const rows = yield* sql<{ readonly at: number; readonly checksum: number }>`SELECT at, checksum FROM deposits`
  const changes = rows.map(({ at, checksum }) => ({ at, records: 1, checksums: checksum }))
  yield* sql.withTransaction(controls.apply("deposits", changes))
  return controls
})

describe.each(databases)("a day of many stretches in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))

  it.effect("is checked to its end, and so is what comes after it", () =>
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      const range = { from: FIRST, to: FIRST + 3 * DAY }
      const records = Array.from({ length: 400 }, (_, index) =>
        deposit({ insertTime: FIRST + index * SECOND, txId: `${index}` }))
      const later = deposit({ insertTime: FIRST + 2 * DAY, txId: "later" })
      yield* deposits.savePage({ readAt: range.to, records: [...records, later], bad: [] })
      yield* renew({ ahead: 2, most: 1 })
      yield* deposits.saveSlice({ ...range, records: [...records, later], bad: [], coverage: [complete(range)] })
      assert.deepStrictEqual(yield* deposits.check(range), [])
      const lost = [FIRST + 320 * SECOND, later.insertTime]
      for (const at of lost) {
        yield* sql`DELETE FROM deposits WHERE at = ${at}`
      }
      assert.deepStrictEqual(
        (yield* deposits.check(range)).map(({ from }) =>
          from
        ),
        lost
      )
      const slices = yield* Stream.runCollect(deposits.slices({ ...range, batch: 1 }))
      assert.strictEqual(slices.flatMap(({ records }) => records).length, 399)
      const gaps = slices.flatMap(({ coverage }) => coverage).filter(({ state }) => state === "incomplete")
      assert.deepStrictEqual(
        Coverage.merge(gaps).map(({ from, to }) => ({ from, to })),
        lost.map((from) => ({ from, to: from - from % DAY + DAY })),
        "the rest of each day"
      )
    }).pipe(Effect.provide(archive)))
})

const Hours = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 96 }))

describe("a stretch that lost a record", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))

  it.effect("is not divided, so that no part of it looks whole", () =>
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      const day = { from: FIRST, to: FIRST + DAY }
      const records = Array.from({ length: 20 }, (_, index) =>
        deposit({ insertTime: FIRST + index * HOUR, txId: `${index}` }))
      yield* deposits.importRecords(records)
      yield* sql`DELETE FROM deposits WHERE at = ${FIRST + 19 * HOUR}`
      const controls = ControlTable.make(sql, { ahead: 8, most: 4 })
      const divide = sql.withTransaction(controls.apply("deposits", [{ at: FIRST, records: 0, checksums: 0 }]))
      yield* divide
      assert.deepStrictEqual((yield* deposits.check(day)).map(({ from, to }) => ({ from, to })), [day])
      yield* deposits.repair(day)
      yield* divide
      assert.isAbove((yield* controls.read("deposits", day)).length, 3)
      assert.deepStrictEqual(yield* deposits.check(day), [])
    }).pipe(Effect.provide(archive)))
})

describe("the stretches of any interval", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))

  it.effect.prop(
    "follow one another from before its beginning to behind its end, however many are looked up at once",
    [
      Schema.Array(Hours).check(Schema.isMaxLength(40)),
      Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 6 })),
      Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 6 })),
      Hours,
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 96 })),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
    ],
    ([times, ahead, full, begin, length, most]) =>
      Effect.gen(function*() {
        const { deposits } = yield* Archive.Archive
        const { sql } = yield* Database
        const records = times.map((hour, index) => deposit({ insertTime: FIRST + hour * HOUR, txId: `${index}` }))
        yield* deposits.importRecords(records)
        const controls = yield* renew({ ahead, most: full })
        const asked = { from: FIRST + begin * HOUR, to: FIRST + (begin + length) * HOUR }
        const found: Array<ControlTable.Control> = []
        for (let from = asked.from; from < asked.to; from = found.at(-1)?.to ?? Number.NaN) {
          const next = yield* controls.next("deposits", { from, to: asked.to }, most)
          const kept = next.filter(({ records }) => records > 0)
          assert.isTrue(next.length > 0 && next.length <= 2 * ahead)
          assert.isTrue(kept.length <= 1 || kept.reduce((sum, { records }) => sum + records, 0) <= most)
          found.push(...next)
        }
        for (const [index, { from, to }] of found.entries()) {
          assert.strictEqual(from, found[index - 1]?.to ?? Math.min(from, asked.from))
          assert.isAbove(to, from)
        }
        assert.isAtLeast(found.at(-1)?.to ?? 0, asked.to)
        const all = yield* controls.read("deposits", asked)
        assert.deepStrictEqual(found.filter(({ records }) => records > 0), all.filter(({ records }) => records > 0))
        for (const { checksums, from, records, to } of found) {
          const [row] = yield* sql<{ readonly records: number; readonly checksums: number }>`SELECT
            COUNT(*) AS records, COALESCE(SUM(checksum), 0) AS checksums FROM deposits WHERE at >= ${from} AND at < ${to}`
          assert.deepStrictEqual({ ...row }, { records, checksums })
        }
      }).pipe(Effect.provide(archive)),
    { arbitrary: { runs: Seeded.cases(50) } }
  )
})
