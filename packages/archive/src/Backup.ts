/** A backup is a copy of an archive in a file of its own, which is there whole and verified, or not at all. */
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as Archive from "./Archive.ts"
import * as ArchiveError from "./ArchiveError.ts"
import * as Integrity from "./Integrity.ts"
import * as SqliteFile from "./internal/sqlite/SqliteFile.ts"
import * as SqliteSet from "./internal/sqlite/SqliteSet.ts"

const fail = <Reason extends ArchiveError.Reason>(reason: Reason) => Effect.fail(ArchiveError.ArchiveError.of(reason))

/** Names the files that would belong to a file. */
const beside = (file: string): ReadonlyArray<string> => SqliteSet.ENDS.map((end) => file + end)

const flush = (path: string): void => {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Gives the file its name, and replaces no file that has this name already. Afterwards the file and its name are on the disk. */
const publish = (temporary: string, file: string) =>
  Effect.andThen(
    SqliteFile.system(() => flush(temporary), file),
    Effect.andThen(
      SqliteFile.link(temporary, file),
      SqliteFile.system(() => {
        rmSync(temporary)
        flush(dirname(file))
      }, file)
    )
  )

/** The disk on which there is no more room is that of the copy: nothing is written to the archive. */
const ofCopy = (file: string) =>
  Effect.mapError((error: ArchiveError.BackupError) =>
    error.reason._tag === "DiskFull"
      ? ArchiveError.ArchiveError.of(new ArchiveError.DiskFull({ place: file }))
      : error
  )

const verified = Effect.fnUntraced(function*(file: string, place: string) {
  const integrity = yield* Integrity.check().pipe(Effect.provide(Archive.Archive.layerSqlite({ file })))
  if (Integrity.areRecordsSound(integrity)) return integrity
  const { damages, outdated, structure } = integrity
  const parts = damages.length + outdated.length
  const detail = structure[0] ??
    (parts === 1 ? "a part of it is not as it was written" : `${parts} parts of it are not as they were written`)
  return yield* fail(
    new ArchiveError.Damaged({
      place,
      detail: `${detail}; no backup was made, and tallystick archive check names all that is damaged`
    })
  )
})

/**
 * Copies the archive into a file that does not exist yet, mode 600, while others may write to the archive: the copy shows one
 * moment. The copy is read once and held against its control totals before it gets its name; an archive whose records are
 * damaged is not copied. Gives the findings in the copy: damaged runs, and time of which rows were lost earlier, are the same
 * there as in the archive. Fails with `Exists` where the file is there, and with `Aliased` where there is a file that would
 * belong to it, or where it would belong to another file.
 */
export const make = (
  file: string
): Effect.Effect<Integrity.Integrity, ArchiveError.BackupError, Archive.Archive> =>
  Effect.scoped(Effect.gen(function*() {
    const archive = yield* Archive.Archive
    const path = resolve(file)
    yield* SqliteFile.isNoCompanion(path, file)
    yield* (yield* SqliteFile.isThere(path)) ? fail(new ArchiveError.Exists({ place: file })) : Effect.void
    for (const left of beside(file)) {
      if (yield* SqliteFile.isThere(resolve(left))) {
        const detail = `${left} is there and belongs to another file of that name; remove it, or name another file`
        return yield* fail(new ArchiveError.Aliased({ place: file, detail }))
      }
    }
    const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
    yield* Effect.acquireRelease(
      SqliteFile.create(temporary, file),
      () => Effect.sync(() => [temporary, ...beside(temporary)].forEach((path) => rmSync(path, { force: true })))
    )
    yield* ofCopy(file)(archive.copyTo(temporary))
    const copy = yield* ofCopy(file)(verified(temporary, archive.place))
    yield* publish(temporary, path)
    return copy
  }))
