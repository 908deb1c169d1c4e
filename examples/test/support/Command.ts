/** The command in this process: against the sandbox of the context, in the folder where the process is. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Tallystick from "@tallystick/cli/Tallystick"
import * as Cause from "effect/Cause"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

interface Result {
  /** Undefined: it would have gone on, and was stopped when it had said something. */
  readonly exitCode: number | undefined
  readonly output: string
}

const plain = { canColor: false, canAnimate: false, canPrompt: false }

export const run = Effect.fnUntraced(function*(
  args: ReadonlyArray<string>,
  options: { readonly env: Record<string, string>; readonly stdin?: string; readonly endless?: boolean }
) {
  const words: Array<string> = []
  const said = yield* Deferred.make<void>()
  const say = (text: string) => {
    words.push(text)
    Deferred.doneUnsafe(said, Exit.void)
  }
  const decoder = new TextDecoder()
  const stdio = Stdio.layerTest({
    stdin: Stream.make(new TextEncoder().encode(options.stdin ?? "")),
    stdout: () =>
      Sink.forEach((part: string | Uint8Array) =>
        Effect.sync(() => say(typeof part === "string" ? part : decoder.decode(part)))
      )
  })
  const line = (...parts: ReadonlyArray<unknown>): void => say(`${parts.map(String).join(" ")}\n`)
  const running = Tallystick.run(args).pipe(
    Effect.provideService(Console.Console, { ...globalThis.console, log: line, error: line }),
    Effect.provideService(TerminalCapabilities.TerminalCapabilities, plain),
    Effect.provide([
      NodeServices.layer,
      stdio,
      ConfigProvider.layer(ConfigProvider.fromEnvRecord(options.env))
    ]),
    Effect.exit,
    Effect.map((exit) => Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause)))
  )
  const exitCode = yield* options.endless === true
    ? Effect.raceFirst(running, Effect.as(Deferred.await(said), undefined))
    : running
  return { exitCode, output: words.join("") } satisfies Result
})
