/** A process that syncs, and the moment at which it is killed. */
import { spawn } from "node:child_process"
import { compiled } from "../support/compiled.ts"

/** Where a run ends: at a step of its own, or when the service answers its `n`th list. */
export type Death =
  | { readonly at: "step"; readonly n: number; readonly when: "before" | "after" }
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
  readonly kill: () => void
  readonly ended: Promise<Ended>
}

const mortal = new URL("Mortal.ts", import.meta.url)

export const start = ({ args, env, now, script }: Command, death: Death | undefined): Running => {
  const preload = new URL(mortal)
  if (now !== undefined) preload.searchParams.set("now", String(now))
  if (death?.at === "step") {
    preload.searchParams.set("step", String(death.n))
    preload.searchParams.set("when", death.when)
  }
  const child = spawn(process.execPath, ["--no-warnings", "--import", preload.href, script, ...args], {
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
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
  return { kill: () => void child.kill("SIGKILL"), ended }
}

/** Calls back after the event loop has turned so often. */
export const afterTurns = (turns: number, done: () => void): void => {
  if (turns <= 0) done()
  else setImmediate(() => afterTurns(turns - 1, done))
}
