/** An archive in a PostgreSQL database. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../ArchiveError.ts"
import { Database } from "./Database.ts"
import * as Holder from "./Holder.ts"
import * as Migrations from "./Migrations.ts"
import { isLost, toArchiveError, unfit } from "./PostgresError.ts"
import * as PostgresUrl from "./PostgresUrl.ts"

export interface Options {
  /** `postgres://user:password@host:port/database`. The archive lies in the role's current schema. */
  readonly url: Redacted.Redacted
}

const INT8_BYTES = 8

/** 64-bit integers as numbers: ours are times, counts and codes, far below 2^53; anything beyond is refused, never rounded. */
const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => {
    const bytes = new Uint8Array(INT8_BYTES)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => {
    const value = Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0))
    return Number.isSafeInteger(value)
      ? Result.succeed(value)
      : Result.fail(new PgTypes.CodecError({ message: "a whole number beyond 2^53" }))
  }
}

/** The number of our advisory locks: "Taly", and which of them. They are told apart by schema, so that each may hold an archive. */
const ADVISORY = { migration: 0x54616c79, writer: 0x54616c7a }

const SCHEMA = "(SELECT oid::int4 FROM pg_namespace WHERE nspname = current_schema())"

const Server = Schema.Tuple([
  Schema.Struct({ number: Schema.NumberFromString, version: Schema.String, encoding: Schema.String })
])

const settings = (url: Redacted.Redacted): PgClient.PgClientConfig => {
  const types = PgTypes.makeRegistry()
  types.register(PgTypes.OID.int8, int8, { arrayOid: PgTypes.OID.int8Array })
  return {
    url,
    types,
    applicationName: "tallystick",
    connectTimeout: "10 seconds",
    keepAlive: "1 minute",
    // Committed is on the disk, whatever the server's default; and who waits for a lock is told so.
    startupParameters: { synchronous_commit: "on", lock_timeout: "10s" }
  }
}

const CONNECTIONS = 4

/** A transaction whose connection is lost cannot be undone by us, which Effect takes for a defect: the server has done it. */
const lost = (defect: unknown) => isSqlError(defect) && isLost(defect) ? Effect.fail(defect) : Effect.die(defect)

const connect = (url: Redacted.Redacted) =>
  PgClient.make({ ...settings(url), maxConnections: CONNECTIONS }).pipe(
    Effect.map((sql) => {
      const { withTransaction } = sql
      return Object.assign(sql, {
        withTransaction: <R, E, A>(self: Effect.Effect<A, E, R>) => Effect.catchDefect(withTransaction(self), lost)
      })
    }),
    Effect.provide(Reactivity.layer)
  )

const call = (sql: SqlClient.SqlClient, name: string) =>
  sql<{ done: unknown }>`SELECT ${sql.literal(`${name}(${ADVISORY.writer}, ${SCHEMA})`)} AS done`

/** On a connection of its own, so that no statement ever waits for it; ends with the connection, so also with the process. */
const take = (url: Redacted.Redacted) =>
  PgClient.makeClient(settings(url)).pipe(
    Effect.provide(Reactivity.layer),
    Effect.flatMap((sql) =>
      Effect.acquireRelease(
        Effect.map(call(sql, "pg_try_advisory_lock"), ([row]) => row?.done === true),
        (taken) => taken ? Effect.ignore(call(sql, "pg_advisory_unlock")) : Effect.void
      )
    )
  )

const open = Effect.fnUntraced(function*({ url }: Options) {
  const place = yield* Effect.fromOption(
    PostgresUrl.place(Redacted.value(url)),
    () =>
      new ArchiveError.ArchiveError({
        reason: new ArchiveError.Unreachable({
          place: "PostgreSQL",
          detail: `the address is not ${PostgresUrl.WANTED}`
        })
      })
  )
  const error = toArchiveError(place)
  const archiveError = (failure: Parameters<typeof error>[0] | ArchiveError.ArchiveError) =>
    failure._tag === "ArchiveError" ? failure : error(failure)

  const sql = yield* Effect.mapError(connect(url), error)
  const [server] = yield* sql`SELECT current_setting('server_version_num') AS number,
    current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`.pipe(
    Effect.mapError(error),
    Effect.flatMap((rows) => Effect.orDie(Schema.decodeUnknownEffect(Server)(rows)))
  )
  const reason = unfit(place, server)
  if (reason !== undefined) yield* Effect.fail(new ArchiveError.ArchiveError({ reason }))
  yield* Migrations.migrate({
    sql,
    place,
    alone: sql`SELECT 1 FROM (SELECT pg_advisory_xact_lock(${sql.literal(String(ADVISORY.migration))}, ${
      sql.literal(SCHEMA)
    })) AS alone`
  }).pipe(Effect.mapError(archiveError))

  return Database.of({
    place,
    sql,
    error,
    exclusive: Holder.claim({
      sql,
      place,
      error,
      alone: sql`LOCK TABLE holder IN EXCLUSIVE MODE`,
      take: Effect.mapError(take(url), error)
    })
  })
})

export const layer = (options: Options): Layer.Layer<Database, ArchiveError.ArchiveError> =>
  Layer.effect(Database, open(options))
