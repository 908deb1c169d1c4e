/** This driver keeps an archive in a PostgreSQL database. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Fence from "../lock/Fence.ts"
import * as Holder from "../lock/Holder.ts"
import * as Migrations from "../migrations/Migrations.ts"
import { Database } from "../sql/Database.ts"
import * as Lease from "./Lease.ts"
import { isLost, ofMigration, toArchiveError, unfit } from "./PostgresError.ts"
import * as PostgresUrl from "./PostgresUrl.ts"

export interface Options {
  /** `postgres://user:password@host:port/database`. The archive lies in the role's current schema. */
  readonly url: Redacted.Redacted
  /** A writer waits at most so long for another process that writes. The default is 10 seconds. */
  readonly lockTimeout?: Duration.Input
  /**
   * After this time without a word from a process the server takes the writer's lock back from it and undoes its transaction. It
   * is at least 1 second, and 10 seconds by default.
   */
  readonly lease?: Duration.Input
}

const INT8_BYTES = 8

/**
 * This codec reads 64-bit integers as numbers: those of an archive are times, counts and codes, far below 2^53. A greater
 * number is of a damaged row; it comes rounded, so that the row's checksum differs and nothing else fails.
 */
const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => {
    const bytes = new Uint8Array(INT8_BYTES)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) =>
    Result.succeed(Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0)))
}

/**
 * The advisory locks have the numbers of "Taly" and the next. They are told apart by schema, so that each schema may hold an
 * archive.
 */
const ADVISORY = { transaction: 0x54616c79, writer: 0x54616c7a }

const advisory = (call: string, number: number) =>
  `SELECT ${call}(${number}, (SELECT oid::int4 FROM pg_namespace WHERE nspname = current_schema())) AS done`

const Server = Schema.Tuple([
  Schema.Struct({ number: Schema.FiniteFromString, version: Schema.String, encoding: Schema.String })
])

/**
 * Gives the client's settings. Nothing of a session is asked for at its start or kept in it, because a pooler in transaction
 * mode gives each transaction another one.
 */
const settings = ({ url }: Options): PgClient.PgClientConfig => {
  const types = PgTypes.makeRegistry()
  types.register(PgTypes.OID.int8, int8, { arrayOid: PgTypes.OID.int8Array })
  return { url, types, applicationName: "tallystick", connectTimeout: "10 seconds", keepAlive: "1 minute" }
}

/** A transaction sees everything that was committed before its turn, whatever the server's default is. */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"

const CONNECTIONS = 4

const isCut = (defect: unknown): defect is SqlError => isSqlError(defect) && isLost(defect)

/**
 * A lost connection is an error and no defect: its transaction cannot be undone from here, which Effect takes for a defect, but
 * the server has undone it. Effect then also makes a defect of the failure that the transaction should have been undone for,
 * one of `failures`. Where there is any other defect, that one is told.
 */
const unlessCut =
  (failures: ReadonlySet<unknown>) => <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError> => {
    const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
    const cut = defects.find(isCut)
    const isExplained = defects.every((defect) => isSqlError(defect) || failures.has(defect))
    return cut !== undefined && isExplained ? Effect.fail(cut) : Effect.failCause(cause)
  }

/**
 * Lets one transaction run at a time, as in SQLite: whatever it has read is still so when it writes. Its commits are on the
 * disk, even where the server's defaults are others. A process that stands still in its turn loses it with its lease; it asks for
 * one turn at a time, so that others wait for one lease and not for one of each of its connections.
 */
const inTurn = (sql: SqlClient.SqlClient, { lease, lockTimeout = "10 seconds" }: Options): SqlClient.SqlClient => {
  const { withTransaction } = sql
  const wait = Duration.toMillis(Duration.fromInputUnsafe(lockTimeout))
  const turn = sql.unsafe(
    `SELECT set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '${wait}', true),
      ${Lease.bounds(Lease.length(lease))},
      (${advisory("pg_advisory_xact_lock", ADVISORY.transaction)})::text`
  )
  const own = Semaphore.makeUnsafe(1)
  const transaction = <R, E, A>(self: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const failures = new Set<unknown>()
      const noted = Effect.tapError(self, (failure) => Effect.sync(() => failures.add(failure)))
      return withTransaction(Effect.andThen(turn, noted)).pipe(
        Effect.provideService(SqlClient.BeginTransaction, BEGIN),
        Effect.catchCause(unlessCut(failures))
      )
    })
  return Object.assign(sql, {
    withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>) =>
      Effect.flatMap(
        Effect.serviceOption(sql.transactionService),
        (outer) => Option.isSome(outer) ? transaction(self) : own.withPermit(transaction(self))
      )
  })
}

const connect = (options: Options) =>
  PgClient.make({ ...settings(options), maxConnections: CONNECTIONS }).pipe(
    Effect.map((sql) => inTurn(sql, options)),
    Effect.provide(Reactivity.layer)
  )

/** The server takes the locks of a session that was killed one by one, and a moment after the kill. */
const RELEASE = Schedule.spaced("50 millis").pipe(Schedule.upTo({ times: 20 }))

/** Takes the writer's lock for the scope, or gives false at once where another process has it. */
const take = (options: Options) =>
  Effect.flatMap(
    Effect.provide(PgClient.makeClient(settings(options)), Reactivity.layer),
    (client) =>
      Lease.take(client, {
        begin: BEGIN,
        lock: advisory("pg_try_advisory_xact_lock", ADVISORY.writer),
        ms: Lease.length(options.lease)
      })
  )

/** Looks whether the lock is free, without taking it: that could keep the lock from a sync that begins at the same moment. */
const isFree = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = ${ADVISORY.writer}
      AND objid = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    (rows) => rows.length === 0
  )

const placeOf = ({ url }: Options): Effect.Effect<string, ArchiveError.ArchiveError<ArchiveError.CannotOpen>> =>
  Effect.fromOption(
    PostgresUrl.place(Redacted.value(url)),
    () =>
      ArchiveError.ArchiveError.of(
        new ArchiveError.CannotOpen({
          place: "PostgreSQL",
          detail: `the address is not ${PostgresUrl.WANTED}`
        })
      )
  )

/**
 * Tells whether there is an archive, of whatever version, and makes none. An archive that the role may not read counts: opening
 * it tells that.
 */
export const exists = Effect.fnUntraced(function*(options: Options) {
  const place = yield* placeOf(options)
  const rows = yield* PgClient.makeClient(settings(options)).pipe(
    Effect.provide(Reactivity.layer),
    Effect.flatMap((sql) =>
      sql`SELECT 1 FROM pg_class WHERE relname = ${Migrations.TABLE}
        AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`
    ),
    Effect.scoped,
    Effect.mapError(toArchiveError(place))
  )
  return rows.length > 0
})

/** Says that an archive is of an earlier version, where that is why it was about to be written to. */
const older = (sql: SqlClient.SqlClient, place: string) => (failure: ArchiveError.OpenError) =>
  Migrations.found(sql, place).pipe(
    Effect.orElseSucceed(() => 0),
    Effect.flatMap((found) =>
      Effect.fail(
        found === 0
          ? failure
          : ArchiveError.ArchiveError.of(new ArchiveError.Older({ place, found, known: Migrations.KNOWN }))
      )
    )
  )

const open = Effect.fnUntraced(function*(options: Options) {
  const place = yield* placeOf(options)
  const error = toArchiveError(place)
  const archiveError = (failure: Parameters<typeof error>[0] | ArchiveError.OpenError): ArchiveError.OpenError =>
    failure._tag === "ArchiveError" ? failure : ofMigration(place)(failure)

  const sql = yield* Effect.mapError(connect(options), error)
  const [server] = yield* sql`SELECT current_setting('server_version_num') AS number,
    current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`.pipe(
    Effect.mapError(error),
    Effect.flatMap((rows) => Effect.orDie(Schema.decodeUnknownEffect(Server)(rows)))
  )
  const reason = unfit(place, server)
  yield* reason === undefined ? Effect.void : Effect.fail(ArchiveError.ArchiveError.of(reason))
  /** A sync of an earlier version would go on writing as its tables were. */
  const alone = Effect.flatMap(
    sql.unsafe<{ done: unknown }>(advisory("pg_try_advisory_xact_lock", ADVISORY.writer)),
    ([row]) => row?.done === true ? Effect.void : Effect.fail(Holder.held(place, "an earlier version of Tallystick"))
  ).pipe(Effect.retry({ while: ({ _tag }) => _tag === "ArchiveError", schedule: RELEASE }))
  const supersede = Effect.asVoid(Holder.replace(sql, "a later version of Tallystick"))
  yield* Migrations.migrate({ sql, place, alone, supersede }).pipe(
    Effect.mapError(archiveError),
    Effect.catchIf(({ reason }) => reason._tag === "ReadOnly", older(sql, place))
  )

  const fence = Fence.make(sql, place)
  return Database.of({
    place,
    sql: Fence.guard(Migrations.guard(sql, place), fence),
    error,
    structure: Effect.succeed([]),
    copyTo: Option.none(),
    holder: Holder.look({ sql, error, isFree: Effect.mapError(isFree(sql), error) }),
    exclusive: Holder.claim({ sql, place, error, fence, take: Effect.mapError(take(options), error) })
  })
})

export const layer = (options: Options): Layer.Layer<Database, ArchiveError.OpenError> =>
  Layer.effect(Database, open(options))
