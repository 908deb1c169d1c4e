/**
 * How the days of the archive stand, in a few words each: what an execution would read of a day is as before while they stay. The
 * control totals change whenever anything is written; of days whose totals changed it is then looked at what a report shows, because
 * a day that is only read once more, to the same end, did not change.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import type * as ArchiveError from "../../ArchiveError.ts"
import type * as CoverageRow from "../coverage/CoverageRow.ts"
import * as Day from "../coverage/Day.ts"
import type * as Database from "../sql/Database.ts"
import * as Insert from "../sql/Insert.ts"

type Operation = Coverage.Coverage["operation"]

/** This is a row of `book_days`. */
interface DayRow {
  readonly operation: Operation
  /** Its beginning, Unix ms. */
  readonly day: number
  readonly totals: string
  readonly records: string
  readonly coverage: string
}

/** A day (UTC) of an operation, and what of it is not as it was. */
export interface Changed extends Coverage.Interval {
  readonly operation: Operation
  readonly hasOtherRecords: boolean
  readonly hasOtherCoverage: boolean
}

export interface Standing {
  /** What changed since the books were carried forward last; nothing where they never were. */
  readonly changed: ReadonlyArray<Changed>
  /** The days that do not stand as they are kept, as they stand now. */
  readonly days: ReadonlyArray<DayRow>
}

interface Total {
  readonly operation: Operation
  readonly from_ms: number
  readonly records: number
  readonly checksums: number
  readonly claims: number
}

const COLUMNS = ["operation", "day", "totals", "records", "coverage"] as const

/** So many bits of a time are added up: sums of a day stay below 2^53, and a change of a time by hours still shows. */
const LOW = 0xff_ffff

const keyOf = ({ day, operation }: Pick<DayRow, "day" | "operation">): string => `${operation} ${day}`

/** Adds up the stretches of each day. */
const byDay = (totals: ReadonlyArray<Total>): ReadonlyArray<Pick<DayRow, "day" | "operation" | "totals">> =>
  Array.from(
    Map.groupBy(totals, ({ from_ms, operation }) => keyOf({ operation, day: Day.dayOf(from_ms) })).values()
  ).flatMap((stretches) => {
    const [first] = stretches
    if (first === undefined) return []
    const sum = (of: (total: Total) => number) => stretches.reduce((sum, total) => sum + BigInt(of(total)), 0n)
    return [{
      operation: first.operation,
      day: Day.dayOf(first.from_ms),
      totals: [sum(({ records }) => records), sum(({ checksums }) => checksums), sum(({ claims }) => claims)].join(" ")
    }]
  })

type Claim = Pick<CoverageRow.CoverageRow, "from_ms" | "gap_code" | "query" | "state" | "to_ms" | "vouched">

/** Hashes what is known of each query, whenever it was read. Rows that go on where another one ends count as one. */
const digestOf = (rows: ReadonlyArray<Claim>, day: number): string => {
  const hash = createHash("sha256")
  let [last, begin, end] = ["", 0, 0]
  const flush = (): void => {
    if (last !== "") hash.update(`${last} ${begin} ${end}\n`)
  }
  for (const { from_ms, gap_code, query, state, to_ms, vouched } of rows) {
    const [from, to] = [Math.max(from_ms, day), Math.min(to_ms, Day.endOf(day))]
    const says = `${query} ${state} ${vouched} ${gap_code ?? ""}`
    if (says === last && from === end) end = to
    else {
      flush()
      ;[last, begin, end] = [says, from, to]
    }
  }
  flush()
  return hash.digest("hex")
}

const table = { deposits: "deposits", transfers: "transfers" } as const

export const make = ({ error, sql }: Database.Service) => {
  const insert = Insert.into(sql, "book_days", COLUMNS, ["operation", "day"])

  /**
   * A record that came, went, vanished or got another version changes one of these sums. When a record was seen last matters where a
   * file tells something of it: the later word counts.
   */
  const recordsOf = Effect.fnUntraced(function*(operation: Operation, day: number) {
    const within = sql`at >= ${day} AND at < ${Day.endOf(day)}`
    const sum = (column: string) => sql.literal(`CAST(COALESCE(SUM(${column}), 0) AS BIGINT)`)
    const kept = yield* sql<Record<string, number>>`SELECT COUNT(*) AS count, ${sum("history")} AS history,
      ${sum("imported")} AS imported, ${sum(`seen_at & ${LOW}`)} AS seen, COUNT(vanished_at) AS vanished,
      ${sum(`vanished_at & ${LOW}`)} AS gone FROM ${sql(table[operation])} WHERE ${within}`
    const versions = yield* sql<Record<string, number>>`SELECT COUNT(*) AS count, ${sum(`checksum & ${LOW}`)} AS sum
      FROM versions WHERE operation = ${operation} AND ${within}`
    const told = yield* sql<Record<string, number>>`SELECT ${sum(`last_seen & ${LOW}`)} AS last
      FROM ${sql(table[operation])} r WHERE ${within} AND history > 0 AND EXISTS (SELECT 1 FROM versions v
        WHERE v.operation = ${operation} AND v.at = r.at AND v.id = r.id AND v.imported = 1)`
    const bad = yield* sql<Record<string, number>>`SELECT COUNT(*) AS count, ${sum(`checksum & ${LOW}`)} AS sum
      FROM bad_records WHERE operation = ${operation} AND ${within}`
    return [kept, versions, told, bad].flat().flatMap((row) => Object.values(row)).join(" ")
  })

  const coverageOf = (operation: Operation, day: number) =>
    Effect.map(
      sql<Claim>`SELECT query, from_ms, to_ms, state, gap_code, vouched FROM coverage
        WHERE operation = ${operation} AND from_ms < ${Day.endOf(day)} AND to_ms > ${day} ORDER BY query, from_ms`,
      (rows) => digestOf(rows, day)
    )

  const kept = Effect.map(
    sql<DayRow>`SELECT operation, day, totals, records, coverage FROM book_days`,
    (rows): ReadonlyMap<string, DayRow> => new Map(rows.map((row) => [keyOf(row), row]))
  )

  const totals = Effect.map(
    sql<Total>`SELECT operation, from_ms, records, checksums, claims FROM controls ORDER BY operation, from_ms`,
    byDay
  )

  /** Tells how the days of the archive stand, and which of them changed since the books were carried forward last. */
  const now: Effect.Effect<Standing, ArchiveError.DatabaseError> = Effect.gen(function*() {
    const before = yield* kept
    const last = new Map<Operation, number>()
    for (const { day, operation } of before.values()) last.set(operation, Math.max(last.get(operation) ?? day, day))
    const days: Array<DayRow> = []
    const changed: Array<Changed> = []
    for (const told of yield* totals) {
      const known = before.get(keyOf(told))
      if (known?.totals === told.totals) continue
      const { day, operation } = told
      const row = {
        ...told,
        records: yield* recordsOf(operation, day),
        coverage: yield* coverageOf(operation, day)
      }
      days.push(row)
      const hasOtherRecords = known?.records !== row.records
      const hasOtherCoverage = known?.coverage !== row.coverage
      // Where reading went on behind time that nobody read, that time is a hole from now on.
      const from = Math.min(last.get(operation) ?? day, day)
      last.set(operation, Math.max(last.get(operation) ?? day, day))
      if (before.size > 0 && (hasOtherRecords || hasOtherCoverage)) {
        changed.push({
          operation,
          from: from < day - Day.DAY ? from : day,
          to: Day.endOf(day),
          hasOtherRecords,
          hasOtherCoverage
        })
      }
    }
    return { changed, days }
  }).pipe(Effect.mapError(error))

  /**
   * Keeps the days as they stood before the runs of an execution. What changed meanwhile, and what changed before where the execution
   * carried nothing, is kept as days that nothing is like, so that they are due. It runs inside the transaction that brings the books
   * forward.
   */
  const keep = Effect.fnUntraced(function*(
    { changed, days }: Standing,
    isCarried: boolean
  ): Effect.fn.Return<void, SqlError> {
    const before = yield* kept
    const stood = new Map([...before, ...days.map((row) => [keyOf(row), row] as const)])
    const due = new Set(isCarried ? [] : changed.map(({ operation, to }) => keyOf({ operation, day: to - Day.DAY })))
    const rows = (yield* totals).flatMap((told): ReadonlyArray<DayRow> => {
      const key = keyOf(told)
      const row = stood.get(key)
      if (row === undefined || row.totals !== told.totals || due.has(key)) {
        return [{ operation: told.operation, day: told.day, totals: "", records: "", coverage: "" }]
      }
      return before.get(key) === row ? [] : [row]
    })
    yield* insert(rows.map((row) => COLUMNS.map((column) => row[column])))
  })

  /**
   * Names the days of which the table says that nothing changed, although something of them is not as the table says. Only an edit of it
   * makes that so.
   */
  const faults: Effect.Effect<ReadonlyArray<string>, SqlError> = Effect.gen(function*() {
    const before = yield* kept
    const found: Array<string> = []
    for (const { day, operation, totals: now } of yield* totals) {
      const known = before.get(keyOf({ day, operation }))
      if (known?.totals !== now) continue
      const isSame = known.records === (yield* recordsOf(operation, day)) &&
        known.coverage === (yield* coverageOf(operation, day))
      if (isSame) continue
      const named = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day))
      found.push(
        `the books take the ${operation} of ${named} for unchanged, and they are not as they stood: somebody edited book_days`
      )
    }
    return found
  })

  return { faults: sql.withTransaction(faults), keep, now }
}
