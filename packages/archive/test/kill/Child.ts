/** A process that syncs, and the moment at which it is killed or stopped. */
import { spawn } from "node:child_process"
import { compiled } from "../support/compiled.ts"

/** Where a run ends: at a step of its own, or when the service answers its `n`th list. */
export type Death =
  | {
    readonly at: "step"
    readonly n: number
    readonly when: "before" | "after"
    /** Default SIGKILL. */
    readonly signal?: "SIGKILL" | "SIGSTOP"
  }
  /** `turns`: how often the service looks around after its answer; -1 is before the answer. */
  | { readonly at: "answer"; readonly n: number; readonly turns: number }

export interface Command {
  readonly script: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** The time of its clock when it starts, Unix ms; without it, that of this machine. */
  readonly now?: number
}

export interface Ended {
  readonly killed: boolean
  readonly exitCode: number | null
  /** How many steps it took, where it ended by itself. */
  readonly steps: number | undefined
  readonly output: string
}

export interface Running {
  readonly pid: number
  readonly kill: () => void
  /** SIGCONT: it goes on where it stopped. */
  readonly wake: () => void
  /** Resolves when it says that it stops by itself, and when it ends. */
  readonly stopped: Promise<void>
  readonly ended: Promise<Ended>
}

const mortal = new URL("Mortal.ts", import.meta.url)

export const start = ({ args, env, now, script }: Command, death: Death | undefined): Running => {
  const preload = new URL(mortal)
  if (now !== undefined) preload.searchParams.set("now", String(now))
  if (death?.at === "step") {
    preload.searchParams.set("step", String(death.n))
    preload.searchParams.set("when", death.when)
    if (death.signal !== undefined) preload.searchParams.set("signal", death.signal)
  }
  const child = spawn(process.execPath, ["--no-warnings", "--import", preload.href, script, ...args], {
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  const stopped = Promise.withResolvers<void>()
  child.on("close", () => stopped.resolve())
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (/^stops$/m.test(output)) stopped.resolve()
    })
  }
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (exitCode, signal) => {
      const steps = /^steps (\d+)$/m.exec(output)?.[1]
      resolve({
        killed: signal === "SIGKILL",
        exitCode,
        steps: steps === undefined ? undefined : Number(steps),
        output
      })
    })
  )
  return {
    pid: child.pid ?? 0,
    kill: () => void child.kill("SIGKILL"),
    wake: () => void child.kill("SIGCONT"),
    stopped: stopped.promise,
    ended
  }
}

/** Calls back after the event loop has turned so often. */
export const afterTurns = (turns: number, done: () => void): void => {
  if (turns <= 0) done()
  else setImmediate(() => afterTurns(turns - 1, done))
}
