/** This driver keeps an archive in one file, or in memory. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { MigrationError } from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { realpathSync } from "node:fs"
import { basename, resolve } from "node:path"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Fence from "../lock/Fence.ts"
import * as Holder from "../lock/Holder.ts"
import * as Migrations from "../migrations/Migrations.ts"
import { Database } from "../sql/Database.ts"
import * as ArchiveClient from "./ArchiveClient.ts"
import { toArchiveError } from "./SqliteError.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteSet from "./SqliteSet.ts"

export interface Options {
  readonly file: string
  /**
   * A writer waits at most so long for another process that writes; nothing else runs in this process meanwhile. The default is
   * 2 seconds.
   */
  readonly busyTimeout?: Duration.Input
}

type Failure = ArchiveError.OpenError | SqlError | MigrationError

const isBusy = (error: SqlError): boolean => error.reason._tag === "LockTimeoutError"

const BETWEEN = Duration.millis(20)

const MARK = `PRAGMA application_id = ${SqliteFile.APPLICATION_ID}`

/**
 * Fails where nothing can ever be written: SQLite opens such a file without a word, and refuses the first change only. A
 * program that writes at this moment is no reason to fail.
 */
const probe = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(sql.reserve, (connection) => {
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    return run("BEGIN IMMEDIATE").pipe(
      Effect.andThen(Effect.ensuring(run(MARK), Effect.ignore(run("ROLLBACK")))),
      Effect.catchIf(isBusy, () => Effect.void)
    )
  }).pipe(Effect.scoped)

/** Sets up a connection. Every commit is on the disk when it returns, also on macOS, which needs to be told twice. */
const settings = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`PRAGMA synchronous = FULL`
  yield* sql`PRAGMA fullfsync = ON`
  yield* sql`PRAGMA checkpoint_fullfsync = ON`
  yield* sql`PRAGMA foreign_keys = ON`
})

const number = (sql: SqlClient.SqlClient, pragma: string): Effect.Effect<number, SqlError> =>
  Effect.map(sql.unsafe<Record<string, number>>(`PRAGMA ${pragma}`), ([row]) => row?.[pragma] ?? 0)

/** Writes the header first and in a journal of its own, so that the file can be recognised as an archive from then on. */
const stamp = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  if ((yield* number(sql, "application_id")) !== SqliteFile.APPLICATION_ID) yield* sql.unsafe(MARK)
})

const journal = (sql: SqlClient.SqlClient, change = ""): Effect.Effect<string | undefined, SqlError> =>
  Effect.map(sql.unsafe<{ journal_mode: string }>(`PRAGMA journal_mode${change}`), ([row]) => row?.journal_mode)

const writeAhead = (sql: SqlClient.SqlClient, place: string) =>
  Effect.flatMap(journal(sql, " = WAL"), (mode) =>
    mode === "wal" ? Effect.void : Effect.fail(
      ArchiveError.ArchiveError.of(
        new ArchiveError.Failed({
          place,
          detail: "SQLite cannot keep a write-ahead log on this file system"
        })
      )
    ))

/** This is an archive's file: `place` is its path as it was named, `path` has no links. */
interface File {
  readonly place: string
  readonly path: string
}

const occupied = (place: string, detail: string) =>
  ArchiveError.ArchiveError.of(new ArchiveError.Occupied({ place, detail }))

/**
 * Says why a connection may not be opened beside others yet, if so. An archive that nobody has open has neither log nor shared
 * memory beside it. A process that finds it so, or not as this version keeps it, must have the file for itself first
 * (`prepare`): SQLite's lock on the file itself shows every process that has it open, under any name.
 */
const unfit = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, { path, place }: File) {
  if ((yield* number(sql, "application_id")) !== SqliteFile.APPLICATION_ID || (yield* journal(sql)) !== "wal") {
    return ArchiveError.ArchiveError.of(new ArchiveError.Locked({ place }))
  }
  const found = yield* Migrations.found(sql, place)
  if (found < Migrations.KNOWN) {
    return occupied(place, `its tables are of an earlier version (schema ${found}; this one needs ${Migrations.KNOWN})`)
  }
  return (yield* number(sql, "user_version")) === (yield* SqliteSet.lockMark(path)) ? undefined : strayLock(place)
})

const strayLock = (place: string) =>
  occupied(place, `${basename(SqliteSet.lock(place))}, its lock, was removed or replaced while that program ran`)

/** Makes the changes that need the file while no other process has it open, under any name; gives false where one has. */
const prepare = ({ path, place }: File) =>
  Effect.gen(function*() {
    const sql = yield* Effect.flatMap(ArchiveClient.open({ file: path }), ArchiveClient.make)
    yield* sql`PRAGMA locking_mode = EXCLUSIVE`
    yield* settings(sql)
    // The lock is kept until the connection is closed. The first commit makes an empty file a database.
    yield* sql.withTransaction(stamp(sql)).pipe(
      Effect.provideService(SqlClient.BeginTransaction, "BEGIN EXCLUSIVE")
    )
    yield* writeAhead(sql, place)
    yield* Migrations.migrate({ sql, place, alone: Effect.void, supersede: Effect.void })
    yield* SqliteFile.create(SqliteSet.lock(path), place)
    const mark = yield* SqliteSet.lockMark(path)
    if (mark !== undefined && (yield* number(sql, "user_version")) !== mark) {
      yield* sql.unsafe(`PRAGMA user_version = ${mark}`)
    }
    return true
  }).pipe(
    Effect.scoped,
    Effect.catchIf(
      (failure) => failure._tag === "SqlError" && isBusy(failure),
      () => Effect.succeed(false)
    )
  )

/** Opens a connection beside those of others, in a scope that ends with its failure. */
const join = Effect.fnUntraced(function*({ path, place }: File, wait: Duration.Duration) {
  const watch = SqliteSet.watch(path, place)
  const sql = yield* Effect.flatMap(ArchiveClient.open({ file: path }), (db) => ArchiveClient.make(db, watch.look))
  yield* probe(sql)
  yield* settings(sql)
  const reason = yield* unfit(sql, { path, place })
  if (reason !== undefined) return yield* reason
  yield* sql`PRAGMA busy_timeout = ${sql.literal(String(Duration.toMillis(wait)))}`
  yield* watch.begin
  return sql
}, (effect) =>
  Effect.gen(function*() {
    const scope = yield* Scope.fork(yield* Scope.Scope)
    return yield* Scope.provide(effect, scope).pipe(
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  }))

const isInUse = (failure: Failure): boolean =>
  failure._tag === "SqlError" ? isBusy(failure) : failure._tag === "ArchiveError" && isForNow(failure.reason)

const isForNow = ({ _tag }: ArchiveError.Reason): boolean => _tag === "Locked" || _tag === "Occupied"

/** Opens the file beside others, or prepares it first, and tries again while there is time. */
const connect = (file: File, wait: Duration.Duration) => {
  const { path, place } = file
  const joined = join(file, wait)
  const unseen = occupied(
    place,
    `that program changes its tables or knows it by another name, or ${basename(SqliteSet.log(path))} and ${
      basename(SqliteSet.memory(path))
    } were removed meanwhile`
  )
  return Effect.flatMap(
    SqliteSet.left(path),
    ({ hasLog, hasMemory }): typeof joined => hasLog && hasMemory ? joined : Effect.fail(unseen)
  ).pipe(
    Effect.catchIf(
      isInUse,
      (failure) => Effect.flatMap(prepare(file), (done) => done ? joined : Effect.fail(failure))
    ),
    Effect.retry({
      while: isInUse,
      schedule: Schedule.spaced(BETWEEN).pipe(
        Schedule.upTo({ times: Math.ceil(Duration.toMillis(wait) / Duration.toMillis(BETWEEN)) })
      )
    })
  )
}

/** Takes a lock on a file of its own: it is a second connection's transaction, which ends with the process however it ends. */
const take = (sql: SqlClient.SqlClient, { path, place }: File) => {
  const error = toArchiveError(place)
  // The lock was the archive's own when this process opened it.
  const moved = ArchiveError.ArchiveError.of(new ArchiveError.Moved({ place, file: basename(SqliteSet.lock(path)) }))
  const isKnown = Effect.all([number(sql, "user_version"), SqliteSet.lockMark(path)]).pipe(
    Effect.mapError(error),
    Effect.filterOrFail(([known, found]) => known === found, () => moved)
  )
  return Effect.gen(function*() {
    yield* isKnown
    const lock = yield* Effect.flatMap(
      Effect.mapError(ArchiveClient.open({ file: SqliteSet.lock(path) }), error),
      ArchiveClient.make
    )
    // Nothing is ever written to the lock file: a kill would only leave a journal behind.
    const isTaken = yield* Effect.andThen(lock`PRAGMA journal_mode = MEMORY`, lock.reserve).pipe(
      Effect.flatMap((connection) => connection.executeUnprepared("BEGIN EXCLUSIVE", [], undefined)),
      Effect.as(true),
      Effect.catchIf(isBusy, () => Effect.succeed(false)),
      Effect.mapError(error)
    )
    yield* isKnown
    return isTaken
  })
}

/** Asks SQLite about its pages, and about how indexes fit their tables. It gives at most `most` findings. */
const found = (sql: SqlClient.SqlClient, most: number) =>
  Effect.map(
    sql<{ readonly integrity_check: string }>`PRAGMA integrity_check(${sql.literal(String(most))})`,
    (rows) =>
      rows.flatMap(({ integrity_check }) => integrity_check.split("\n"))
        .filter((text) => text !== "ok" && !text.startsWith("***"))
  )

export const pages = (sql: SqlClient.SqlClient): Pick<Database["Service"], "copyTo" | "structure"> => ({
  // The check fails where it goes on behind a page that cannot be read.
  structure: Effect.catch(found(sql, 100), () => found(sql, 1)),
  copyTo: Option.some((file) => Effect.asVoid(sql`VACUUM INTO ${file}`))
})

/** Opens one file, which is created where it is missing. */
export const open = Effect.fnUntraced(function*({ busyTimeout = "2 seconds", file }: Options) {
  const place = file
  const error = toArchiveError(place)
  const archiveError = (failure: Failure) => failure._tag === "ArchiveError" ? failure : error(failure)

  yield* SqliteFile.isNoCompanion(resolve(file), place)
  yield* SqliteFile.isHere(resolve(file), place)
  yield* SqliteFile.create(resolve(file), place)
  yield* SqliteFile.check(resolve(file), place)
  const own: File = { place, path: realpathSync(resolve(file)) }
  const sql = yield* Effect.mapError(connect(own, Duration.fromInputUnsafe(busyTimeout)), archiveError)
  const fence = Fence.make(sql, place)
  return Database.of({
    place,
    sql: Fence.guard(sql, fence),
    error,
    ...pages(sql),
    holder: Holder.look({ sql, error, isFree: Effect.scoped(take(sql, own)) }),
    exclusive: Holder.claim({ sql, place, error, fence, take: take(sql, own) })
  })
})

/** This layer opens one file, which is created where it is missing. */
export const layer = (options: Options): Layer.Layer<Database, ArchiveError.OpenError> =>
  Layer.effect(Database, open(options))

const openMemory = Effect.gen(function*() {
  const place = "memory"
  const error = toArchiveError(place)
  const sql = yield* Effect.flatMap(ArchiveClient.open({ file: ":memory:" }), ArchiveClient.make)
  yield* settings(sql)
  yield* Migrations.migrate({ sql, place, alone: Effect.void, supersede: Effect.void })

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
    ...pages(sql),
    holder: Ref.get(holder),
    exclusive: (purpose) =>
      Effect.asVoid(
        Effect.acquireRelease(Effect.flatMap(Holder.words(purpose), acquire), () => Ref.set(holder, Option.none()))
      )
  })
})

/** This database is gone with the layer. */
// @effect-diagnostics-next-line lazyEffect:off layers are memoised by reference, and two archives share nothing
export const layerMemory = (): Layer.Layer<Database> => Layer.effect(Database, Effect.orDie(openMemory))
