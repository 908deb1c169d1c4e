/**
 * Reads the rows of a query in pages, in order of time and id.
 *
 * The order of ids is that of their bytes. In the order of a language or without regard to case, two ids may count as equal, and
 * the second would be lost where a page ends between them.
 */
import * as InvalidRange from "@tallystick/core/InvalidRange"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Row } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type * as Statement from "effect/sql/Statement"

/** The place of a row. Several rows may have the same. */
export interface Key {
  /** Unix ms. */
  readonly at: number
  /** The id, or what stands for it where rows are ordered. */
  readonly id: string
}

export const areEqual = (a: Key, b: Key): boolean => a.at === b.at && a.id === b.id

/** A row that has a place. */
export interface Placed {
  readonly key: Key
  /** The columns of the query. */
  readonly columns: Row
}

type Query = (sql: SqlClient.SqlClient) => Statement.Fragment

export interface Keyset {
  /** Reads at most `limit` rows from `after` on, which is read again, and before `to`, Unix ms. */
  readonly page: (
    query: Query,
    page: { readonly after: Key; readonly to: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<Placed>, SqlError>
  /** Reads at most `limit` rows that have no place, whatever page is asked for. */
  readonly unplaced: (query: Query, limit: number) => Effect.Effect<ReadonlyArray<Row>, SqlError>
}

/** What the two kinds of databases write differently. */
interface Dialect {
  /** What ids are ordered by. */
  readonly id: string
  /** Holds for a row whose `at` is no whole number, or whose `id` cannot be ordered. */
  readonly odd: string
}

/** A text of SQLite may hold bytes that are no text, and come back as another one: in hexadecimal it comes back as it was. */
const sqlite: Dialect = {
  id: "hex(entries.id)",
  odd: `entries.id IS NULL OR typeof(entries.id) = 'blob' OR typeof(entries.at) NOT IN ('integer', 'real')
    OR entries.at <> CAST(entries.at AS BIGINT)`
}

const postgres: Dialect = {
  id: `CAST(entries.id AS TEXT) COLLATE "C"`,
  odd: "entries.id IS NULL OR entries.at IS NULL OR entries.at <> FLOOR(entries.at)"
}

/** The columns that are added to those of the query. They have one word each, which no transformation of names changes. */
const AT = "keyat"
const ID = "keyid"

const placed = ({ [AT]: at, [ID]: id, ...columns }: Row): Placed => ({
  key: { at: Number(at), id: String(id) },
  columns
})

const other = (): Dialect => {
  throw new Error("a source reads SQLite and PostgreSQL; other databases write differently what it asks")
}

export const make = (sql: SqlClient.SqlClient): Keyset => {
  const dialect = sql.onDialectOrElse({ sqlite: () => sqlite, pg: () => postgres, orElse: other })
  const id = sql.literal(dialect.id)
  const odd = sql.literal(dialect.odd)
  // The end of a comment at the end of the query is that of its line.
  const from = (query: Query) =>
    sql`FROM (${query(sql)}
  ) AS entries`
  // PostgreSQL would take the number for one of the column's own type, which may be too small for it.
  const time = (at: number) => sql`CAST(${at} AS BIGINT)`
  return {
    page: (query, { after, limit, to }) =>
      Effect.map(
        sql`SELECT entries.*, CAST(entries.at AS BIGINT) AS ${sql.literal(AT)}, ${id} AS ${sql.literal(ID)} ${
          from(query)
        }
          WHERE entries.at >= ${time(Math.max(after.at, InvalidRange.EARLIEST))} AND entries.at < ${
          time(Math.min(to, InvalidRange.LATEST))
        } AND NOT (${odd})
            AND (entries.at > ${time(after.at)} OR ${id} >= ${after.id})
          ORDER BY entries.at, ${id} LIMIT ${sql.literal(String(limit))}`,
        (rows) => rows.map(placed)
      ),
    unplaced: (query, limit) =>
      sql`SELECT entries.* ${from(query)}
        WHERE ${odd} OR entries.at < ${time(InvalidRange.EARLIEST)} OR entries.at >= ${time(InvalidRange.LATEST)}
        LIMIT ${sql.literal(String(limit))}`
  }
}
