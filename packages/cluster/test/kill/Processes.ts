/** Processes of a cluster, which are killed, stopped and woken. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { compiled } from "../../../archive/test/support/compiled.ts"

export interface Running {
  /** The lines of stdout by now. */
  readonly lines: () => ReadonlyArray<string>
  /** Waits until what it says is so; it fails where the process ends before. */
  readonly until: (what: string, isSo: (lines: ReadonlyArray<string>) => boolean) => Effect.Effect<void>
  /** The line of stdout with this number, from 0 on; it fails where the process ends without it. */
  readonly line: (index: number) => Effect.Effect<string>
  /** The first line of stdout that begins so; it fails where the process ends without it. */
  readonly told: (begin: string) => Effect.Effect<string>
  /** Whether it has not ended. */
  readonly isThere: () => boolean
  /** Sends it a signal. */
  readonly signal: (name: "SIGSTOP" | "SIGCONT") => Effect.Effect<void>
  /** Kills it with SIGKILL, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
}

/** Starts a script of this folder; it is killed with the scope. */
const start = (script: string, env: Record<string, string>): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
        env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, ...env },
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
      const isThere = (): boolean => child.exitCode === null && child.signalCode === null
      const lines = (): ReadonlyArray<string> => stdout.split("\n").slice(0, -1)
      const waitFor = <A>(what: string, find: (lines: ReadonlyArray<string>) => A | undefined) =>
        Effect.callback<A>((resume) => {
          const each = (): void => {
            const found = find(lines())
            if (found === undefined && isThere()) return
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
      return {
        lines,
        until: (what, isSo) => Effect.asVoid(waitFor(what, (lines) => isSo(lines) ? true : undefined)),
        line: (index) => waitFor(`line ${index}`, (lines) => lines[index]),
        told: (begin) => waitFor(begin, (lines) => lines.find((line) => line.startsWith(begin))),
        isThere,
        signal: (name) => Effect.sync(() => child.kill(name)),
        kill: Effect.promise(async () => {
          child.kill("SIGKILL")
          await gone
        })
      }
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
    Effect.tap(({ told }) => told("up"))
  )

/** How many threads a runner began, and how many of them are there. */
export const threads = ({ lines }: Running): { readonly begun: number; readonly present: number } => {
  const begun = lines().filter((line) => line === "thread begins").length
  return { begun, present: begun - lines().filter((line) => line === "thread ends").length }
}

/** Starts a submitter, whose question ends at `to`, Unix ms. */
export const submitter = (database: Redacted.Redacted, to: number) =>
  start("submitter.ts", { DATABASE: Redacted.value(database), TO: String(to) })

/** A cluster in one process, over the SQLite file of an archive and one of its own. */
export const single = (archive: string, jobs: string) => start("single.ts", { ARCHIVE: archive, JOBS: jobs })
