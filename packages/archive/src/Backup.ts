/** A copy of an archive in a file of its own, which is there whole and verified, or not at all. */
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as Archive from "./Archive.ts"
import * as ArchiveError from "./ArchiveError.ts"
import * as Integrity from "./Integrity.ts"
import * as SqliteFile from "./internal/SqliteFile.ts"
import type * as Run from "./Run.ts"

const fail = (reason: ArchiveError.Reason) => Effect.fail(new ArchiveError.ArchiveError({ reason }))

/** What SQLite keeps beside a file while it is open. */
const COMPANIONS = ["", "-wal", "-shm", "-journal", "-lock"]

const flush = (path: string): void => {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Gives the file its name, which nobody else's file loses; both are on the disk then. */
const publish = (temporary: string, file: string) =>
  SqliteFile.system(() => {
    flush(temporary)
    linkSync(temporary, file)
    rmSync(temporary)
    flush(dirname(file))
  }, file)

const verified = Effect.fnUntraced(function*(file: string, place: string) {
  const integrity = yield* Integrity.check().pipe(Effect.provide(Archive.Archive.layerSqlite({ file })))
  const { damages, outdated, runs, structure } = integrity
  const detail = structure[0] ?? `${damages.length + outdated.length} parts of it are not as they were written`
  return Integrity.areRecordsSound(integrity)
    ? runs
    : yield* fail(new ArchiveError.Damaged({ place, detail: `${detail}; no backup was made` }))
})

/**
 * Copies the archive into a file that does not exist yet, mode 600, while others may write to the archive: the copy is of one
 * moment. It is read once and held against its control totals before it gets its name; an archive whose records are damaged is
 * not copied. Gives what it lost of its runs: a copy has lost the same, and whoever reads a damaged run there is told so too.
 */
export const make = (file: string): Effect.Effect<Run.Damages, ArchiveError.ArchiveError, Archive.Archive> =>
  Effect.scoped(Effect.gen(function*() {
    const archive = yield* Archive.Archive
    const path = resolve(file)
    yield* (yield* SqliteFile.isThere(path)) ? fail(new ArchiveError.Exists({ place: file })) : Effect.void
    const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
    yield* Effect.acquireRelease(
      SqliteFile.create(temporary, file),
      () => Effect.sync(() => COMPANIONS.forEach((end) => rmSync(temporary + end, { force: true })))
    )
    yield* archive.copyTo(temporary)
    const runs = yield* verified(temporary, archive.place)
    yield* publish(temporary, path)
    return runs
  }))
