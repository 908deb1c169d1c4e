/**
 * SQLite support for Effect SQL on Node, backed by `node:sqlite`.
 *
 * The client has one connection and runs one statement at a time; other fibers wait for it. `SqlClient.withTransaction` begins
 * with `BEGIN IMMEDIATE`, so that a transaction which reads first and then writes does not fail half-way for want of the lock;
 * transactions inside it are savepoints. `Statement.stream` reads rows as they are pulled, and keeps the connection until the
 * stream ends: only the same transaction may run other statements meanwhile.
 *
 * An INTEGER comes as a `number` where a `number` holds it exactly, and else as a `bigint`; with `SqlClient.SafeIntegers` each
 * comes as a `bigint`. None is ever rounded. Keep decimal amounts in TEXT columns: SQLite turns those of NUMERIC and REAL
 * columns into floats. Parameters are text, numbers, bigints, bytes and null; any other value is refused.
 *
 * `node:sqlite` is synchronous: a fiber can be interrupted between statements and between the chunks of a stream, not in the
 * middle of a statement.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as SqliteConnection from "./internal/sqlite/SqliteConnection.ts"

/** The longest time, in ms, that SQLite can be told to wait. */
const LONGEST = 2 ** 31 - 1

/** The runtime type identifier for `SqliteClient`. */
export const TypeId: TypeId = "~@tallystick/archive/SqliteClient"

/** The type-level identifier for `SqliteClient`. */
export type TypeId = "~@tallystick/archive/SqliteClient"

/** An SQLite `SqlClient` with the settings that it was made with. */
export interface SqliteClient extends SqlClient.SqlClient {
  /** It tells this client from other values. */
  readonly [TypeId]: TypeId
  /** The options with which it was made. */
  readonly config: SqliteClientConfig
}

/** The service tag for the SQLite client. */
export const SqliteClient = Context.Service<SqliteClient>("@tallystick/archive/SqliteClient")

/** The settings of an SQLite client. */
export interface SqliteClientConfig {
  /** A path, a `file:` address, or `:memory:`. A file that is missing is made, unless `readonly`. */
  readonly filename: string
  /** Whether nothing can be written. A file that is missing is an error then. Default: false. */
  readonly readonly?: boolean | undefined
  /**
   * How long a statement waits for a lock that another connection holds, before it fails with `LockTimeoutError`. Nothing else
   * runs in this process meanwhile. Default: 2 seconds.
   */
  readonly busyTimeout?: Duration.Input | undefined
  /**
   * Whether the journal of the file stays as it is. By default the file gets a write-ahead log, with which readers and a writer
   * do not wait for each other. Set it for files on a network: they cannot have one.
   */
  readonly disableWAL?: boolean | undefined
  /** How many statements stay prepared. Default: 100. */
  readonly prepareCacheSize?: number | undefined
  /** Attributes that each span of a statement has. */
  readonly spanAttributes?: Record<string, unknown> | undefined
  /** Makes the names of a row's fields of the names of its columns. */
  readonly transformResultNames?: ((name: string) => string) | undefined
  /** Makes the names of columns and tables of the identifiers in a statement. */
  readonly transformQueryNames?: ((name: string) => string) | undefined
}

/**
 * Opens a database that is closed with the scope. It fails with `ConnectionError` where the file cannot be opened, and with
 * `LockTimeoutError` where another connection holds it.
 */
export const make = Effect.fnUntraced(function*(
  config: SqliteClientConfig
): Effect.fn.Return<SqliteClient, SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { busyTimeout = "2 seconds", filename, prepareCacheSize, transformResultNames } = config
  const isReadonly = config.readonly === true
  const db = yield* SqliteConnection.open({
    file: filename,
    readOnly: isReadonly,
    busyTimeout: Math.min(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(busyTimeout))), LONGEST)
  })
  const client = yield* SqliteConnection.client(db, {
    compiler: Statement.makeCompilerSqlite(config.transformQueryNames),
    spanAttributes: Object.entries(config.spanAttributes ?? {}),
    // SQLite refuses the lock of a writer to a connection that only reads.
    ...(isReadonly ? { beginTransaction: "BEGIN" } : {}),
    ...(prepareCacheSize === undefined ? {} : { prepared: prepareCacheSize }),
    ...(transformResultNames === undefined
      ? {}
      : { transformRows: Statement.defaultTransforms(transformResultNames).array })
  })
  if (!isReadonly && config.disableWAL !== true) yield* client`PRAGMA journal_mode = WAL`
  return Object.assign(client, { [TypeId]: TypeId, config })
})

const layerFrom = <E>(
  config: Effect.Effect<SqliteClientConfig, E>
): Layer.Layer<SqliteClient | SqlClient.SqlClient, E | SqlError> =>
  Layer.effectContext(
    Effect.map(
      Effect.flatMap(config, make),
      (client) => Context.add(Context.make(SqliteClient, client), SqlClient.SqlClient, client)
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** Provides `SqliteClient` and `SqlClient`. */
export const layer = (config: SqliteClientConfig): Layer.Layer<SqliteClient | SqlClient.SqlClient, SqlError> =>
  layerFrom(Effect.succeed(config))

/** Provides the same, each setting of which may come from a `ConfigProvider`. */
export const layerConfig = (
  config: Config.Wrap<SqliteClientConfig>
): Layer.Layer<SqliteClient | SqlClient.SqlClient, Config.ConfigError | SqlError> => layerFrom(Config.unwrap(config))
