/** How a text may look that a person reads on stdout: as wide as the terminal, in colour where it can be. */
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"

export interface TerminalStyle {
  /** Cells of a line. */
  readonly width: number
  readonly color: boolean
}

/** The terminal's abilities. `FORCE_COLOR=0` turns colours off there too; Effect takes it for "not forced". */
export const capabilities = Effect.gen(function*() {
  const { canAnimate, canColor, canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  const forced = yield* Effect.orElseSucceed(Config.option(Config.String("FORCE_COLOR")), Option.none<string>)
  const isRefused = Option.exists(forced, (text) => text === "0" || text.toLowerCase() === "false")
  return { canAnimate, canColor: canColor && !isRefused, canPrompt }
})

/** Of stdout; `elsewhere` is the width where it is no terminal. */
export const ofStdout = Effect.fnUntraced(function*(elsewhere: number) {
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  const isTerminal = yield* Stdio.Stdio.use(({ stdoutIsTerminal }) => stdoutIsTerminal)
  const columns = isTerminal ? yield* Terminal.Terminal.use(({ columns }) => columns) : 0
  return { color: canColor, width: columns > 0 ? columns : elsewhere } satisfies TerminalStyle
})
