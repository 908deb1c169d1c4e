/** What is looked at before each report: deposits that may have settled late, without reading those that never changed. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../src/internal/Database.ts"
import * as DepositTable from "../src/internal/DepositTable.ts"
import * as Table from "../src/internal/Table.ts"
import * as VersionTable from "../src/internal/VersionTable.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW } from "./support/records.ts"

const DAY = 86_400_000

const range = { from: NOW - 2 * DAY, to: NOW + 2 * DAY }

const page = (readAt: number, ...records: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>) =>
  Archive.Archive.use(({ deposits }) => deposits.savePage({ readAt, records, bad: [] }))

const unknown = Archive.Archive.use(({ settlingUnknown }) => settlingUnknown(range))
const lost = Effect.map(unknown, ({ damaged }) => damaged)

/** One deposit was seen to settle a day later, and one of another day never changed. */
const kept = Effect.gen(function*() {
  yield* page(NOW + 1, deposit({ status: 4, txId: "late" }), deposit({ insertTime: NOW - DAY, txId: "ordinary" }))
  yield* page(NOW + DAY, deposit({ status: 5, txId: "late" }))
})

const ofLate = "at = " + NOW

/** Each column of the row and of its earlier version with another value in it, and rows that are gone or are twice there. */
const damages: ReadonlyArray<string> = [
  ...Table.columns(DepositTable.table).map((column) => [column, "deposits"]),
  ...VersionTable.COLUMNS.filter((column) => column !== "operation").map((column) => [column, "versions"])
].map(([column = "", table]) =>
  ["last_seen", "vanished_at"].includes(column)
    ? `UPDATE ${table} SET ${column} = COALESCE(${column}, 0) + 1 WHERE ${ofLate}`
    : ["at", "query", "seen_at", "history", "checksum", "status", "number"].includes(column)
    ? `UPDATE ${table} SET ${column} = ${column} - 1 WHERE ${ofLate}`
    : column === "imported"
    ? `UPDATE ${table} SET imported = 1 - imported WHERE ${ofLate}`
    : `UPDATE ${table} SET ${column} = ${column} || '1' WHERE ${ofLate}`
)

describe.each(databases)("before a report of an archive in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(body, archive))

  test(
    "nothing is lost where everything is as it was written",
    Effect.gen(function*() {
      yield* kept
      assert.deepStrictEqual(yield* lost, [])
    })
  )

  test(
    "a deposit that settled late is lost whatever became of its row or of its earlier version",
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* kept
      const statements = [
        ...damages,
        `DELETE FROM deposits WHERE ${ofLate}`,
        `DELETE FROM versions WHERE ${ofLate}`,
        "DELETE FROM controls",
        // Nothing tells any more that it changed but the version.
        `UPDATE deposits SET history = 0, seen_at = ${NOW + 1}, status = 4 WHERE ${ofLate}`,
        `UPDATE deposits SET history = 0, id = id || '1' WHERE ${ofLate}`
      ]
      for (const statement of statements) {
        const found = yield* sql.withTransaction(
          Effect.flatMap(Effect.andThen(sql.unsafe(statement), lost), Effect.fail)
        ).pipe(Effect.flip)
        assert.isTrue(Array.isArray(found) && found.some(({ from, to }) => from <= NOW && to > NOW - 1), statement)
      }
      assert.deepStrictEqual(yield* lost, [])
    })
  )

  test(
    "a deposit that is gone is lost though it was never seen to change",
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* kept
      yield* sql`DELETE FROM deposits WHERE tx_id = 'ordinary'`
      const found = yield* lost
      assert.isTrue(found.some(({ from, to }) => from <= NOW - DAY && to > NOW - DAY))
    })
  )

  test(
    "a deposit that never changed did not settle late, whatever became of its amount; a check tells of it",
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* kept
      yield* sql`UPDATE deposits SET amount = '2' WHERE tx_id = 'ordinary'`
      assert.deepStrictEqual(yield* lost, [])
      const { deposits } = yield* Archive.Archive
      assert.strictEqual((yield* deposits.check(range)).length, 1)
    })
  )
})
