/** Other processes that hold an archive. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as ArchiveConfig from "../../src/ArchiveConfig.ts"
import { compiled } from "./compiled.ts"

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Options {
  /** The words of another command, behind which it is started. */
  readonly before?: ReadonlyArray<string>
  /** Default `hold.ts`. */
  readonly program?: string
  /** How long PostgreSQL waits for a word from it, ms; without it, as long as usual. */
  readonly lease?: number
}

export interface Holder {
  readonly pid: number
  /** What it says next: `open`, `held`, or why not. */
  readonly said: Effect.Effect<string>
  /** Writes a line to it; what it says to that. */
  readonly tell: (line: string) => Effect.Effect<string>
  /** SIGSTOP, and SIGCONT. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** SIGKILL, and waits for its end. */
  readonly kill: Effect.Effect<void>
}

const end = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    child.kill("SIGKILL")
    await exit
  })

/** Starts one; it is killed with the scope. */
export const start = (
  location: ArchiveConfig.Location,
  { before = [], lease, program: name = "hold.ts" }: Options = {}
): Effect.Effect<Holder, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const [command, ...args] = [...before, process.execPath, program(name)]
        return spawn(command, args, {
          stdio: ["pipe", "pipe", before.length === 0 ? "inherit" : "ignore"],
          env: {
            PATH: process.env["PATH"],
            NODE_COMPILE_CACHE: compiled,
            ...(lease === undefined ? {} : { TALLYSTICK_TEST_LEASE: String(lease) }),
            ...(location._tag === "File"
              ? { [ArchiveConfig.FILE]: location.file }
              : { [ArchiveConfig.DATABASE_URL]: Redacted.value(location.url) })
          }
        })
      }),
      end
    ),
    (child) => {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const said = Effect.promise(() => lines.next()).pipe(Effect.map(({ value }) => String(value)))
      return {
        pid: child.pid ?? 0,
        said,
        tell: (line) => Effect.andThen(Effect.sync(() => child.stdin?.write(`${line}\n`)), said),
        pause: Effect.sync(() => void child.kill("SIGSTOP")),
        resume: Effect.sync(() => void child.kill("SIGCONT")),
        kill: end(child)
      }
    }
  )
