/** An archive in one file, or in memory. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import * as ArchiveError from "../ArchiveError.ts"
import { Database } from "./Database.ts"
import * as Holder from "./Holder.ts"
import * as Migrations from "./Migrations.ts"
import * as SqliteClient from "./SqliteClient.ts"
import { toArchiveError } from "./SqliteError.ts"
import * as SqliteFile from "./SqliteFile.ts"

export interface Options {
  readonly file: string
  /** Longest wait for another process that writes; nothing else runs in this one meanwhile. Default 2 seconds. */
  readonly busyTimeout?: Duration.Input
}

const isBusy = (error: SqlError): boolean => error.reason._tag === "LockTimeoutError"

const BETWEEN = Duration.millis(20)

/** Waits where SQLite itself does not: it changes the kind of journal at once or not at all. */
const patiently = <A>(wait: Duration.Duration, change: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  Effect.retry(change, {
    while: isBusy,
    schedule: Schedule.spaced(BETWEEN).pipe(
      Schedule.upTo({ times: Math.ceil(Duration.toMillis(wait) / Duration.toMillis(BETWEEN)) })
    )
  })

const MARK = `PRAGMA application_id = ${SqliteFile.APPLICATION_ID}`

/**
 * Fails where nothing can ever be written: SQLite opens such a file without a word, and refuses the first change only.
 * That another program writes just now is no reason.
 */
const probe = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(sql.reserve, (connection) => {
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    return run("BEGIN IMMEDIATE").pipe(
      Effect.andThen(Effect.ensuring(run(MARK), Effect.ignore(run("ROLLBACK")))),
      Effect.catchIf(isBusy, () => Effect.void)
    )
  }).pipe(Effect.scoped)

/** Every commit is on the disk when it returns, also on macOS, which needs to be told twice. */
const settings = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`PRAGMA synchronous = FULL`
  yield* sql`PRAGMA fullfsync = ON`
  yield* sql`PRAGMA checkpoint_fullfsync = ON`
  yield* sql`PRAGMA foreign_keys = ON`
})

/** The header comes first and in a journal of its own, so that the file can be told as ours from then on. */
const stamp = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, wait: Duration.Duration) {
  const rows = yield* sql<{ application_id: number }>`PRAGMA application_id`
  if (rows[0]?.application_id === SqliteFile.APPLICATION_ID) return
  yield* patiently(wait, sql.unsafe(MARK))
})

const writeAhead = (sql: SqlClient.SqlClient, place: string, wait: Duration.Duration) =>
  Effect.flatMap(
    patiently(wait, sql<{ journal_mode: string }>`PRAGMA journal_mode = WAL`),
    ([row]) =>
      row?.journal_mode === "wal"
        ? Effect.void
        : Effect.fail(
          new ArchiveError.ArchiveError({
            reason: new ArchiveError.Failed({
              place,
              detail: "SQLite cannot keep a write-ahead log on this file system"
            })
          })
        )
  )

/** A lock on a file of its own: a second connection's transaction, which ends with the process however it ends. */
const take = (lockFile: string, place: string) => {
  const error = toArchiveError(place)
  return Effect.gen(function*() {
    yield* SqliteFile.create(lockFile, place)
    const lock = yield* Effect.flatMap(Effect.mapError(SqliteClient.open({ file: lockFile }), error), SqliteClient.make)
    // Nothing is ever written to it: a journal would only be left behind by a kill.
    return yield* Effect.andThen(lock`PRAGMA journal_mode = MEMORY`, lock.reserve).pipe(
      Effect.flatMap((connection) => connection.executeUnprepared("BEGIN EXCLUSIVE", [], undefined)),
      Effect.as(true),
      Effect.catchIf(isBusy, () => Effect.succeed(false)),
      Effect.mapError(error)
    )
  })
}

const open = Effect.fnUntraced(function*({ busyTimeout = "2 seconds", file }: Options) {
  const wait = Duration.fromInputUnsafe(busyTimeout)
  const place = file
  const path = resolve(file)
  const error = toArchiveError(place)
  const archiveError = (failure: Parameters<typeof error>[0] | ArchiveError.ArchiveError) =>
    failure._tag === "ArchiveError" ? failure : error(failure)

  yield* SqliteFile.create(path, place)
  yield* SqliteFile.check(path, place)
  const sql = yield* Effect.flatMap(SqliteClient.open({ file: path }), SqliteClient.make).pipe(Effect.mapError(error))
  yield* Effect.gen(function*() {
    yield* probe(sql)
    yield* sql`PRAGMA busy_timeout = ${sql.literal(String(Duration.toMillis(wait)))}`
    yield* settings(sql)
    yield* stamp(sql, wait)
    yield* writeAhead(sql, place, wait)
    yield* Migrations.migrate({ sql, place })
  }).pipe(Effect.mapError(archiveError))

  const lockFile = `${realpathSync(path)}-lock`
  return Database.of({
    place,
    sql,
    error,
    exclusive: Holder.claim({ sql, place, error, take: take(lockFile, place) })
  })
})

/** In one file, which is created where it is missing. */
export const layer = (options: Options): Layer.Layer<Database, ArchiveError.ArchiveError> =>
  Layer.effect(Database, open(options))

const openMemory = Effect.gen(function*() {
  const place = "memory"
  const error = toArchiveError(place)
  const sql = yield* Effect.flatMap(SqliteClient.open({ file: ":memory:" }), SqliteClient.make)
  yield* settings(sql)
  yield* Migrations.migrate({ sql, place })

  const holder = yield* Ref.make(Option.none<string>())
  const acquire = (words: string) =>
    Ref.modify(holder, (current) => [current, Option.orElseSome(current, () => words)]).pipe(
      Effect.flatMap(Option.match({
        onNone: () => Effect.void,
        onSome: (present) => Effect.fail(Holder.held(place, present))
      }))
    )
  return Database.of({
    place,
    sql,
    error,
    exclusive: (purpose) =>
      Effect.asVoid(
        Effect.acquireRelease(Effect.flatMap(Holder.words(purpose), acquire), () => Ref.set(holder, Option.none()))
      )
  })
})

/** Gone with the layer. */
// @effect-diagnostics-next-line lazyEffect:off layers are memoised by reference, and two archives share nothing
export const layerMemory = (): Layer.Layer<Database> => Layer.effect(Database, Effect.orDie(openMemory))
