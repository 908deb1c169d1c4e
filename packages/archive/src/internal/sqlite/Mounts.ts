/** Linux tells how a file is mounted. Other systems tell nothing, and mount no file by itself. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"

export interface Mount {
  /** The mount is seen at this path. */
  readonly point: string
  /** This path, from the top of the mount's own file system, is seen there. */
  readonly root: string
  /** The file system is called so: `ext4`, `nfs4`, `fuse.sshfs`. */
  readonly fileSystem: string
}

const TABLE = "/proc/self/mountinfo"

/** Reads blanks and backslashes, which the table tells as octal numbers. */
const plain = (text: string): string =>
  Buffer.from(
    text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    "latin1"
  ).toString("utf8")

/** Reads the mounts of the system's own table, in its order: later ones lie over earlier ones. */
export const parse = (table: Buffer): ReadonlyArray<Mount> =>
  table.toString("latin1").split("\n").flatMap((line) => {
    const words = line.split(" ")
    const end = words.indexOf("-")
    const [root, point, fileSystem] = [words[3], words[4], words[end + 1]]
    return end < 0 || root === undefined || point === undefined || fileSystem === undefined
      ? []
      : [{ root: plain(root), point: plain(point), fileSystem }]
  })

const holds = (point: string, path: string): boolean =>
  point === path || path.startsWith(point.endsWith("/") ? point : `${point}/`)

const of = (mounts: ReadonlyArray<Mount>, path: string): Mount | undefined =>
  mounts.reduce<Mount | undefined>(
    (found, mount) => holds(mount.point, path) && mount.point.length >= (found?.point.length ?? 0) ? mount : found,
    undefined
  )

const NETWORK =
  /^(?:nfs4?|cifs|smb3|smbfs|ncpfs|afs|ceph|lustre|beegfs|gpfs|orangefs|fuse\.(?:sshfs|s3fs|gcsfuse|rclone|glusterfs|davfs|ceph.*))$/

/**
 * Tells whether a file system lies on the network: its locks keep two machines apart at best, and memory that programs share
 * never reaches another machine.
 */
export const isNetwork = ({ fileSystem }: Mount): boolean => NETWORK.test(fileSystem)

/** This reference gives the mounts of this process; there are none where the system tells none. */
export const Mounts = Context.Reference<Effect.Effect<ReadonlyArray<Mount>>>(
  "@tallystick/archive/internal/sqlite/Mounts",
  {
    defaultValue: () => Effect.orElseSucceed(Effect.try(() => parse(readFileSync(TABLE))), () => [])
  }
)

/** Finds the mount through which a path, without links, is seen. */
export const through = (path: string): Effect.Effect<Mount | undefined> =>
  Effect.map(Effect.flatMap(Mounts, (all) => all), (mounts) => of(mounts, path))
