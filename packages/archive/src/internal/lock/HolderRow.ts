/** One row names the process that holds the archive, or held it last. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** No holder has a greater number. */
const LIMIT = 2 ** 52

/** No holder's number was ever so far ahead of the time. */
const AHEAD = 2 ** 44

const HolderRow = Schema.Struct({
  purpose: Schema.String,
  process: Schema.Int,
  host: Schema.String,
  since: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 })),
  /** This number is greater than that of the holder before; see `Fence`. */
  fence: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: LIMIT }))
})
export type HolderRow = typeof HolderRow.Type

const decode = Schema.decodeUnknownOption(HolderRow)
const decodeNumber = Schema.decodeUnknownOption(Schema.Struct({ fence: HolderRow.fields.fence }))

/** Reads the row. There is none before the first holder, and where the row is damaged. */
export const read = (sql: SqlClient.SqlClient): Effect.Effect<HolderRow | undefined, SqlError> =>
  Effect.map(
    sql`SELECT purpose, process, host, since, fence FROM holder`,
    ([row]) => Option.getOrUndefined(decode(row))
  )

/**
 * Gives the number of the next holder. It is greater than any before it, and no less than the time, so that no number comes
 * again after an older state of the archive was restored. The number of a damaged row is not known, so the next one lies far
 * ahead of the time.
 */
export const next = (sql: SqlClient.SqlClient, now: number): Effect.Effect<number, SqlError> =>
  Effect.map(sql`SELECT fence FROM holder`, (rows) =>
    rows.reduce((number, row) => {
      const after = Option.match(decodeNumber(row), { onNone: () => now + AHEAD, onSome: ({ fence }) => fence + 1 })
      return Math.max(number, after)
    }, now))

/** Counts a transaction of the holder with this number, inside it. It gives nothing where the row is not that holder's. */
export const count = (sql: SqlClient.SqlClient, fence: number): Effect.Effect<number | undefined, SqlError> =>
  Effect.map(
    sql<{ readonly turn: number }>`UPDATE holder SET turn = turn + 1 WHERE fence = ${fence} RETURNING turn`,
    ([row]) => row?.turn
  )

export const words = (row: Omit<HolderRow, "fence"> | undefined): string =>
  row === undefined
    ? "another process"
    : `${row.purpose}, process ${row.process} on ${row.host} since ${
      DateTime.formatIso(DateTime.makeUnsafe(row.since))
    }`
