/** The command as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"

/** Its entry, as it is published. */
export const MAIN = inject("command")

export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

export interface Options {
  readonly env?: Record<string, string>
  readonly stdin?: string
  /** Where it runs; a folder without a configuration file unless given. */
  readonly cwd?: string
  /** Leaves stdin open behind what was written. */
  readonly endless?: boolean
  /** Through a pipe whose reader begins late; the exit code is then the reader's. */
  readonly lateReader?: boolean
  /** Through a pipe whose reader goes away before it has read anything; the exit code is the command's. */
  readonly deafReader?: boolean
  /** Its entry. */
  readonly main?: string
}

export interface Running {
  readonly process: ChildProcess
  /** The first line of stdout that begins with `start`, or what came when the process ended without it. */
  readonly line: (start: string) => Promise<string>
  /** The same on stderr, for a line in which this stands. */
  readonly told: (words: string) => Promise<string>
  /** What stands on stderr by now. */
  readonly said: () => string
  readonly ended: Promise<Ended>
}

/** Only what is given, and what a process needs to run. */
const environment = (env: Record<string, string>): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ...env
})

export const start = (
  args: ReadonlyArray<string>,
  {
    cwd = fileURLToPath(new URL(".", import.meta.url)),
    deafReader = false,
    endless = false,
    env = {},
    lateReader = false,
    main = MAIN,
    stdin = ""
  }: Options = {}
): Running => {
  const command = [process.execPath, main, ...args] as const
  const [file, ...rest] = lateReader ? ["sh", "-c", "\"$0\" \"$@\" | (sleep 2; cat)", ...command] as const : command
  const child = spawn(file, rest, { cwd, env: environment(env), stdio: ["pipe", "pipe", "pipe"] })
  if (deafReader) child.stdout.destroy()
  let [stdout, stderr] = ["", ""]
  const waiting: Array<() => void> = []
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
    for (const look of waiting) look()
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    for (const look of waiting) look()
  })
  // A process that is ended takes no more.
  child.stdin.on("error", () => undefined)
  if (endless) child.stdin.write(stdin)
  else child.stdin.end(stdin)
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (exitCode) => {
      for (const look of waiting) look()
      resolve({ stdout, stderr, exitCode })
    })
  )
  const waitFor = (text: () => string, isIt: (line: string) => boolean) =>
    new Promise<string>((resolve) => {
      const look = (): void => {
        const found = text().split("\n").slice(0, -1).find(isIt)
        if (found !== undefined) resolve(found)
        else if (child.exitCode !== null) resolve(stderr)
      }
      waiting.push(look)
      look()
    })
  const line = (start: string) => waitFor(() => stdout, (line) => line.startsWith(start))
  const told = (words: string) => waitFor(() => stderr, (line) => line.includes(words))
  return { process: child, line, told, said: () => stderr, ended }
}

export const run = (args: ReadonlyArray<string>, options?: Options): Promise<Ended> => start(args, options).ended
