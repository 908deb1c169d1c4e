/** Who holds the archive, or held it last, in its table. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const HolderRow = Schema.Struct({
  purpose: Schema.String,
  process: Schema.Int,
  host: Schema.String,
  since: Schema.Int,
  /** Greater than that of the holder before; see `Fence`. */
  fence: Schema.Int
})
export type HolderRow = typeof HolderRow.Type

const decode = Schema.decodeUnknownEffect(Schema.Array(HolderRow))

/** None before the first. */
export const read = (sql: SqlClient.SqlClient): Effect.Effect<HolderRow | undefined, SqlError> =>
  Effect.flatMap(
    sql`SELECT purpose, process, host, since, fence FROM holder`,
    (rows) => Effect.map(Effect.orDie(decode(rows)), ([row]) => row)
  )

export const words = (row: Omit<HolderRow, "fence"> | undefined): string =>
  row === undefined
    ? "another process"
    : `${row.purpose}, process ${row.process} on ${row.host} since ${
      DateTime.formatIso(DateTime.makeUnsafe(row.since))
    }`
