/** SQLite's result codes are translated into the reasons of an archive's error. */
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import { ownError, resultCode, sqlCause } from "../sql/SqlCause.ts"

/** The memory that programs share could not grow: the disk is full. */
const IOERR_SHMSIZE = 4874

/**
 * The system refused a lock for another reason than that somebody has it: the file is open for reading only, or its file system
 * has no locks.
 */
const IOERR_LOCK = 3850

/** A row that no statement found is there: an index does not show it. */
const CONSTRAINT_PRIMARYKEY = 1555
const CONSTRAINT_UNIQUE = 2067

const detail = (cause: unknown): string => cause instanceof Error ? cause.message : "the database failed"

const reason = (place: string, cause: unknown): ArchiveError.DatabaseReason => {
  const code = resultCode(cause)
  if (code === IOERR_SHMSIZE) return new ArchiveError.DiskFull({ place })
  if (code === CONSTRAINT_PRIMARYKEY || code === CONSTRAINT_UNIQUE) {
    return new ArchiveError.Damaged({ place, detail: `an index does not show a row that is there, ${detail(cause)}` })
  }
  if (code === IOERR_LOCK) return new ArchiveError.ReadOnly({ place, detail: "the system gives no lock on it" })
  switch (code === undefined ? undefined : code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return new ArchiveError.Locked({ place })
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN: a file beside it, as the file itself is open
      return new ArchiveError.ReadOnly({ place })
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return new ArchiveError.Damaged({ place, detail: detail(cause) })
    case 13: // SQLITE_FULL
      return new ArchiveError.DiskFull({ place })
    default:
      return new ArchiveError.Failed({ place, detail: detail(cause) })
  }
}

export const toArchiveError = (place: string) => (error: SqlError | MigrationError): ArchiveError.DatabaseError => {
  const cause = sqlCause(error)
  return ownError(cause) ?? ArchiveError.ArchiveError.of(reason(place, cause))
}
