/** Runs a contender in a process of its own. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

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

export interface Metered {
  readonly wallMs: number
  /** Processor time of all processes and threads, ms. */
  readonly cpuMs: number
  /** The most memory that they held, MB. */
  readonly peak: number
}

const meter = fileURLToPath(new URL("meter.cjs", import.meta.url))

/** Runs Node with some arguments, throws away what it prints on stdout, and says what it and its child processes took. */
export const metered = (
  args: ReadonlyArray<string>,
  { accepted = [0], env = {} }: Pick<Options, "accepted" | "env"> = {}
): Metered => {
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-meter-"))
  const file = join(scratch, "meter")
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: Object.assign({}, process.env, { BENCH_METER: file, NODE_OPTIONS: `--require=${meter}` }, env)
  })
  const wallMs = performance.now() - start
  if (!accepted.includes(status ?? -1)) throw new Error(`${args.join(" ")} ended with ${status}: ${String(stderr)}`)
  const processes: ReadonlyArray<Record<"cpu" | "peak", number>> = readFileSync(file, "utf8").trim().split("\n")
    .map((line) => JSON.parse(line))
  rmSync(scratch, { recursive: true })
  return {
    wallMs,
    cpuMs: processes.reduce((sum, { cpu }) => sum + cpu, 0),
    peak: processes.reduce((sum, { peak }) => sum + peak, 0)
  }
}
