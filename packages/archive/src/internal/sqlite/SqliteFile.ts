/** The file of an archive is checked before SQLite may write to it. */
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as Result from "effect/Result"
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync
} from "node:fs"
import { basename, dirname } from "node:path"
import { pathToFileURL } from "node:url"
import * as ArchiveError from "../../ArchiveError.ts"
import { resultCode, sqlCause } from "../sql/SqlCause.ts"
import * as ArchiveClient from "./ArchiveClient.ts"
import * as Mounts from "./Mounts.ts"
import { toArchiveError } from "./SqliteError.ts"
import * as SqliteSet from "./SqliteSet.ts"

/** This is "Taly". It stands in the header of every archive, so that no other program's database is taken for one. */
export const APPLICATION_ID = 0x54616c79

const NOTADB = 26

/** SQLite has no smaller page. */
const SMALLEST = 512

const fail = <Reason extends ArchiveError.Reason>(reason: Reason) => Effect.fail(ArchiveError.ArchiveError.of(reason))

const refuse = <Reason extends ArchiveError.Reason>(when: boolean, reason: Reason) => when ? fail(reason) : Effect.void

/** Gives Node's word for a failed system call. */
const errorCode = (cause: unknown): string => hasProperty(cause, "code") ? String(cause.code) : "unknown"

/** Says why nothing is there. */
const absence = (place: string): string =>
  Result.match(Result.try(() => readlinkSync(place)), {
    onSuccess: (target) => `it is a link to ${target}, and nothing is there`,
    onFailure: () => existsSync(dirname(place)) ? "it does not exist" : "its folder does not exist"
  })

/** The reasons why the system refuses a file. */
type Refusal = ArchiveError.ReadOnly | ArchiveError.DiskFull | ArchiveError.CannotOpen

const reason = (place: string, code: string): Refusal => {
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ArchiveError.ReadOnly({ place })
    case "ENOSPC":
    case "EDQUOT":
      return new ArchiveError.DiskFull({ place })
    case "ENOENT":
    case "ENOTDIR":
      return new ArchiveError.CannotOpen({ place, detail: absence(place) })
    default:
      return new ArchiveError.CannotOpen({ place, detail: `the system refuses it (${code})` })
  }
}

/** Makes a call that the system may refuse. */
export const system = <A>(call: () => A, place: string): Effect.Effect<A, ArchiveError.ArchiveError<Refusal>> =>
  Effect.try({ try: call, catch: errorCode }).pipe(Effect.catch((code) => fail(reason(place, code))))

/** Gives a file a second name, which no other file has. */
export const link = (
  from: string,
  to: string
): Effect.Effect<void, ArchiveError.ArchiveError<Refusal | ArchiveError.Exists>> =>
  Effect.try({ try: () => linkSync(from, to), catch: errorCode }).pipe(
    Effect.catch((code) =>
      fail<Refusal | ArchiveError.Exists>(
        code === "EEXIST" ? new ArchiveError.Exists({ place: to }) : reason(to, code)
      )
    )
  )

/**
 * Creates a file that only its owner can read, from its first moment; SQLite gives the files beside it the same mode. An
 * existing file stays as it is here.
 */
export const create = (file: string, place: string): Effect.Effect<void, ArchiveError.ArchiveError<Refusal>> =>
  Effect.try({ try: () => closeSync(openSync(file, "wx", 0o600)), catch: errorCode }).pipe(
    Effect.catchIf((code) => code === "EEXIST", () => Effect.void),
    Effect.catch((code) => fail(reason(place, code)))
  )

const noDatabase = (place: string) => new ArchiveError.Foreign({ place, detail: "the file is not an SQLite database" })

/**
 * Reads the number in the header. While a checkpoint is under way, and after one that was broken off, page 1 counts pages that
 * only the log holds. This reading takes no log into account, so it must not hold the file's length against the header:
 * `writable_schema` is for that.
 */
const applicationId = (file: string, place: string): Effect.Effect<number | undefined, ArchiveError.OpenError> =>
  ArchiveClient.open({
    file: `${pathToFileURL(file).href}?immutable=1&mode=ro`,
    readOnly: true,
    defensive: false
  }).pipe(
    Effect.flatMap(ArchiveClient.make),
    Effect.tap((sql) => sql`PRAGMA writable_schema = ON`),
    Effect.flatMap((sql) => sql<{ application_id: number }>`PRAGMA application_id`),
    Effect.scoped,
    Effect.map(([row]) => row?.application_id),
    Effect.catch((error): Effect.Effect<never, ArchiveError.OpenError> =>
      resultCode(sqlCause(error)) === NOTADB ? fail(noDatabase(place)) : Effect.fail(toArchiveError(place)(error))
    )
  )

/** Tells whether anything has that name. */
export const isThere = (file: string): Effect.Effect<boolean> =>
  Effect.sync(() => lstatSync(file, { throwIfNoEntry: false }) !== undefined)

/** Tells whether there is anything in the file. Where that cannot be told there may be, and opening it tells why not. */
export const exists = (file: string): Effect.Effect<boolean> =>
  Effect.try({ try: () => statSync(file), catch: errorCode }).pipe(
    Effect.map((stat) => !stat.isFile() || stat.size > 0),
    Effect.catch((code) => Effect.succeed(code !== "ENOENT"))
  )

/**
 * Fails where the name is one of a file that SQLite or a writer keeps beside another: SQLite would delete it, or take it for a
 * log.
 */
export const isNoCompanion = (file: string, place: string): Effect.Effect<void, ArchiveError.OpenError> => {
  const end = SqliteSet.ENDS.find((end) => file.toLowerCase().endsWith(end))
  return refuse(
    end !== undefined,
    new ArchiveError.Aliased({
      place,
      detail:
        `a file whose name ends in ${end} counts as a part of the archive whose name stands before that, and may be ` +
        "deleted with it; name another file"
    })
  )
}

const isLocal = (mount: Mounts.Mount, place: string) =>
  refuse(Mounts.isNetwork(mount), new ArchiveError.Remote({ place, fileSystem: mount.fileSystem }))

/** Fails where the file lies on a network file system, before it is made there. */
export const isHere = Effect.fnUntraced(function*(
  file: string,
  place: string
): Effect.fn.Return<void, ArchiveError.OpenError> {
  const folder = yield* system(() => realpathSync(dirname(file)), place)
  const mount = yield* Mounts.through(folder)
  if (mount !== undefined) yield* isLocal(mount, place)
})

/** Fails where SQLite would keep another log for the same file under another name of it. */
const hasOneName = Effect.fnUntraced(function*(
  file: string,
  place: string,
  links: number
): Effect.fn.Return<void, ArchiveError.OpenError> {
  yield* refuse(
    links > 1,
    new ArchiveError.Aliased({
      place,
      detail: `it has ${links} names (hard links), and two programs that use different ones would ruin it; ` +
        "remove all but one, and make a backup where you need a second"
    })
  )
  const path = yield* system(() => realpathSync(file), place)
  const mount = yield* Mounts.through(path)
  if (mount === undefined) return
  yield* refuse(
    mount.point === path,
    new ArchiveError.Aliased({
      place,
      detail: `it is mounted by itself, without the files that SQLite keeps beside it; mount its folder ` +
        `(${dirname(mount.root)}, from the top of its file system) and name ${basename(mount.root)} in there`
    })
  )
})

/**
 * Fails where the log was taken away from beside the shared memory. It is looked for twice, because others open and close the
 * file.
 */
const hasItsLog = Effect.fnUntraced(function*(file: string, place: string) {
  const isMissing = Effect.map(SqliteSet.left(file), ({ hasLog, hasMemory }) => hasMemory && !hasLog)
  yield* refuse(
    (yield* isMissing) && (yield* isMissing),
    new ArchiveError.Damaged({
      place,
      detail: `${basename(SqliteSet.log(file))}, which holds what was written last, was removed from beside it`,
      remedy: "put it back"
    })
  )
})

const isOurs = Effect.fnUntraced(function*(file: string, place: string, size: number) {
  yield* refuse(size < SMALLEST, noDatabase(place))
  yield* refuse(
    (yield* applicationId(file, place)) !== APPLICATION_ID,
    new ArchiveError.Foreign({ place, detail: "it is the database of another program" })
  )
})

/** Fails where the file is not a regular file of one name, and gives what the file system tells of it. */
const named = Effect.fnUntraced(function*(file: string, place: string) {
  const stat = yield* system(() => statSync(file), place)
  const detail = stat.isDirectory() ? "it is a folder; name a file in it" : "it is a device or a pipe; name a file"
  yield* refuse(!stat.isFile(), new ArchiveError.Foreign({ place, detail }))
  yield* hasOneName(file, place, stat.nlink)
  return stat
})

/** Does the same as `check` for a file that will only be read: it may lie where nobody may write, and on the network. */
export const checkContent = Effect.fnUntraced(function*(
  file: string,
  place: string
): Effect.fn.Return<void, ArchiveError.OpenError> {
  const stat = yield* named(file, place)
  yield* system(() => accessSync(file, constants.R_OK), place)
  yield* isOurs(file, place, stat.size)
})

/** Tells whether somebody may write by the mode of a file or folder, and whether that is this process. */
const isWritable = (path: string): boolean =>
  (statSync(path).mode & 0o222) !== 0 &&
  Result.isSuccess(Result.try(() => accessSync(path, constants.R_OK | constants.W_OK)))

/**
 * Tells whether an archive's file may be written to: by its mode and its folder's, and on a disk of this machine. Root may write
 * where no mode allows it, and leaves such a file as it is too.
 */
export const mayBeWritten = Effect.fnUntraced(function*(path: string) {
  const mount = yield* Mounts.through(path)
  return (mount === undefined || !Mounts.isNetwork(mount)) && isWritable(path) && isWritable(dirname(path))
})

/**
 * Fails where the file is something else than an archive. The header is read through SQLite as something that never
 * changes: nothing is locked, recovered or written, and no lock of another connection of this process is lost, as it
 * would be when the file was read directly.
 */
export const check = Effect.fnUntraced(function*(
  file: string,
  place: string
): Effect.fn.Return<void, ArchiveError.OpenError> {
  const stat = yield* named(file, place)
  yield* isHere(realpathSync(file), place)
  // SQLite would open what it may only read, and leave files of the reader's beside it.
  yield* system(() => accessSync(file, constants.R_OK | constants.W_OK), place)
  yield* system(() => accessSync(dirname(file), constants.W_OK), place)
  if (stat.size === 0) {
    // The file becomes an archive, and as private as one that `create` makes.
    if ((stat.mode & 0o077) !== 0) yield* system(() => chmodSync(file, 0o600), place)
    return
  }
  yield* isOurs(file, place, stat.size)
  yield* hasItsLog(realpathSync(file), place)
})
