/** Processes of a cluster that are killed. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"

export interface Running {
  readonly process: ChildProcess
  /** The line of stdout with this number, from 0 on; it fails where the process ends without it. */
  readonly line: (index: number) => Effect.Effect<string>
  /** The first line of stdout that begins so; it fails where the process ends without it. */
  readonly told: (begin: string) => Effect.Effect<string>
  /** Kills it with SIGKILL, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

/** Starts a script of this folder; it is killed with the scope. */
const start = (script: string, env: Record<string, string>): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let [stdout, stderr] = ["", ""]
      const looks = new Set<() => void>()
      const look = (): void => {
        for (const each of looks) each()
      }
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text
        look()
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr = `${stderr}${text}`.slice(-4000)
      })
      const gone = once(child, "exit").then(look)
      const waitFor = (what: string, find: (lines: ReadonlyArray<string>) => string | undefined) =>
        Effect.callback<string>((resume) => {
          const each = (): void => {
            const found = find(stdout.split("\n").slice(0, -1))
            const isGone = child.exitCode !== null || child.signalCode !== null
            if (found === undefined && !isGone) return
            looks.delete(each)
            resume(
              found === undefined
                ? Effect.die(new Error(`${script} ended without ${what}: ${stdout}${stderr}`))
                : Effect.succeed(found)
            )
          }
          looks.add(each)
          each()
        })
      const line = (index: number) => waitFor(`line ${index}`, (lines) => lines[index])
      const told = (begin: string) => waitFor(begin, (lines) => lines.find((line) => line.startsWith(begin)))
      const kill = Effect.promise(async () => {
        child.kill("SIGKILL")
        await gone
      })
      return { process: child, line, told, kill }
    }),
    ({ kill }) => kill
  )

/** A port that is free at the moment. */
export const freePort = Effect.promise(() =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
)

/** Starts a runner, and waits until it takes jobs. */
export const runner = (database: Redacted.Redacted, port: number, env: Record<string, string> = {}) =>
  start("runner.ts", { DATABASE: Redacted.value(database), PORT: String(port), ...env }).pipe(
    Effect.tap(({ line }) => line(0))
  )

export const submitter = (database: Redacted.Redacted) => start("submitter.ts", { DATABASE: Redacted.value(database) })

/** A cluster in one process, over the SQLite file of an archive and one of its own. */
export const single = (archive: string, jobs: string) => start("single.ts", { ARCHIVE: archive, JOBS: jobs })
