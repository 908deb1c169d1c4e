/** An archive can be kept in a database: this service has its client, its errors in the words of an archive, and its lock. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { MigrationError } from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as ArchiveError from "../../ArchiveError.ts"

export interface Service {
  /** This tells people where the database is: a file, or a database's host and name; never a password. */
  readonly place: string
  /**
   * Transactions take turns, also those of other processes: whatever one has read is still so when it writes. 64-bit integers
   * are numbers in both dialects, rounded beyond 2^53.
   */
  readonly sql: SqlClient.SqlClient
  /** Tells what a statement's failure means, without the statement and its parameters. */
  readonly error: (error: SqlError | MigrationError) => ArchiveError.DatabaseError
  /** The database itself says that this is wrong with its pages; the list is empty where it has no such check. */
  readonly structure: Effect.Effect<ReadonlyArray<string>, SqlError>
  /**
   * Copies everything as it is at one moment into a file that is empty, while others may write. It is none where the database
   * has a tool of its own.
   */
  readonly copyTo: Option.Option<(file: string) => Effect.Effect<void, SqlError>>
  /**
   * Names the holder of the archive at this moment: `sync, process 4711 on host since 2026-11-22T09:00:00Z`. It takes the
   * archive from nobody.
   */
  readonly holder: Effect.Effect<Option.Option<string>, ArchiveError.DatabaseError>
  /**
   * Holds the archive for one writer until the scope closes, also against other processes; the hold ends with the process. It
   * fails with `Held`.
   */
  readonly exclusive: (purpose: string) => Effect.Effect<void, ArchiveError.HoldError, Scope.Scope>
}

export class Database extends Context.Service<Database, Service>()("@tallystick/archive/internal/sql/Database") {}
