/** What is looked at before each report: deposits that may have settled late, without reading those that never changed. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DepositTable from "../src/internal/records/DepositTable.ts"
import * as RecordTable from "../src/internal/records/RecordTable.ts"
import * as VersionTable from "../src/internal/records/VersionTable.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const DAY = 86_400_000

const range = { from: NOW - 5 * DAY, to: NOW + 5 * DAY }

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

const ofDeposits = RecordTable.columns(DepositTable.table)

/** A statement that leaves another value in a column. */
const edited = (table: string, column: string): string =>
  ["last_seen", "vanished_at"].includes(column)
    ? `UPDATE ${table} SET ${column} = COALESCE(${column}, 0) + 1 WHERE ${ofLate}`
    : ["at", "query", "seen_at", "history", "checksum", "status", "number"].includes(column)
    ? `UPDATE ${table} SET ${column} = ${column} - 1 WHERE ${ofLate}`
    : column === "imported"
    ? `UPDATE ${table} SET imported = 1 - imported WHERE ${ofLate}`
    : `UPDATE ${table} SET ${column} = ${column} || '1' WHERE ${ofLate}`

/** What says of a deposit whether it was seen to change, and when. */
const telling = ["at", "id", "seen_at", "imported", "history", "checksum"].map((column) => edited("deposits", column))

const losses = [
  `DELETE FROM deposits WHERE ${ofLate}`,
  `DELETE FROM versions WHERE ${ofLate}`,
  "DELETE FROM controls",
  // Nothing tells any more that it changed but the version.
  `UPDATE deposits SET history = 0, seen_at = ${NOW + 1}, status = 4 WHERE ${ofLate}`,
  `UPDATE deposits SET history = 0, id = id || '1' WHERE ${ofLate}`,
  // Numbers that no number holds.
  `UPDATE deposits SET seen_at = ${2n ** 63n - 1n} WHERE ${ofLate}`,
  `UPDATE deposits SET seen_at = ${-(2n ** 62n)} WHERE ${ofLate}`,
  `UPDATE deposits SET seen_at = seen_at + ${2n ** 40n} WHERE ${ofLate}`,
  `UPDATE deposits SET checksum = ${2n ** 63n - 1n} WHERE ${ofLate}`,
  // By an hour, as a wrong time zone would have it.
  `UPDATE deposits SET at = at + 3600000, seen_at = seen_at + 3600000 WHERE ${ofLate}`
]

/** Each column of the row and of its earlier version with another value in it, and rows that are gone. */
const damages = [
  ...ofDeposits.map((column) => edited("deposits", column)),
  ...VersionTable.COLUMNS.filter((column) => column !== "operation").map((column) => edited("versions", column)),
  ...losses
]

const broken = { side: "deposit", source: "", path: "", reason: "", raw: JSON.stringify({ insertTime: NOW }) } as const

const complete = (operation: "deposits" | "transfers", readAt: number) => ({
  operation,
  ...range,
  readAt,
  state: "complete" as const
})

/** A deposit that settled a day after its own time and was moved then, everything read; without statuses there was none. */
const moved = Effect.fnUntraced(function*(shown: ReadonlyArray<number>) {
  const { deposits, transfers } = yield* Archive.Archive
  for (const [index, readAt] of [NOW + 1, NOW + DAY - 1, NOW + DAY, range.to].entries()) {
    const coverage = [complete("deposits", readAt)]
    const records = shown.slice(index, index + 1).map((status) => deposit({ status }))
    yield* deposits.saveSlice({ ...range, records, bad: [], coverage })
  }
  const coverage = [complete("transfers", range.to)]
  const records = [transfer({ timestamp: NOW + DAY + 600_000 })]
  yield* transfers.saveSlice({ ...range, records, bad: [], coverage })
})

/** What is said of a transfer a day after the deposit. */
const outcomes = Effect.map(
  ArchiveReconciliation.run({
    range: { from: NOW + DAY - 3_600_000, to: NOW + DAY + 3_600_000 },
    accounts: { list: ["a@x"], complete: true }
  }),
  ({ outcomes }) => outcomes.filter(({ code }) => code !== "bad-record").map(({ code, final }) => ({ code, final }))
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
      for (const statement of [...telling, ...losses]) {
        const found = yield* sql.withTransaction(
          Effect.flatMap(Effect.andThen(sql.unsafe(statement), lost), Effect.fail)
        ).pipe(Effect.flip)
        assert.isTrue(Array.isArray(found) && found.some(({ from, to }) => from <= NOW && to > NOW - 1), statement)
      }
      assert.deepStrictEqual(yield* lost, [])
    })
  )

  test(
    "a report states nothing final of a transfer whose deposit or its earlier version is not as it was written",
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* moved([4, 4, 5, 5])
      assert.deepStrictEqual((yield* outcomes).map(({ code }) => code), ["exact"])
      for (const statement of damages) {
        const found = yield* sql.withTransaction(
          Effect.flatMap(Effect.andThen(sql.unsafe(statement), outcomes), Effect.fail)
        ).pipe(Effect.flip)
        assert.isTrue(Array.isArray(found) && found.every(({ final }) => !final), statement)
      }
    })
  )

  test(
    "a report states finally that the deposit of a transfer is missing where none was ever shown",
    Effect.gen(function*() {
      yield* moved([])
      assert.deepStrictEqual(yield* outcomes, [{ code: "missing-deposit", final: true }])
    })
  )

  test(
    "deposits that exchanged the times at which they were seen are lost",
    Effect.gen(function*() {
      const { sql } = yield* Database
      const [a, b] = [{ txId: "a" }, { txId: "b", insertTime: NOW + 1 }]
      yield* page(NOW + 2, deposit({ ...a, status: 4 }), deposit({ ...b, status: 4 }))
      yield* page(NOW + DAY, deposit(a))
      yield* page(NOW + DAY + 7_200_000, deposit(b))
      assert.deepStrictEqual(yield* lost, [])
      yield* sql`UPDATE deposits SET seen_at = ${2 * (NOW + DAY) + 7_200_000} - seen_at`
      assert.isNotEmpty(yield* lost)
    })
  )

  test(
    "a deposit that could not be read is lost where its row is not as it was written",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* deposits.savePage({ readAt: NOW + 1, records: [deposit()], bad: [broken] })
      assert.deepStrictEqual(yield* lost, [])
      for (const change of ["gone_at = 1", "timed = 2", "occurrences = 2"]) {
        const found = yield* sql.withTransaction(
          Effect.flatMap(Effect.andThen(sql.unsafe(`UPDATE bad_records SET ${change}`), lost), Effect.fail)
        ).pipe(Effect.flip)
        assert.isTrue(Array.isArray(found) && found.some(({ from, to }) => from <= NOW && to > NOW), change)
      }
    })
  )

  test(
    "a deposit that a file disputes is lost where the file's word is no longer marked as one",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* page(NOW + 1, deposit({ status: 4 }))
      yield* page(NOW + DAY, deposit({ status: 5 }))
      yield* deposits.importRecords([deposit({ status: 7 })])
      const moment = { from: NOW, to: NOW + 1 }
      assert.deepStrictEqual((yield* unknown).disputed, [moment])
      assert.deepStrictEqual(yield* lost, [])
      yield* sql`UPDATE versions SET imported = 0`
      assert.deepStrictEqual((yield* unknown).disputed, [])
      assert.deepStrictEqual(yield* lost, [moment])
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
