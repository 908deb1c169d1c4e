/** The words of a table that differ between SQLite and PostgreSQL. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

export interface Dialect {
  /** 64 bits in both. */
  readonly int: Fragment
  /** Behind the columns: SQLite looks at types as PostgreSQL does. */
  readonly strict: Fragment
  /** Behind the columns: SQLite keeps the row in the primary key's tree; PostgreSQL has no such thing and needs none. */
  readonly clustered: Fragment
}

export const of = (sql: SqlClient.SqlClient): Dialect => {
  const words = (sqlite: string, orElse: string): Fragment =>
    sql.onDialectOrElse({ sqlite: () => sql.literal(sqlite), orElse: () => sql.literal(orElse) })
  return {
    int: words("INTEGER", "BIGINT"),
    strict: words(" STRICT", ""),
    clustered: words(" WITHOUT ROWID, STRICT", "")
  }
}
