/** What Linux tells of how a file is mounted. Elsewhere nothing is known, and no file can be mounted by itself. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"

export interface Mount {
  /** Where it is seen. */
  readonly point: string
  /** What is seen there, from the top of its own file system. */
  readonly root: string
  /** `ext4`, `nfs4`, `fuse.sshfs`. */
  readonly fileSystem: string
}

const TABLE = "/proc/self/mountinfo"

/** Blanks and backslashes are told as octal numbers. */
const plain = (text: string): string =>
  Buffer.from(
    text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    "latin1"
  ).toString("utf8")

/** The mounts of the system's own table, in its order: later ones lie over earlier ones. */
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

/** Its locks keep two machines apart at best, and memory that programs share never reaches another machine. */
export const isNetwork = ({ fileSystem }: Mount): boolean => NETWORK.test(fileSystem)

/** Those of this process; none where the system tells none. */
export const Mounts = Context.Reference<Effect.Effect<ReadonlyArray<Mount>>>(
  "@tallystick/archive/internal/sqlite/Mounts",
  {
    defaultValue: () => Effect.orElseSucceed(Effect.try(() => parse(readFileSync(TABLE))), () => [])
  }
)

/** The mount through which a path, without links, is seen. */
export const through = (path: string): Effect.Effect<Mount | undefined> =>
  Effect.map(Effect.flatMap(Mounts, (all) => all), (mounts) => of(mounts, path))
