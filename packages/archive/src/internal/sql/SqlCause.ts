/** The errors of Effect's clients and of its migrator hide the failure that the database itself told; this module finds it. */
import { hasProperty } from "effect/Predicate"
import type { MigrationError } from "effect/sql/Migrator"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Finds the SQL error behind a failure, where there is one. */
export const sqlCause = (error: SqlError | MigrationError): unknown => {
  const inner = isSqlError(error) ? error : error.cause
  return isSqlError(inner) ? inner.reason.cause : error
}

/** Gives SQLite's extended result code, where the failure is SQLite's own. */
export const resultCode = (cause: unknown): number | undefined =>
  hasProperty(cause, "errcode") && typeof cause.errcode === "number" ? cause.errcode : undefined
