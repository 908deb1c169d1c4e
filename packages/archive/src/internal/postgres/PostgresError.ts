/** PostgreSQL's error codes are translated into the reasons of an archive's error. */
import { hasProperty } from "effect/Predicate"
import type { MigrationError } from "effect/sql/Migrator"
import { isSqlError, type SqlError, type SqlErrorReason } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import { ownError, sqlCause } from "../sql/SqlCause.ts"

/** This is the oldest version with which the statements are tested. */
const WANTED = "14"

const code = (cause: unknown): string => hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

const text = (cause: unknown): string => cause instanceof Error && cause.message !== "" ? cause.message : "no answer"

/** Gives the reason where no session can be had at the moment, or where it ended, with the words of the system or the server. */
const unreachable = (place: string, cause: unknown): ArchiveError.DatabaseReason =>
  new ArchiveError.Unreachable({
    place,
    detail: code(cause) === "ECONNREFUSED" ? "nothing listens there" : text(cause)
  })

/** Gives the reason where the server knows no such database, or refuses the name and the password. */
const unknown = (place: string, cause: unknown): ArchiveError.DatabaseReason =>
  new ArchiveError.CannotOpen({ place, detail: text(cause) })

const STOOD_STILL =
  "this process stood still in a transaction, which the server therefore undid; nothing of it was kept"

const byState = (place: string, state: string, cause: unknown): ArchiveError.DatabaseReason => {
  switch (state) {
    case "55P03": // lock_not_available
    case "40P01": // deadlock_detected
    case "40001": // serialization_failure
      return new ArchiveError.Locked({ place })
    case "42501": // insufficient_privilege
    case "25006": // read_only_sql_transaction
      return new ArchiveError.ReadOnly({ place, detail: text(cause) })
    case "53100": // disk_full
      return new ArchiveError.DiskFull({ place })
    case "XX001": // data_corrupted
    case "XX002": // index_corrupted
      return new ArchiveError.Damaged({ place, detail: text(cause) })
    case "3D000": // invalid_catalog_name
      return unknown(place, cause)
    case "25P03": // idle_in_transaction_session_timeout
      return new ArchiveError.Unreachable({ place, detail: STOOD_STILL })
    case "25P04": // transaction_timeout
    case "57014": // query_canceled, by statement_timeout or by a person
    case "53300": // too_many_connections
      return unreachable(place, cause)
  }
  // The classes are authorization, connection and operator intervention. The text of a data exception is left out, because it
  // may quote a record.
  if (state.startsWith("28")) return unknown(place, cause)
  if (/^(?:08|57P)/.test(state)) return unreachable(place, cause)
  return new ArchiveError.Failed({
    place,
    detail: state.startsWith("22") ? `a value was refused, ${state}` : `${text(cause)}, ${state}`
  })
}

const reason = (place: string, failure: SqlErrorReason): ArchiveError.DatabaseReason => {
  const state = code(failure.cause)
  if (/^[0-9A-Z]{5}$/.test(state) && !state.startsWith("E")) return byState(place, state, failure.cause)
  if (failure._tag === "AuthenticationError") return unknown(place, failure.cause)
  return failure._tag === "ConnectionError"
    ? unreachable(place, failure.cause)
    : new ArchiveError.Failed({ place, detail: text(failure.cause) })
}

export const toArchiveError = (place: string) => (error: SqlError | MigrationError): ArchiveError.DatabaseError => {
  const inner = isSqlError(error) ? error : error.cause
  if (!isSqlError(inner)) return ArchiveError.ArchiveError.of(new ArchiveError.Failed({ place, detail: error.message }))
  return ownError(inner.reason.cause) ?? ArchiveError.ArchiveError.of(reason(place, inner.reason))
}

/** Only migrations create tables: where one is there already, another program made it. */
export const ofMigration =
  (place: string) =>
  (error: SqlError | MigrationError): ArchiveError.ArchiveError<ArchiveError.DatabaseReason | ArchiveError.Foreign> => {
    const cause = sqlCause(error)
    return code(cause) === "42P07" // duplicate_table
      ? ArchiveError.ArchiveError.of(new ArchiveError.Foreign({ place, detail: `another program's ${text(cause)}` }))
      : toArchiveError(place)(error)
  }

/** Tells whether the connection is gone, and with it everything that was not committed. */
export const isLost = (error: SqlError): boolean => {
  const { _tag } = reason("", error.reason)
  return _tag === "Unreachable" || _tag === "CannotOpen"
}

/** A session says this about its server. */
export interface Server {
  /** The number is `140005` for 14.5. */
  readonly number: number
  readonly version: string
  readonly encoding: string
}

/** Gives the reason why an archive cannot be kept on a server, if there is one. */
export const unfit = (
  place: string,
  { encoding, number, version }: Server
): ArchiveError.TooOld | ArchiveError.Failed | undefined => {
  if (number < Number(WANTED) * 10_000) return new ArchiveError.TooOld({ place, found: version, wanted: WANTED })
  if (encoding !== "UTF8") {
    return new ArchiveError.Failed({
      place,
      detail: `the database keeps text as ${encoding}; make one with ENCODING 'UTF8'`
    })
  }
  return undefined
}
