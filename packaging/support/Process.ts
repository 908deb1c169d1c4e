/** Processes as a user starts them. */
import { execFile, type ExecFileException } from "node:child_process"
import { delimiter, dirname } from "node:path"

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

const exitCode = (error: ExecFileException | null): number =>
  error === null ? 0 : typeof error.code === "number" ? error.code : -1

/** Runs a process to the end, and returns its exit code; -1 if it could not be started or was killed. */
export const run = (file: string, args: ReadonlyArray<string>, { cwd, env = {} }: Options): Promise<Finished> =>
  new Promise((resolve) => {
    execFile(
      file,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve({ code: exitCode(error), stdout, stderr })
    )
  })

/** Runs a process and returns what it prints. A process that fails is an error with all its output. */
export const succeed = async (file: string, args: ReadonlyArray<string>, options: Options): Promise<string> => {
  const { code, stderr, stdout } = await run(file, args, options)
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}\n${stdout}\n${stderr}`)
  return stdout
}

/** Makes an environment in which `node` is this Node, for all processes that it starts, too. */
export const withNode = (node: string): Record<string, string> => ({
  PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`
})
