/** One row tells which runner syncs and how it goes. A runner that lost its turn changes it no more. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SyncState from "../../SyncState.ts"
import * as Engine from "../effect/Engine.ts"
import { Whole } from "../jobs/Whole.ts"
import * as Migrating from "../Migrating.ts"
import { unusable } from "../Unusable.ts"

const TABLE = `${Engine.PREFIX}_sync`

const migrations = Migrator.fromRecord({
  "0001_sync": Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const int = sql.onDialectOrElse({ sqlite: () => sql.literal("INTEGER"), orElse: () => sql.literal("BIGINT") })
    yield* sql`CREATE TABLE ${sql(TABLE)} (
      id INTEGER PRIMARY KEY,
      turn ${int} NOT NULL,
      runner TEXT NOT NULL,
      since ${int} NOT NULL,
      read_at ${int},
      complete_to ${int},
      failures ${int} NOT NULL,
      failure TEXT,
      failed_at ${int}
    )`
  })
})

const Row = Schema.Struct({
  turn: Whole,
  runner: Schema.String,
  since: Whole,
  read_at: Schema.NullOr(Whole),
  complete_to: Schema.NullOr(Whole),
  failures: Whole,
  failure: Schema.NullOr(Schema.String),
  failed_at: Schema.NullOr(Whole)
})
const rowsOf = Schema.decodeUnknownEffect(Schema.Array(Row))
const turnsOf = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ turn: Whole })))

const versionsOf = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ version: Schema.String })))

const COLUMNS = Object.keys(Row.fields)

const stateOf = (row: typeof Row.Type): Omit<SyncState.SyncState, "isThere"> => ({
  runner: row.runner,
  since: row.since,
  turn: row.turn,
  failures: row.failures,
  ...(row.read_at === null ? {} : { readAt: row.read_at }),
  ...(row.complete_to === null ? {} : { completeTo: row.complete_to }),
  ...(row.failure === null ? {} : { failure: row.failure }),
  ...(row.failed_at === null ? {} : { failedAt: row.failed_at })
})

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Migrating.make([{ loader: migrations, table: `${Engine.PREFIX}_sync_migrations` }])
  const table = sql(TABLE)
  const now = Effect.map(Clock.currentTimeMillis, Math.floor)
  /** Those of each version, which are a cluster of their own. There is no version before the first runner. */
  const seen = sql`SELECT version FROM ${sql(`${Engine.PREFIX}_versions`)} ORDER BY version`.pipe(
    Effect.flatMap((rows) => Effect.orDie(versionsOf(rows))),
    Effect.orElseSucceed((): ReadonlyArray<{ readonly version: string }> => []),
    Effect.flatMap(Effect.forEach(({ version }) =>
      Effect.map(
        Effect.orElseSucceed(Engine.runners(sql, version, "syncing"), (): ReadonlyArray<string> => []),
        (runners) => ({ version, runners })
      )
    ))
  )
  const candidates = Effect.map(seen, (versions) => versions.flatMap(({ runners }) => runners))

  return {
    /** The runners that may sync. */
    candidates,
    state: Effect.gen(function*() {
      const [row] = yield* Effect.orDie(rowsOf(yield* sql`SELECT ${sql.literal(COLUMNS.join(", "))} FROM ${table}`))
      if (row === undefined) return Option.none<SyncState.SyncState>()
      // Among the runners an address of IPv6 has no brackets.
      const isThere = (yield* candidates).includes(row.runner.replace(/[[\]]/g, ""))
      return Option.some<SyncState.SyncState>({ ...stateOf(row), isThere })
    }).pipe(Effect.mapError(unusable)),
    /** Whether a runner of another version has its turn, and is there. */
    isElsewhere: Effect.fnUntraced(function*(version: string) {
      const [row] = yield* Effect.orDie(rowsOf(yield* sql`SELECT ${sql.literal(COLUMNS.join(", "))} FROM ${table}`))
      const name = row?.runner.replace(/[[\]]/g, "")
      return (yield* seen).some((other) => other.version !== version && other.runners.some((each) => each === name))
    }, Effect.mapError(unusable)),
    /** Keeps that a runner took over, and gives the number of its turn. */
    begin: Effect.fnUntraced(function*(runner: string) {
      const fresh = { runner, since: yield* now, failures: 0, failure: null, failed_at: null }
      const rows = yield* sql`INSERT INTO ${table} ${sql.insert({ id: 1, turn: 1, ...fresh })}
        ON CONFLICT (id) DO UPDATE SET turn = ${table}.turn + 1, ${sql.update(fresh)} RETURNING turn`
      const [row] = yield* Effect.orDie(turnsOf(rows))
      return row?.turn ?? 0
    }, Effect.mapError(unusable)),
    /** Keeps how far a round came. */
    read: Effect.fnUntraced(function*(turn: number, complete_to: number | null) {
      const changes = { read_at: yield* now, complete_to, failures: 0, failure: null, failed_at: null }
      yield* sql`UPDATE ${table} SET ${sql.update(changes)} WHERE turn = ${turn}`
    }, Effect.mapError(unusable)),
    /** Keeps why a round came to nothing. */
    fail: Effect.fnUntraced(function*(turn: number, failure: string) {
      const failed_at = yield* now
      yield* sql`UPDATE ${table} SET failures = failures + 1, failure = ${failure}, failed_at = ${failed_at} WHERE turn = ${turn}`
    }, Effect.mapError(unusable))
  }
})

/** Who syncs, and how it goes. */
export class SyncTable extends Context.Service<SyncTable, Effect.Success<typeof make>>()(
  "@tallystick/cluster/internal/sync/SyncTable"
) {
  static readonly layer = Layer.effect(SyncTable, make)
}
