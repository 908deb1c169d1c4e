/**
 * Tables are made, and brought to the version of the code, only where that is needed: Effect's `Migrator` locks its table against every
 * reader each time, so that whoever only looks would wait for a `pg_dump`, and everybody for the one that waits.
 */
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import * as ClusterError from "../ClusterError.ts"
import { unusable } from "./Unusable.ts"

/** Migrations, and the table that keeps which of them were made. */
export interface Set {
  readonly loader: Migrator.Loader
  readonly table: string
}

/** So long somebody who reads is waited for, ms. */
const WAIT = 5000

const isLocked = (error: unknown): boolean =>
  isSqlError(error)
    ? hasProperty(error.reason.cause, "code") && error.reason.cause.code === "55P03"
    : hasProperty(error, "cause") && isLocked(error.cause)

const Numbers = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ last: Schema.NullOr(Schema.Int) })))

/** Tells whether a set has migrations that were not made yet. */
const isLacking = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, { loader, table }: Set) {
  const found = yield* sql.onDialectOrElse({
    pg: () =>
      sql`SELECT 1 FROM pg_class WHERE relname = ${table}
        AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
    orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`
  })
  if (found.length === 0) return true
  const [row] = yield* Effect.orDie(Numbers(yield* sql`SELECT MAX(migration_id) AS last FROM ${sql(table)}`))
  const last = row?.last ?? 0
  return (yield* loader).some(([id]) => id > last)
})

/**
 * One program at a time makes tables, and it does not wait for ever for those that read: what waits for the lock of a whole table holds up
 * everybody who comes after.
 */
const alone = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      sql`SELECT set_config('lock_timeout', ${String(WAIT)}, true),
        pg_advisory_xact_lock(hashtextextended('tallystick cluster ' || current_schema(), 0))::text`,
    orElse: () => sql`SELECT 1`
  })

/** Makes what is lacking of some sets, in one transaction. */
export const make = Effect.fnUntraced(
  function*(sets: ReadonlyArray<Set>) {
    const sql = yield* SqlClient.SqlClient
    const lacking = yield* Effect.filter(sets, (set) => isLacking(sql, set))
    if (lacking.length === 0) return
    yield* sql.withTransaction(
      Effect.andThen(alone(sql), Effect.forEach(lacking, Migrator.make({}), { discard: true }))
    )
  },
  Effect.mapError((error) =>
    isLocked(error) ? new ClusterError.ClusterError({ reason: new ClusterError.Busy() }) : unusable(error)
  )
)
