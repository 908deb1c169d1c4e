/** The errors of Effect's clients and of its migrator hide the failure that the database itself told; this module finds it. */
import { hasProperty } from "effect/Predicate"
import type { MigrationError } from "effect/sql/Migrator"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"

/** Finds the SQL error behind a failure, where there is one. */
export const sqlCause = (error: SqlError | MigrationError): unknown => {
  const inner = isSqlError(error) ? error : error.cause
  return isSqlError(inner) ? inner.reason.cause : error
}

/** Gives SQLite's extended result code, where the failure is SQLite's own. */
export const resultCode = (cause: unknown): number | undefined =>
  hasProperty(cause, "errcode") && typeof cause.errcode === "number" ? cause.errcode : undefined

/** Gives the archive's own error, where its lock, its version or the look at its files made a statement fail with it. */
export const ownError = (cause: unknown): ArchiveError.DatabaseError | undefined => {
  if (!(cause instanceof ArchiveError.ArchiveError)) return undefined
  const { reason }: ArchiveError.ArchiveError = cause
  switch (reason._tag) {
    case "Failed":
    case "Moved":
    case "Newer":
    case "Reverted":
    case "Superseded":
      return ArchiveError.ArchiveError.of(reason)
    default:
      return undefined
  }
}
