/**
 * This driver reads an archive's file that nobody writes to, such as a backup: it is read as it is, and nothing in it or beside
 * it is made or changed.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { realpathSync } from "node:fs"
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

const fail = (reason: ArchiveError.Reason) => Effect.fail(new ArchiveError.ArchiveError({ reason }))

const isInUse = (path: string): boolean => {
  const { hasLog, hasMemory } = SqliteSet.leftUnsafe(path)
  return hasLog || hasMemory
}

const open = Effect.fnUntraced(function*(file: string) {
  const place = file
  const error = toArchiveError(place)
  yield* SqliteFile.checkContent(resolve(file), place)
  const path = realpathSync(resolve(file))
  const inUse = new ArchiveError.ArchiveError({
    reason: new ArchiveError.Failed({
      place,
      detail:
        `${basename(SqliteSet.log(path))} or ${
          basename(SqliteSet.memory(path))
        } stands beside it: another program has it ` +
        "open, or was killed, and what was written last is not in the file itself. Only if these files are its own and were not " +
        `left beside it by another file of that name, open it as an archive (tallystick archive check --archive-file ${place})`
    })
  })
  yield* isInUse(path) ? Effect.fail(inUse) : Effect.void
  const look = (): void => {
    if (isInUse(path)) throw inUse
  }
  const sql = yield* ArchiveClient.open({ file: `${pathToFileURL(path).href}?immutable=1&mode=ro`, readOnly: true })
    .pipe(
      Effect.flatMap((db) => ArchiveClient.make(db, look)),
      Effect.mapError(error)
    )
  const found = yield* Effect.mapError(
    Migrations.found(sql, place),
    (failure) => failure._tag === "ArchiveError" ? failure : error(failure)
  )
  if (found < Migrations.KNOWN) {
    return yield* fail(new ArchiveError.Older({ place, found, known: Migrations.KNOWN }))
  }
  return Database.of({
    place,
    sql,
    error,
    ...Sqlite.pages(sql),
    holder: Effect.succeedNone,
    exclusive: () => fail(new ArchiveError.ReadOnly({ place }))
  })
})

/** This layer reads one file that is there. */
export const layer = (file: string): Layer.Layer<Database, ArchiveError.ArchiveError> =>
  Layer.effect(Database, open(file))
