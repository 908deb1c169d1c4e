/** Runs a contender in a process of its own. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Plan, Sample } from "./Measure.ts"

interface Finished {
  readonly text: string
  readonly wallMs: number
}

export interface Options {
  /** Exit codes that are no failure. */
  readonly accepted?: ReadonlyArray<number>
  /** Whether what it prints is wanted, or thrown away unread, messages included. */
  readonly isRead?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** What a command prints, and how long it took from start to end. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  { accepted = [0], env = {}, isRead = true }: Options = {}
): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(command, args, {
      stdio: ["ignore", isRead ? "pipe" : "ignore", isRead ? "inherit" : "ignore"],
      env: Object.assign({}, process.env, env)
    })
    const chunks: Array<Buffer> = []
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", reject)
    child.on("close", (code) => {
      const text = Buffer.concat(chunks).toString()
      if (code !== null && accepted.includes(code)) resolve({ text, wallMs: performance.now() - start })
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`))
    })
  })

const entry = fileURLToPath(new URL("child.ts", import.meta.url))

export interface Timed extends Sample {
  /** Of the whole process. */
  readonly wallMs: number
}

/** A sample that could not be taken is reported, and does not stop the others. */
export const sample = async (plan: Plan): Promise<Timed | string> => {
  try {
    const { text, wallMs } = await run(process.execPath, ["--expose-gc", entry, JSON.stringify(plan)])
    return { ...JSON.parse(text.trim().split("\n").at(-1) ?? ""), wallMs }
  } catch (cause) {
    return String(cause)
  }
}
