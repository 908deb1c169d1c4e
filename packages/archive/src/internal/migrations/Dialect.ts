/** SQLite and PostgreSQL differ in these words of a table. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

export interface Dialect {
  /** This type has 64 bits in both. */
  readonly int: Fragment
  /** This type holds any bytes. */
  readonly bytes: Fragment
  /** This stands behind a type: text is compared byte by byte, as SQLite does by itself. */
  readonly binary: Fragment
  /** This stands behind the columns: with it SQLite looks at types as PostgreSQL does. */
  readonly strict: Fragment
  /**
   * This stands behind the columns: with it SQLite keeps the row in the primary key's tree; PostgreSQL has no such thing and
   * needs none.
   */
  readonly clustered: Fragment
}

export const of = (sql: SqlClient.SqlClient): Dialect => {
  const words = (sqlite: string, orElse: string): Fragment =>
    sql.onDialectOrElse({ sqlite: () => sql.literal(sqlite), orElse: () => sql.literal(orElse) })
  return {
    int: words("INTEGER", "BIGINT"),
    bytes: words("BLOB", "BYTEA"),
    binary: words("", " COLLATE \"C\""),
    strict: words(" STRICT", ""),
    clustered: words(" WITHOUT ROWID, STRICT", "")
  }
}
