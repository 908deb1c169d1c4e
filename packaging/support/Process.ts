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

/** Runs to the end, whatever the exit code; -1 where it could not be started or was killed. */
export const run = (file: string, args: ReadonlyArray<string>, { cwd, env = {} }: Options): Promise<Finished> =>
  new Promise((resolve) => {
    execFile(
      file,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve({ code: exitCode(error), stdout, stderr })
    )
  })

/** The same, and what it prints; a process that fails is an error with all it said. */
export const succeed = async (file: string, args: ReadonlyArray<string>, options: Options): Promise<string> => {
  const { code, stderr, stdout } = await run(file, args, options)
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}\n${stdout}\n${stderr}`)
  return stdout
}

/** An environment in which `node`, and all that is started with it, is this one. */
export const withNode = (node: string): Record<string, string> => ({
  PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`
})
