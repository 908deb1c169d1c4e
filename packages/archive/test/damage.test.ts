/** What was damaged, lost or edited since it was written is never believed: rows of every table that a report is made of. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Database } from "../src/internal/sql/Database.ts"
import * as Sqlite from "../src/internal/sqlite/Sqlite.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

const range = { from: NOW - 2 * DAY, to: NOW + 2 * DAY }
const account = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" } as const

const complete = (
  interval: Coverage.Interval,
  readAt: number,
  operation: "deposits" | "transfers" = "deposits"
): Coverage.Coverage => ({ operation, ...interval, readAt, state: "complete" })

const bad = { side: "deposit", source: "s", path: "p", reason: "r", raw: `{"insertTime":${NOW}}` } as const

/** A deposit a day, three versions of a transfer, and a record that cannot be read. */
const fill = Effect.gen(function*() {
  const { deposits, transfers } = yield* Archive.Archive
  const records = [-1, 0, 1].map((day) => deposit({ insertTime: NOW + day * DAY, txId: `${day}` }))
  yield* deposits.saveSlice({ ...range, records, bad: [bad], coverage: [complete(range, NOW + 2 * DAY)] })
  for (const [index, status] of ["PENDING", "PROCESS", "SUCCESS"].entries()) {
    const readAt = NOW + 2 * DAY + index
    const coverage = [{ ...complete(range, readAt, "transfers"), query: account }]
    yield* transfers.saveSlice({ ...range, records: [transfer({ status })], bad: [], coverage }, account)
  }
})

const damage = (change: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>) =>
  Effect.flatMap(Database, ({ sql }) => change(sql))

/** What is given of the range: the records, what cannot be read, and of which time it is complete. */
const given = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const side = <Record>(history: Archive.History<Record>) =>
    Effect.map(Stream.runCollect(history.slices(range)), (slices) => ({
      records: slices.flatMap(({ records }) => records),
      bad: slices.flatMap(({ bad }) => bad),
      gaps: Coverage.merge(slices.flatMap(({ coverage }) => coverage)).filter(({ state }) => state !== "complete"),
      coverage: Coverage.merge(slices.flatMap(({ coverage }) => coverage))
    }))
  return { deposits: yield* side(archive.deposits), transfers: yield* side(archive.transfers) }
})

const checks = Archive.Archive.use(({ deposits, transfers }) =>
  Effect.map(Effect.all([deposits.check(range), transfers.check(range)]), (found) => found.flat())
)

const day = (time: number) => Math.floor(time / DAY) * DAY

const isDamaged = ({ gap, state }: Coverage.Coverage): boolean => state === "incomplete" && gap?.code === "damaged"

describe.each(databases)("a damaged archive in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(Effect.andThen(fill, body), archive))

  test(
    "is believed while it is whole",
    Effect.gen(function*() {
      const { deposits, transfers } = yield* given
      assert.deepStrictEqual([deposits.gaps, transfers.gaps], [[], []])
      assert.deepStrictEqual([deposits.records.length, transfers.records.length], [3, 1])
      assert.deepStrictEqual(transfers.records[0]?.before.length, 2)
      assert.deepStrictEqual(yield* checks, [])
    })
  )

  test(
    "of which a record is gone is not complete on that day, and names it",
    Effect.gen(function*() {
      yield* damage((sql) => sql`DELETE FROM deposits WHERE at = ${NOW}`)
      const { deposits, transfers } = yield* given
      assert.deepStrictEqual(deposits.gaps.map(({ from, gap, to }) => ({ from, to, gap })), [{
        from: day(NOW),
        to: day(NOW) + DAY,
        gap: {
          code: "damaged",
          detail: "the archive does not hold what was proven here: read it again, or restore a backup"
        }
      }])
      assert.deepStrictEqual(transfers.gaps, [])
      assert.strictEqual(deposits.records.length, 2)
      const stretch = { operation: "deposits", from: day(NOW), to: day(NOW) + DAY } as const
      assert.deepStrictEqual(yield* checks, [{ ...stretch, expected: 2, found: 1, altered: 0 }])
    })
  )

  test(
    "of which a record was edited gives it as one that cannot be read",
    Effect.gen(function*() {
      yield* damage((sql) => sql`UPDATE deposits SET amount = '999' WHERE at = ${NOW}`)
      const { deposits } = yield* given
      assert.strictEqual(deposits.records.length, 2)
      const [, edited] = deposits.bad
      assert.include(edited?.raw, "\"999\"")
      assert.include(edited?.reason, "is not as it was written")
      assert.isTrue(deposits.gaps.every(isDamaged))
      assert.deepInclude((yield* checks)[0], { expected: 2, found: 2, altered: 1 })
    })
  )

  test(
    "loses no version of a record, and nothing that could not be read, without saying so",
    Effect.gen(function*() {
      yield* damage((sql) => sql`DELETE FROM versions WHERE number = 1`)
      yield* damage((sql) => sql`DELETE FROM bad_records`)
      const { deposits, transfers } = yield* given
      assert.isTrue(transfers.gaps.length === 1 && transfers.gaps.every(isDamaged))
      assert.isTrue(deposits.gaps.length === 1 && deposits.gaps.every(isDamaged))
    })
  )

  test(
    "does not read what stands in a version that was edited",
    Effect.gen(function*() {
      yield* damage((sql) => sql`UPDATE versions SET content = 'no JSON' WHERE number = 1`)
      const { transfers } = yield* given
      assert.strictEqual(transfers.records[0]?.before.length, 1)
      assert.isTrue(transfers.gaps.length === 1 && transfers.gaps.every(isDamaged))
      assert.strictEqual(transfers.bad.length, 1)
    })
  )

  test(
    "covers nothing where the row of its coverage was edited, or its query is gone",
    Effect.gen(function*() {
      yield* damage((sql) => sql`UPDATE coverage SET to_ms = to_ms + 5 WHERE operation = 'deposits'`)
      yield* damage((sql) => sql`DELETE FROM queries`)
      const { deposits, transfers } = yield* given
      assert.isTrue(deposits.coverage.length === 1 && deposits.coverage.every(isDamaged))
      assert.isTrue(transfers.coverage.length > 0 && transfers.coverage.every(isDamaged))
    })
  )

  test(
    "takes no edited row of coverage for the last reading, or for the end of what is known",
    Effect.gen(function*() {
      const told = Archive.Archive.use(({ coveredTo, lastReading }) => Effect.all([coveredTo, lastReading]))
      const before = yield* told
      assert.isTrue(before.every((time) => time !== null && time > 0))
      yield* damage((sql) =>
        sql`UPDATE coverage SET to_ms = to_ms + 5, read_at = read_at + 5 WHERE operation = 'deposits'`
      )
      assert.deepStrictEqual(yield* told, before)
      yield* damage((sql) => sql`UPDATE coverage SET to_ms = to_ms + 5, read_at = read_at + 5`)
      assert.deepStrictEqual(yield* told, [null, null])
    })
  )

  for (const operation of ["deposits", "transfers"] as const) {
    test(
      `names the time of which all coverage of ${operation} is gone, and gives no complete part of it`,
      Effect.gen(function*() {
        yield* damage((sql) => sql`DELETE FROM coverage WHERE operation = ${operation}`)
        const { outdated } = yield* Integrity.check()
        const lost = outdated.filter((part) => part.operation === operation)
        assert.isTrue(lost.some(({ from, to }) => from <= range.from && to > range.from))
        assert.isTrue(lost.some(({ from, to }) => from < range.to && to >= range.to))
        assert.deepStrictEqual(outdated.filter((part) => part.operation !== operation), [])
        const found = (yield* given)[operation].coverage
        assert.isTrue(found.length > 0 && found.every(isDamaged))
      })
    )
  }

  test(
    "names queries that are gone, also where nothing but coverage tells of them",
    Effect.gen(function*() {
      for (const table of ["queries", "scopes"]) yield* damage((sql) => sql`DELETE FROM ${sql(table)}`)
      const { structure } = yield* Integrity.check()
      assert.isTrue(structure.some((line) => line.startsWith("1 of its queries")), structure.join())
    })
  )

  test(
    "whose records are those of an earlier time does not cover what was read later",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      const older = yield* sql`SELECT * FROM controls WHERE operation = 'deposits'`
      const added = deposit({ insertTime: NOW + HOUR, txId: "later" })
      const slice = { from: NOW, to: NOW + 2 * HOUR }
      const records = [deposit({ insertTime: NOW, txId: "0" }), added]
      yield* deposits.saveSlice({ ...slice, records, bad: [], coverage: [complete(slice, NOW + 3 * DAY)] })
      yield* sql`DELETE FROM controls WHERE operation = 'deposits'`
      for (const row of older) yield* sql`INSERT INTO controls ${sql.insert({ ...row })}`
      yield* sql`DELETE FROM deposits WHERE at = ${added.insertTime}`
      const found = (yield* given).deposits
      assert.isTrue(found.gaps.length > 0 && found.gaps.every(isDamaged))
      assert.isTrue(found.gaps.some(({ from, to }) => from <= NOW && to >= NOW + 2 * HOUR))
    })
  )

  test(
    "is repaired by taking out what was edited, and never complete again although the time was read again",
    Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive.Archive
      yield* damage((sql) => sql`UPDATE deposits SET amount = '999' WHERE at = ${NOW}`)
      yield* damage((sql) => sql`DELETE FROM transfers`)
      assert.strictEqual((yield* deposits.repair(range)).length, 1)
      assert.strictEqual((yield* transfers.repair(range)).length, 1)
      assert.deepStrictEqual(yield* checks, [])
      const repaired = yield* given
      assert.isTrue(repaired.deposits.gaps.length === 1 && repaired.deposits.gaps.every(isDamaged))
      assert.isTrue(repaired.deposits.bad.some(({ raw }) => raw.includes("\"999\"")))
      assert.isTrue(repaired.transfers.gaps.length === 1 && repaired.transfers.gaps.every(isDamaged))
      const again = { from: day(NOW), to: day(NOW) + DAY }
      const readAt = NOW + 3 * DAY
      const records = [deposit({ insertTime: NOW, txId: "0" })]
      yield* deposits.saveSlice({ ...again, records, bad: [bad], coverage: [complete(again, readAt)] })
      const coverage = [{ ...complete(again, readAt, "transfers"), query: account }]
      yield* transfers.saveSlice({ ...again, records: [transfer()], bad: [], coverage }, account)
      const after = yield* given
      for (const { gaps } of [after.deposits, after.transfers]) {
        assert.deepStrictEqual(gaps.map(({ from, gap, to }) => [from, to, gap?.code]), [
          [day(NOW), day(NOW) + DAY, "damaged"]
        ])
        assert.include(gaps[0]?.gap?.detail, "the exchange shows only what it knows now")
      }
      assert.deepStrictEqual([after.deposits.records.length, after.transfers.records.length], [3, 1])
      assert.deepStrictEqual(after.transfers.records[0]?.before.length, 2)
      assert.isTrue(after.deposits.bad.some(({ raw }) => raw.includes("\"999\"")))
    })
  )

  test(
    "takes up the versions of a record that was lost and is shown again",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* damage((sql) => sql`DELETE FROM transfers`)
      yield* transfers.repair(range)
      for (const [index, status] of ["SUCCESS", "FAILED"].entries()) {
        const readAt = NOW + 3 * DAY + index
        const coverage = [{ ...complete(range, readAt, "transfers"), query: account }]
        yield* transfers.saveSlice({ ...range, records: [transfer({ status })], bad: [], coverage }, account)
      }
      const [found] = (yield* given).transfers.records
      assert.deepStrictEqual(found?.before.map(({ record }) => record.status), ["PENDING", "PROCESS", "SUCCESS"])
      assert.deepStrictEqual(yield* checks, [])
    })
  )

  test(
    "compares nothing that is shown with a row that was edited",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      yield* damage((sql) => sql`UPDATE deposits SET status = 1 WHERE at = ${NOW}`)
      const shown = { readAt: NOW + 3 * DAY, records: [deposit({ insertTime: NOW, txId: "0" })], bad: [] }
      assert.deepInclude(yield* deposits.savePage(shown), { added: 1, changed: 0 })
      const found = (yield* given).deposits
      assert.deepStrictEqual(found.records.map(({ before }) => before.length), [0, 0, 0])
      assert.isTrue(found.gaps.length === 1 && found.gaps.every(isDamaged))
    })
  )

  describe("calls no deposit of a transfer missing that settled days after its own time", () => {
    const wide = { from: NOW - 5 * DAY, to: NOW + 5 * DAY }
    /** Pending until `delay`, and moved ten minutes after that. */
    const settle = Effect.fnUntraced(function*(delay: number) {
      const { deposits, transfers } = yield* Archive.Archive
      for (const [status, readAt] of [[4, NOW + HOUR], [4, NOW + delay - 1], [5, NOW + delay], [5, wide.to]] as const) {
        const records = [deposit({ status })]
        yield* deposits.saveSlice({ ...wide, records, bad: [], coverage: [complete(wide, readAt)] })
      }
      const records = [transfer({ timestamp: NOW + delay + HOUR / 6 })]
      yield* transfers.saveSlice({ ...wide, records, bad: [], coverage: [complete(wide, wide.to, "transfers")] })
    })
    const codes = (at: number) =>
      ArchiveReconciliation.run({
        range: { from: at - HOUR, to: at + HOUR },
        accounts: { list: ["a@x"], complete: true }
      }).pipe(Effect.map(({ outcomes }) => outcomes.flatMap(({ code }) => (code === "bad-record" ? [] : [code]))))
    const blows: ReadonlyArray<readonly [string, (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError>]> = [
      ["is gone", (sql) => sql`DELETE FROM deposits`],
      ["was edited", (sql) => sql`UPDATE deposits SET history = 0`],
      ["has lost its versions", (sql) => sql`DELETE FROM versions`]
    ]
    for (const [name, blow] of blows) {
      for (const delay of [DAY, 3 * DAY]) {
        it.effect(`and ${name}, ${delay / DAY} days later`, () =>
          Effect.gen(function*() {
            yield* settle(delay)
            assert.deepStrictEqual(yield* codes(NOW + delay), ["exact"])
            yield* damage(blow)
            assert.deepStrictEqual(yield* codes(NOW + delay), ["coverage-gap"])
            yield* (yield* Archive.Archive).deposits.repair(wide)
            assert.deepStrictEqual(yield* codes(NOW + delay), ["coverage-gap"])
          }).pipe(Effect.provide(archive)))
      }
    }
  })

  it.effect("knows of each of many records of one day, also of one time", () =>
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      const records = Array.from({ length: 30_000 }, (_, index) =>
        deposit({ insertTime: NOW + (index % 3 === 0 ? 7 : index), txId: `${index}` }))
      for (let from = 0; from < records.length; from += 5000) {
        yield* deposits.savePage({ readAt: NOW, records: records.slice(from, from + 5000), bad: [] })
      }
      yield* deposits.saveSlice({ ...range, records, bad: [], coverage: [complete(range, NOW + DAY)] })
      const stretches = yield* sql<{ readonly records: number }>`SELECT records FROM controls WHERE records > 0`
      assert.isAbove(stretches.length, 3)
      assert.deepStrictEqual(yield* deposits.check(range), [])
      yield* sql`DELETE FROM deposits WHERE at = ${NOW + 20_000}`
      const [found] = yield* deposits.check(range)
      assert.isTrue(found !== undefined && found.from > NOW && found.from <= NOW + 20_000 && NOW + 20_000 < found.to)
      const slices = yield* Stream.runCollect(deposits.slices({ ...range, batch: 100 }))
      assert.strictEqual(
        slices.flatMap(({ records }) =>
          records
        ).length,
        29_999
      )
    }).pipe(Effect.provide(archive)), 60_000)
})

const Change = Schema.Struct({
  kind: Schema.Literals(["page", "slice", "import"]),
  times: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))).check(Schema.isMaxLength(6)),
  status: Schema.Literals([4, 5, 7]),
  bad: Schema.Boolean
})

/** Tables and columns that a report is made of, and a value that none of their rows has. */
const columns = [
  ["deposits", "amount", "77"],
  ["deposits", "status", 3],
  ["deposits", "query", 5],
  ["deposits", "vanished_at", 99],
  ["versions", "seen_at", 99],
  ["versions", "kind", "none"],
  ["bad_records", "gone_at", 99],
  ["bad_records", "until", 99],
  ["bad_records", "raw", "{}"],
  ["coverage", "read_at", 98],
  ["coverage", "state", "none"]
] as const

const Blow = Schema.Struct({
  column: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: columns.length - 1 })),
  row: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
  isLost: Schema.Boolean
})

const whole = { from: NOW, to: NOW + 100 * HOUR }

const apply = Effect.fnUntraced(function*(changes: ReadonlyArray<typeof Change.Type>) {
  const { deposits } = yield* Archive.Archive
  yield* TestClock.setTime(NOW + 400 * HOUR)
  for (const [index, { bad: isBad, kind, status, times }] of changes.entries()) {
    const records = [...new Set(times)].map((time) => deposit({ insertTime: NOW + time * HOUR, status }))
    const readAt = NOW + 200 * HOUR + index
    const others = isBad ? [bad, { ...bad, raw: "null" }] : []
    if (kind === "page") yield* deposits.savePage({ readAt, records, bad: others, asked: whole })
    else if (kind === "import") yield* deposits.importRecords(records, readAt)
    else yield* deposits.saveSlice({ ...whole, records, bad: others, coverage: [complete(whole, readAt)] })
  }
})

describe("of any history", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))
  const read = Archive.Archive.use(({ deposits }) =>
    Effect.map(Stream.runCollect(deposits.slices(whole)), (slices) => ({
      slices,
      isDamaged: slices.some(({ coverage }) => coverage.some(isDamaged)),
      isComplete: slices.every((slice) => Coverage.uncovered(slice.coverage, slice).length === 0)
    }))
  )

  it.effect.prop(
    "the control totals agree with what is kept, and no single damage goes unnoticed",
    [Schema.Array(Change).check(Schema.isMaxLength(6)), Blow],
    ([changes, { column, isLost, row }]) =>
      Effect.gen(function*() {
        yield* apply(changes)
        const { deposits } = yield* Archive.Archive
        const { sql } = yield* Database
        assert.deepStrictEqual(yield* deposits.check(whole), [])
        const before = yield* read
        assert.isFalse(before.isDamaged)
        const [table, name, value] = columns[column] ?? columns[0]
        const order = sql.literal(table === "deposits" ? "at, id" : table === "versions" ? "id, number" : "1, 2, 3, 4")
        const rows = yield* sql`SELECT * FROM ${sql(table)} ORDER BY ${order}`
        const hit = rows[row % Math.max(rows.length, 1)]
        if (hit === undefined) return
        yield* sql`DELETE FROM ${sql(table)}`
        for (const one of rows) {
          if (one === hit && isLost) continue
          yield* sql`INSERT INTO ${sql(table)} ${sql.insert(one === hit ? { ...one, [name]: value } : one)}`
        }
        const after = yield* read
        if (before.isComplete) assert.isFalse(after.isComplete, `${table}.${name}`)
      }).pipe(Effect.provide(archive)),
    { arbitrary: { runs: Math.max(50, Math.min(Number(process.env["TALLYSTICK_CASES"] ?? 50), 500)) } }
  )
})
