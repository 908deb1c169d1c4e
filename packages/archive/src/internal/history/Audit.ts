/** An audit holds the rows of some time against its control totals. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as ControlTable from "../coverage/ControlTable.ts"
import * as Weight from "../coverage/Weight.ts"
import * as BadRecordTable from "../records/BadRecordTable.ts"
import type * as RecordTable from "../records/RecordTable.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"

/** A row that has a time and a checksum. */
interface Counted {
  readonly at: number
  readonly checksum: number
}

/** An audited stretch says what was written of it, and what is there. */
export interface Audited extends Coverage.Interval {
  readonly expected: ControlTable.Totals
  readonly found: ControlTable.Totals
  /** So many rows are not as they were written. */
  readonly altered: number
}

export const isDamaged = ({ altered, expected, found }: Audited): boolean =>
  altered > 0 || expected.records !== found.records || expected.checksums !== found.checksums

/** A page has whole stretches, and all rows of them, damaged ones included. */
export interface Page<Row> extends Coverage.Interval {
  readonly stretches: ReadonlyArray<Audited>
  /** The stretches were held against these control totals. */
  readonly controls: ReadonlyArray<ControlTable.Control>
  readonly rows: ReadonlyArray<Row>
  readonly versions: ReadonlyArray<VersionTable.Row>
  readonly bad: ReadonlyArray<BadRecordTable.Row>
  /** These rows are not as they were written. */
  readonly altered: ReadonlySet<object>
}

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly controls: ControlTable.ControlTable
}

const audited = (
  controls: ReadonlyArray<ControlTable.Control>,
  { bad, rows, versions }: Pick<Page<RecordTable.Common>, "rows" | "versions" | "bad">
): { readonly stretches: ReadonlyArray<Audited>; readonly altered: ReadonlySet<object> } => {
  const altered = new Set<object>()
  const found = controls.map(({ checksums, from, records, to }) => ({
    from,
    to,
    expected: { records, checksums },
    found: { records: 0, checksums: 0 },
    altered: 0
  }))
  const count = <Row extends Counted>(rows: ReadonlyArray<Row>, weightOf: (row: Row) => number): void => {
    let place = 0
    for (const row of rows) {
      const isAltered = !Checksum.holds(row)
      if (isAltered) altered.add(row)
      // Rows come in order of time, unless a page of the database file is not the one that was written.
      if (row.at < (found[place]?.from ?? Number.NEGATIVE_INFINITY)) place = 0
      while (place < found.length - 1 && row.at >= (found[place]?.to ?? Number.POSITIVE_INFINITY)) place++
      const stretch = found[place]
      if (stretch === undefined || row.at < stretch.from) continue
      stretch.found.records++
      stretch.found.checksums += weightOf(row)
      if (isAltered) stretch.altered++
    }
  }
  count(rows, Weight.of)
  count(versions, ({ checksum }) => checksum)
  count(bad, ({ checksum }) => checksum)
  return { stretches: found, altered }
}

/** Makes an effect that reads the next stretches of `[from, to)`, of about `most` rows. */
export const make = <Row extends RecordTable.Common>(
  { controls, sql }: Options,
  operation: Coverage.Coverage["operation"],
  columns: ReadonlyArray<string>
) => {
  const all = (names: ReadonlyArray<string>) => sql.literal(names.join(", "))
  const [ofRecords, ofVersions, ofBad] = [all(columns), all(VersionTable.COLUMNS), all(BadRecordTable.COLUMNS)]

  const attempt = Effect.fnUntraced(function*(interval: Coverage.Interval, most: number) {
    const next = yield* controls.next(operation, interval, most)
    const [from, to] = [next[0]?.from ?? interval.from, next.at(-1)?.to ?? interval.to]
    const rows = yield* sql<Row>`SELECT ${ofRecords} FROM ${sql(operation)}
      WHERE at >= ${from} AND at < ${to} ORDER BY at, id`
    const versions = yield* sql<VersionTable.Row>`SELECT ${ofVersions} FROM versions
      WHERE operation = ${operation} AND at >= ${from} AND at < ${to} ORDER BY at, id, number`
    const bad = yield* sql<BadRecordTable.Row>`SELECT ${ofBad} FROM bad_records
      WHERE operation = ${operation} AND at >= ${from} AND at < ${to} ORDER BY at, id`
    const found = audited(next, { rows, versions, bad })
    return { from, to, rows, versions, bad, controls: next, ...found } satisfies Page<Row>
  })

  return (interval: Coverage.Interval, most: number): Effect.Effect<Page<Row>, SqlError> =>
    Effect.flatMap(attempt(interval, most), (page) =>
      // Another process may have written between the statements.
      page.stretches.some(isDamaged) ? sql.withTransaction(attempt(interval, most)) : Effect.succeed(page))
}
