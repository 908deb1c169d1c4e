/** Runs the command in this process, against files in a directory of its own and a sandbox without a socket. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Search from "@tallystick/cli/config/Search"
import * as Tallystick from "@tallystick/cli/Tallystick"
import * as Cause from "effect/Cause"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as Runtime from "effect/Runtime"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as TestConsole from "effect/testing/TestConsole"

interface Result {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export interface Options {
  readonly env?: Record<string, string>
  /** Asked for variables in the place of `env`. */
  readonly provider?: ConfigProvider.ConfigProvider
  readonly stdin?: string
  /** Where the configuration file is looked for; nowhere unless given. */
  readonly folder?: string
  /** Whether stderr is a terminal; none unless given. */
  readonly terminal?: boolean
  /** Whether stdout is a terminal; none unless given. */
  readonly stdoutTerminal?: boolean
  /** What stdout says to whoever writes there. */
  readonly stdoutFailure?: PlatformError.PlatformError
  /** Whether the command is interrupted while it writes to stdout. */
  readonly interrupted?: boolean
}

/** A folder that is not there: what lies in the one of the tests is not theirs. */
const NOWHERE = "/nowhere/at-all"

const noNetwork = HttpClient.make((request) => Effect.die(`no network in this test: ${request.url}`))

/** No request may leave. */
export const layerNoNetwork = Layer.succeed(HttpClient.HttpClient, noNetwork)

/** Real files. */
export const layerFiles = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)

/** Runs `tallystick` with these arguments. */
export const tallystick = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: Options = {}) {
  const written: Array<string> = []
  const decoder = new TextDecoder()
  const stdio = Stdio.layerTest({
    stderrIsTerminal: Effect.succeed(options.terminal === true),
    stdoutIsTerminal: Effect.succeed(options.stdoutTerminal === true),
    stdin: Stream.make(new TextEncoder().encode(options.stdin ?? "")),
    stdout: () =>
      options.stdoutFailure === undefined
        ? Sink.forEach((part: string | Uint8Array) =>
          options.interrupted === true
            ? Effect.interrupt
            : Effect.sync(() => void written.push(typeof part === "string" ? part : decoder.decode(part)))
        )
        : Sink.fail(options.stdoutFailure)
  })
  const testConsole = yield* TestConsole.make
  const exit = yield* Tallystick.run(args).pipe(
    Effect.provideService(Console.Console, testConsole),
    Effect.provideService(TerminalCapabilities.TerminalCapabilities, {
      canColor: false,
      canAnimate: false,
      canPrompt: false
    }),
    Effect.provideService(Search.Folder, options.folder ?? NOWHERE),
    Effect.provide([
      NodeServices.layer,
      stdio,
      ConfigProvider.layer(options.provider ?? ConfigProvider.fromEnvRecord(options.env ?? {}))
    ]),
    Effect.exit
  )
  const logged = yield* testConsole.logLines
  const told = yield* testConsole.errorLines
  return {
    stdout: [...written, ...logged.map((line) => `${String(line)}\n`)].join(""),
    stderr: told.map((line) => `${String(line)}\n`).join(""),
    exitCode: Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause))
  } satisfies Result
})

/** A directory that is gone when the test ends, and a way to put files into it. */
export const directory = Effect.gen(function*() {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const root = yield* fileSystem.makeTempDirectoryScoped({ prefix: "tallystick-" })
  const at = (name: string): string => paths.join(root, name)
  return {
    at,
    put: (name: string, text: string) => Effect.as(fileSystem.writeFileString(at(name), text), at(name)),
    get: (name: string) => fileSystem.readFileString(at(name)),
    mode: (name: string) => Effect.map(fileSystem.stat(at(name)), ({ mode }) => mode & 0o777),
    names: Effect.map(fileSystem.readDirectory(root), (names) => names.toSorted((a, b) => (a < b ? -1 : 1)))
  }
})
