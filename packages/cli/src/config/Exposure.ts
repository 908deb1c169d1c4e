/** Whether others than its owner may open a file. Nothing is known on a system without owners and modes. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"

type Info = Pick<FileSystem.File.Info, "mode" | "uid" | "gid">

/** The bits of a mode that a file should not have. */
type Forbidden = (info: Info) => number

/**
 * Nobody else may read or write it. Root hands a secret to a service by the service's group, so that the group of a file of
 * root's may read it: PostgreSQL asks the same of the file of a key.
 */
export const ofSecret: Forbidden = ({ uid }) => Option.contains(uid, 0) ? 0o037 : 0o077

/** Nobody else may write it. The group that bears the number of the owner is the owner's own. */
export const ofConfiguration: Forbidden = ({ gid, uid }) =>
  Option.getOrUndefined(gid) === Option.getOrUndefined(uid) ? 0o002 : 0o022

/** The mode in octal digits of a file that has forbidden bits; else undefined. */
export const mode = (info: Info, forbidden: Forbidden): string | undefined => {
  const hasModes = process.geteuid !== undefined && Option.isSome(info.uid)
  return hasModes && (info.mode & forbidden(info)) !== 0
    ? (info.mode & 0o777).toString(8).padStart(3, "0")
    : undefined
}

/** The same of a path, links followed. A file that cannot be looked at fails where it is read. */
export const modeAt = (path: string, forbidden: Forbidden) =>
  FileSystem.FileSystem.use(({ stat }) => stat(path)).pipe(
    Effect.match({ onFailure: () => undefined, onSuccess: (info) => mode(info, forbidden) })
  )
