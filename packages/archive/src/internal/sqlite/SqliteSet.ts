/**
 * A set has the files beside an archive's file: the log and the memory that SQLite's connections share, and the writer's lock.
 * The file system's number of a file tells it from another that took its name.
 */
import * as Effect from "effect/Effect"
import { statSync } from "node:fs"
import { basename } from "node:path"
import * as ArchiveError from "../../ArchiveError.ts"

/** SQLite and a writer keep files beside an archive's, whose names have these ends. */
export const ENDS: ReadonlyArray<string> = ["-wal", "-shm", "-journal", "-lock"]

export const log = (file: string): string => `${file}-wal`
export const memory = (file: string): string => `${file}-shm`
export const lock = (file: string): string => `${file}-lock`

/** Gives the file system's number of a file; none where there is no such file. */
const inode = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

const exists = (path: string): boolean => inode(path) !== undefined

/** The log comes first and goes last: both are there while the file is open and after a kill, none after an ordinary end. */
export const leftUnsafe = (file: string) => ({ hasLog: exists(log(file)), hasMemory: exists(memory(file)) })

export const left = (file: string) => Effect.sync(() => leftUnsafe(file))

/** A database has room for a number of its program's own, of 31 bits (`user_version`). */
const ROOM = 0x7fff_ffffn

/** Gives a mark, 1 or more, that tells the lock file from another of its name; none where there is no such file. */
export const lockMark = (file: string): Effect.Effect<number | undefined> =>
  Effect.sync(() => {
    const number = inode(lock(file))
    return number === undefined ? undefined : Number(number % ROOM) + 1
  })

/** A watch looks whether the files of a connection are still those that it opened. */
export interface Watch {
  /** Begins once the connection has read, because all the files are there then. */
  readonly begin: Effect.Effect<void>
  /** Throws an `ArchiveError` where the files are no longer those. */
  readonly look: () => void
}

export const watch = (file: string, place: string): Watch => {
  const files = [file, log(file), memory(file)]
  let known: ReadonlyArray<bigint | undefined> | undefined
  return {
    begin: Effect.sync(() => {
      known = files.map(inode)
    }),
    look: () => {
      if (known === undefined) return
      for (let index = 0; index < files.length; index++) {
        const path = files[index] ?? file
        if (inode(path) !== known[index]) {
          throw ArchiveError.ArchiveError.of(new ArchiveError.Moved({ place, file: basename(path) }))
        }
      }
    }
  }
}
