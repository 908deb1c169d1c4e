/** A record is disputed where a file tells another status of it than the service does. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as FileWord from "../records/FileWord.ts"
import * as RecordTable from "../records/RecordTable.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Checksum from "../sql/Checksum.ts"
import * as InList from "../sql/InList.ts"

export interface Found {
  /** Disputed records have these times. */
  readonly disputed: ReadonlyArray<Coverage.Interval>
  /** Rows of these times were read and are not as they were written. */
  readonly damaged: ReadonlyArray<Coverage.Interval>
}

const moment = ({ at }: Pick<RecordTable.Common, "at">): Coverage.Interval => ({ from: at, to: at + 1 })

/** Reads the records of an interval that changed and of which a file tells; they are few. */
export const make = <Record, Row extends RecordTable.Common>(
  sql: SqlClient.SqlClient,
  table: RecordTable.RecordTable<Record, Row>
): (interval: Coverage.Interval) => Effect.Effect<Found, SqlError> => {
  const { operation } = table
  const columns = sql.literal(RecordTable.columns(table).join(", "))
  const ofVersions = sql.literal(VersionTable.COLUMNS.join(", "))

  return Effect.fnUntraced(function*({ from, to }) {
    const rows = yield* sql<Row>`SELECT ${columns} FROM ${sql(operation)} AS changed
      WHERE at >= ${from} AND at < ${to} AND history > 0 AND (imported <> 0 OR EXISTS (SELECT 1 FROM versions AS told
        WHERE told.operation = ${operation} AND told.id = changed.id AND told.imported <> 0))`
    const versions = rows.length === 0 ? [] : yield* sql<VersionTable.Row>`SELECT ${ofVersions} FROM versions
      WHERE operation = ${operation} AND ${InList.of(sql, "id", rows.map(({ id }) => id))}`
    const versionsOf = Map.groupBy(
      versions.filter((row) => row.kind === "version" && Checksum.holds(row)),
      ({ id }) => id
    )
    return {
      damaged: [...rows, ...versions].filter((row) => !Checksum.holds(row)).map(moment),
      disputed: rows.filter(Checksum.holds).filter((row) =>
        FileWord.differs(table, [
          RecordTable.version(row, table.record(row)),
          ...(versionsOf.get(row.id) ?? []).map((one) => RecordTable.version(one, table.parse(one.content)))
        ])
      ).map(moment)
    }
  })
}
