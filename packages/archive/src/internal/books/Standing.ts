/**
 * How the days of the archive stand, in a few words each: what an execution would read of a day is as before while they stay. The
 * control totals change whenever anything is written; of days whose totals changed it is then looked at what a report shows, because
 * a day that is only read once more, to the same end, did not change.
 */
import type * as Coverage from "@tallystick/core/Coverage"
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
  /** What changed since the books were carried forward last. */
  readonly changed: ReadonlyArray<Changed>
  /** The days that are to be kept as they stand now. */
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

  /** A record that came, went, vanished or got another version changes one of these sums. */
  const recordsOf = Effect.fnUntraced(function*(operation: Operation, day: number) {
    const within = sql`at >= ${day} AND at < ${Day.endOf(day)}`
    const sum = (column: string) => sql.literal(`CAST(COALESCE(SUM(${column}), 0) AS BIGINT)`)
    const [kept] = yield* sql<Record<string, number>>`SELECT COUNT(*) AS count, ${sum("history")} AS history,
      ${sum("imported")} AS imported, ${sum(`seen_at & ${LOW}`)} AS seen, COUNT(vanished_at) AS vanished,
      ${sum(`vanished_at & ${LOW}`)} AS gone FROM ${sql(table[operation])} WHERE ${within}`
    const [bad] = yield* sql<Record<string, number>>`SELECT COUNT(*) AS count, ${sum("occurrences")} AS occurrences,
      COUNT(gone_at) AS gone FROM bad_records WHERE operation = ${operation} AND ${within}`
    return [...Object.values(kept ?? {}), ...Object.values(bad ?? {})].join(" ")
  })

  const coverageOf = (operation: Operation, day: number) =>
    Effect.map(
      sql<Claim>`SELECT query, from_ms, to_ms, state, gap_code, vouched FROM coverage
        WHERE operation = ${operation} AND from_ms < ${Day.endOf(day)} AND to_ms > ${day} ORDER BY query, from_ms`,
      (rows) => digestOf(rows, day)
    )

  /** Tells how the days of the archive stand, and which of them changed since the books were carried forward last. */
  const now: Effect.Effect<Standing, ArchiveError.DatabaseError> = Effect.gen(function*() {
    const kept = new Map(
      (yield* sql<DayRow>`SELECT operation, day, totals, records, coverage FROM book_days`).map((row) => [
        keyOf(row),
        row
      ])
    )
    const totals = yield* sql<Total>`SELECT operation, from_ms, records, checksums, claims FROM controls
      ORDER BY operation, from_ms`
    const days: Array<DayRow> = []
    const changed: Array<Changed> = []
    for (const told of byDay(totals)) {
      const before = kept.get(keyOf(told))
      if (before?.totals === told.totals) continue
      const { day, operation } = told
      const row = {
        ...told,
        records: yield* recordsOf(operation, day),
        coverage: yield* coverageOf(operation, day)
      }
      days.push(row)
      const hasOtherRecords = before?.records !== row.records
      const hasOtherCoverage = before?.coverage !== row.coverage
      if (hasOtherRecords || hasOtherCoverage) {
        changed.push({ operation, from: day, to: Day.endOf(day), hasOtherRecords, hasOtherCoverage })
      }
    }
    return { changed, days }
  }).pipe(Effect.mapError(error))

  /** Keeps the days as they stood. It runs inside the transaction that brings the books forward. */
  const keep = ({ days }: Standing): Effect.Effect<void, SqlError> =>
    insert(days.map((row) => COLUMNS.map((column) => row[column])))

  return { keep, now }
}
