/** This module brings a database to the tables that this version knows, or says why it cannot be an archive. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import { hasProperty } from "effect/Predicate"
import * as Migrator from "effect/sql/Migrator"
import type { MigrationError } from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import { resultCode, sqlCause } from "../sql/SqlCause.ts"
import records from "./0001_records.ts"
import holder from "./0002_holder.ts"
import runs from "./0003_runs.ts"
import transactions from "./0004_deposits_tx_id.ts"
import learnt from "./0005_learnt.ts"
import lastSeen from "./0006_last_seen.ts"
import controls from "./0007_controls.ts"
import fence from "./0008_fence.ts"
import moves from "./0009_moves.ts"
import runChecksums from "./0010_run_checksums.ts"
import counts from "./0011_counts.ts"
import turn from "./0012_turn.ts"
import subAccounts from "./0013_sub_accounts.ts"
import packs from "./0014_packs.ts"
import ledger from "./0015_ledger.ts"
import books from "./0016_books.ts"
import standing from "./0017_standing.ts"
import notices from "./0018_notices.ts"
import periods from "./0019_periods.ts"
import items from "./0020_items.ts"

/** The migrations stand in order; each begins with its number. */
export const migrations = {
  "0001_records": records,
  "0002_holder": holder,
  "0003_runs": runs,
  "0004_deposits_tx_id": transactions,
  "0005_learnt": learnt,
  "0006_last_seen": lastSeen,
  "0007_controls": controls,
  "0008_fence": fence,
  "0009_moves": moves,
  "0010_run_checksums": runChecksums,
  "0011_counts": counts,
  "0012_turn": turn,
  "0013_sub_accounts": subAccounts,
  "0014_packs": packs,
  "0015_ledger": ledger,
  "0016_books": books,
  "0017_standing": standing,
  "0018_notices": notices,
  "0019_periods": periods,
  "0020_items": items
}

/** A database that has this table holds an archive. */
export const TABLE = "tallystick_migrations"

/** This version knows migrations up to this number. */
export const KNOWN = Math.max(...Object.keys(migrations).map(Number.parseFloat))

/** Gives when the first migration was made, as a text that depends on no setting of a session. */
export const made = (sql: SqlClient.SqlClient): Effect.Effect<string, SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      sqlite: () =>
        sql<{ made: string }>`SELECT CAST(MIN(created_at) AS TEXT) AS made FROM ${sql(TABLE)} WHERE migration_id = 1`,
      orElse: () =>
        sql<{ made: string }>`SELECT EXTRACT(EPOCH FROM MIN(created_at))::text AS made
          FROM ${sql(TABLE)} WHERE migration_id = 1`
    }),
    ([row]) => row?.made ?? ""
  )

/** The tables are of another program or of a later version. */
type Unknown = ArchiveError.ArchiveError<ArchiveError.Foreign | ArchiveError.Newer>

type Failure = ArchiveError.OpenError | SqlError | MigrationError

const tables = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () => sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`,
    orElse: () =>
      sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_name = ${TABLE}`
  })

/** Gives the last migration of an archive, and refuses one of a later version. */
const last = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  place: string
): Effect.fn.Return<number, ArchiveError.ArchiveError<ArchiveError.Newer> | SqlError> {
  const rows = yield* sql<{ id: number }>`SELECT migration_id AS id FROM ${
    sql(TABLE)
  } ORDER BY migration_id DESC LIMIT 1`
  const found = rows[0]?.id ?? 0
  return found > KNOWN
    ? yield* ArchiveError.ArchiveError.of(new ArchiveError.Newer({ place, found, known: KNOWN }))
    : found
})

/**
 * Gives the last migration that a database has, or none where it has no table of them. It refuses a foreign database, and one
 * of a later version.
 */
const applied = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  place: string
): Effect.fn.Return<number | undefined, Unknown | SqlError> {
  const names = (yield* tables(sql)).map(({ name }) => name)
  if (!names.includes(TABLE)) {
    const [name] = names
    if (name === undefined) return undefined
    return yield* ArchiveError.ArchiveError.of(
      new ArchiveError.Foreign({ place, detail: `it holds a table of another program, ${name}` })
    )
  }
  return yield* last(sql, place)
})

/** Gives the same, with 0 where there is no table of migrations. */
export const found = (sql: SqlClient.SqlClient, place: string): Effect.Effect<number, Unknown | SqlError> =>
  Effect.map(applied(sql, place), (last) => last ?? 0)

/** This is SQLite's "logic error": a table or column is there already, or is not. */
const LOGIC = 1

/** Tells whether a statement met other tables or columns than it was written for. */
const metOthers = (failure: SqlError | MigrationError): boolean => {
  const cause = sqlCause(failure)
  const isOfPostgres = hasProperty(cause, "code") && typeof cause.code === "string" && /^42(?!501)/.test(cause.code)
  return isOfPostgres || resultCode(cause) === LOGIC
}

/** Refuses an archive that lost some of what tells which migrations were applied: they cannot be applied again. */
const forgetful = (place: string, last: number) => (failure: Failure): Failure =>
  failure._tag !== "ArchiveError" && metOthers(failure)
    ? ArchiveError.ArchiveError.of(
      new ArchiveError.Damaged({
        place,
        detail: `its tables are not those of version ${last}, which it says that it is of`
      })
    )
    : failure

/**
 * Makes the table of migrations as Effect's Migrator does, which inside a transaction could not tell why PostgreSQL refuses it.
 */
const ensureTable = (sql: SqlClient.SqlClient): Effect.Effect<unknown, SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      sql`CREATE TABLE IF NOT EXISTS ${sql(TABLE)} (
        migration_id integer PRIMARY KEY,
        created_at timestamp with time zone NOT NULL DEFAULT now(),
        name text NOT NULL
      )`,
    orElse: () => Effect.void
  })

export interface Options {
  readonly sql: SqlClient.SqlClient
  readonly place: string
  /**
   * It runs inside the transaction, where an archive is of an earlier version: it fails where a program of that version may be
   * writing.
   */
  readonly alone: Effect.Effect<void, ArchiveError.ArchiveError<ArchiveError.Held> | SqlError>
  /**
   * It runs after the migrations of an archive of an earlier version: a program of that version that lost its lock unnoticed writes
   * nothing more from then on.
   */
  readonly supersede: Effect.Effect<void, SqlError>
}

/**
 * Applies the migrations that are missing, and writes nothing where none is. Others that migrate the same database wait for the
 * end of the transaction.
 */
export const migrate = Effect.fnUntraced(
  function*({ alone, place, sql, supersede }: Options): Effect.fn.Return<void, Failure> {
    const known = yield* applied(sql, place)
    if (known === KNOWN) return
    const change = Effect.andThen(
      ensureTable(sql),
      Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: TABLE })
    )
    yield* found(sql, place).pipe(
      Effect.flatMap((last) =>
        last > 0 && last < KNOWN ? alone.pipe(Effect.andThen(change), Effect.andThen(supersede)) : Effect.asVoid(change)
      ),
      Effect.provideService(SqlClient.SqlClient, sql),
      sql.withTransaction,
      Effect.mapError(known === undefined ? identity : forgetful(place, known))
    )
  }
)

/**
 * Guards a client whose database a later version may bring to its own tables while this one has it open: each transaction looks first, and
 * one that comes later than that writes nothing.
 */
export const guard = (sql: SqlClient.SqlClient, place: string): SqlClient.SqlClient => {
  const { withTransaction } = sql
  const check = Effect.catchTag(
    last(sql, place),
    "ArchiveError",
    (error) => Effect.fail(new SqlError({ reason: new UnknownError({ cause: error }) }))
  )
  return Object.assign(sql, {
    withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>) =>
      Effect.flatMap(
        Effect.serviceOption(sql.transactionService),
        (outer) => withTransaction(Option.isSome(outer) ? self : Effect.andThen(check, self))
      )
  })
}
