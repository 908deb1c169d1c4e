/** Everything that is said to a person goes to stderr, so that stdout holds nothing but the result. */
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import * as QuietFlag from "./QuietFlag.ts"
import * as Stamp from "./Stamp.ts"

/** A line that is drawn again and again where the cursor stands: it gives way to whatever is said, and comes back below. */
export const Line = Context.Reference<{ isDrawn: boolean }>("@tallystick/cli/Stderr/Line", {
  defaultValue: () => ({ isDrawn: false })
})

/** Back to the beginning of the line, and nothing on it. */
export const CLEAR = "\r\u001b[K"

/** In the place of what is drawn there. */
const instead = (line: { isDrawn: boolean }, text: string): string => {
  if (!line.isDrawn) return text
  line.isDrawn = false
  return CLEAR + text
}

/** Lines without control and bidirectional characters. A line break in one is a stranger's, and becomes a space. */
const write = (lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.flatMap(Line, (line) => Console.error(instead(line, lines.map((text) => Text.plain(text)).join("\n"))))

/** The lines as they stand in a log, where this run writes one. */
const stamped = (lines: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.flatMap(Stamp.Stamp, (stamp) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const begin = Stamp.of(stamp, now)
      return lines.map((line) => begin + line)
    }))

const unlessQuiet = <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.flatMap(QuietFlag.isQuiet, (isQuiet) => isQuiet ? Effect.void : effect)

/** Says how it goes; a quiet command does not. What went wrong is a complaint, or a failure. */
export const say = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  unlessQuiet(Effect.flatMap(stamped(lines), write))

/** Of a terminal that does not say how wide it is. */
const WIDTH = 80

/** How wide the terminal behind stderr is; undefined where it is none. */
export const columns = Effect.gen(function*() {
  if (!(yield* Stdio.Stdio.use(({ stderrIsTerminal }) => stderrIsTerminal))) return undefined
  const columns = yield* Terminal.Terminal.use(({ columns }) => columns)
  // A terminal is that of stdout; where that goes into a file or a pipe, stderr knows.
  return columns > 0 ? columns : process.stderr.columns ?? WIDTH
})

/** The indent of a line's continuation. */
const INDENT = "  "

/** On a terminal broken between words; elsewhere a line stays one, to be searched for. */
const broken = Effect.fnUntraced(function*(lines: ReadonlyArray<string>) {
  const cells = yield* columns
  if (cells === undefined) return lines
  const width = Math.max(20, cells - INDENT.length)
  return lines.flatMap((line) =>
    Text.wrap(Text.plain(line), width).map((part, index) => (index === 0 ? "" : INDENT) + part)
  )
})

/** Says what went wrong, also where a command was told to be quiet. */
export const complain = (...lines: ReadonlyArray<string>) =>
  stamped(lines).pipe(Effect.flatMap(broken), Effect.flatMap(write))

/** Says the same as `say` in lines that fit. */
export const tell = (...lines: ReadonlyArray<string>) => unlessQuiet(complain(...lines))

const words = (message: unknown): string =>
  (Array.isArray(message) ? message : [message]).map((part) => typeof part === "string" ? part : JSON.stringify(part))
    .join(" ")

/** Log messages as single lines on stderr: `warning: …`. */
const logger = Logger.withConsoleError(
  Logger.make(({ date, fiber, logLevel, message }) => {
    const notes = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
      .map(([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    const level = logLevel === "Warn" ? "warning" : logLevel.toLowerCase()
    const begin = Stamp.of(fiber.getRef(Stamp.Stamp), date.getTime())
    return instead(fiber.getRef(Line), Text.plain(`${begin}${level}: ${words(message)}${notes.join("")}`))
  })
)

export const layerLogger: Layer.Layer<never> = Logger.layer([logger])
