/**
 * This driver reads an archive's file that may only be read: nothing in it or beside it is made or changed. A file that nobody
 * has open, such as a backup, is read as it is; one that another program has open is read beside that program.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import { realpathSync, statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Migrations from "../migrations/Migrations.ts"
import { Database } from "../sql/Database.ts"
import * as ArchiveClient from "./ArchiveClient.ts"
import * as Sqlite from "./Sqlite.ts"
import { toArchiveError } from "./SqliteError.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as SqliteSet from "./SqliteSet.ts"

const failure = ArchiveError.ArchiveError.of

const failed = (place: string, detail: string) => failure(new ArchiveError.Failed({ place, detail }))

/** This is an archive's file: `place` is its path as it was named, `path` has no links. */
interface File {
  readonly place: string
  readonly path: string
}

type Opened = Effect.Effect<SqlClient.SqlClient, ArchiveError.DatabaseError, Scope.Scope>

const besides = (path: string): string => `${basename(SqliteSet.log(path))} or ${basename(SqliteSet.memory(path))}`

const isInUse = (path: string): boolean => {
  const { hasLog, hasMemory } = SqliteSet.leftUnsafe(path)
  return hasLog || hasMemory
}

/** Tells a file from itself after somebody wrote to it. */
const stamp = (path: string): string => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs}`
}

/**
 * Reads a file that nobody has open as something that never changes. It takes no lock and sees no log, so that it is looked at
 * before and after each statement: what was read while somebody wrote is not believed.
 */
const alone = ({ path, place }: File): Opened =>
  Effect.suspend(() => {
    const known = stamp(path)
    const look = (): void => {
      if (isInUse(path) || stamp(path) !== known) {
        throw failed(place, "another program wrote to it, or opened it, while it was read; run it again")
      }
    }
    return ArchiveClient.open({ file: `${pathToFileURL(path).href}?immutable=1&mode=ro`, readOnly: true }).pipe(
      Effect.flatMap((db) => ArchiveClient.makeReader(db, look)),
      Effect.mapError(toArchiveError(place))
    )
  })

/** Reads a file beside a program that has it open, or after one that was killed, together with its log. */
const beside = Effect.fnUntraced(function*({ path, place }: File, busyTimeout: Duration.Input) {
  const { begin, look } = SqliteSet.watch(path, place)
  const sql = yield* ArchiveClient.open({
    file: `${pathToFileURL(path).href}?mode=ro&readonly_shm=1`,
    readOnly: true,
    busyTimeout: Duration.toMillis(Duration.fromInputUnsafe(busyTimeout))
  }).pipe(
    Effect.flatMap((db) => ArchiveClient.makeReader(db, look)),
    Effect.tap((sql) => sql`SELECT 1 FROM sqlite_schema`),
    Effect.mapError(toArchiveError(place))
  )
  yield* begin
  return sql
})

/** Fails where the tables are of an earlier version, which cannot be brought to this one here. */
const known = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: string) {
  const error = toArchiveError(place)
  const found = yield* Effect.mapError(
    Migrations.found(sql, place),
    (failure) => failure._tag === "ArchiveError" ? failure : error(failure)
  )
  if (found < Migrations.KNOWN) {
    return yield* failure(new ArchiveError.Older({ place, found, known: Migrations.KNOWN }))
  }
  return Database.of({
    place,
    sql,
    error,
    ...Sqlite.pages(sql),
    holder: Effect.succeedNone,
    exclusive: () => Effect.fail(failure(new ArchiveError.ReadOnly({ place })))
  })
})

/** Checks a file without a change, and finds it behind its links. */
const checked = Effect.fnUntraced(function*(file: string) {
  yield* SqliteFile.checkContent(resolve(file), file)
  return { place: file, path: realpathSync(resolve(file)) } satisfies File
})

const backup = Effect.fnUntraced(function*(file: string) {
  const own = yield* checked(file)
  const { path, place } = own
  if (isInUse(path)) {
    return yield* failed(
      place,
      `${
        besides(path)
      } stands beside it: another program has it open, or was killed, and what was written last is not in the ` +
        "file itself. Only if these files are its own and were not left beside it by another file of that name, open it as an " +
        `archive (tallystick archive check --archive-file ${place})`
    )
  }
  return yield* known(yield* alone(own), place)
})

/** This layer reads one file that nobody has open. */
export const layerBackup = (file: string): Layer.Layer<Database, ArchiveError.OpenError> =>
  Layer.effect(Database, backup(file))

const readOnly = Effect.fnUntraced(function*(own: File, { busyTimeout = "2 seconds" }: Sqlite.Options) {
  const { path, place } = own
  const { hasLog, hasMemory } = SqliteSet.leftUnsafe(path)
  if (!hasLog && !hasMemory) return yield* known(yield* alone(own), place)
  yield* SqliteFile.isHere(path, place)
  if (hasLog && hasMemory) return yield* known(yield* beside(own, busyTimeout), place)
  return yield* failed(
    place,
    `${
      besides(path)
    } stands beside it without the other, so that what was written last can only be read by somebody who may ` +
      "write there; copy all of its files to a folder of your own, and open the copy"
  )
})

const reader = Effect.fnUntraced(function*(options: Sqlite.Options) {
  const own = yield* checked(options.file)
  if (!(yield* SqliteFile.mayBeWritten(own.path))) return yield* readOnly(own, options)
  // The system may refuse what no mode forbids.
  return yield* Effect.catchIf(
    Sqlite.open(options),
    ({ reason }) => reason._tag === "ReadOnly",
    () => readOnly(own, options)
  )
})

/**
 * This layer opens one file that is there: as every archive's where it may be written to, and else for reading only, with
 * nothing made or changed.
 */
export const layer = (options: Sqlite.Options): Layer.Layer<Database, ArchiveError.OpenError> =>
  Layer.effect(Database, reader(options))
