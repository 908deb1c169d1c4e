/** Everything that is said to a person goes to stderr, so that stdout holds nothing but the result. */
import * as Text from "@tallystick/reconcile/render/Text"
import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"

/** Lines without control and bidirectional characters. A line break in one is a stranger's, and becomes a space. */
export const say = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Console.error(lines.map((line) => Text.plain(line)).join("\n"))

const words = (message: unknown): string =>
  (Array.isArray(message) ? message : [message]).map((part) => typeof part === "string" ? part : JSON.stringify(part))
    .join(" ")

/** Log messages as single lines on stderr: `warning: …`. */
const logger = Logger.withConsoleError(
  Logger.make(({ fiber, logLevel, message }) => {
    const notes = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
      .map(([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    return Text.plain(`${logLevel === "Warn" ? "warning" : logLevel.toLowerCase()}: ${words(message)}${notes.join("")}`)
  })
)

export const layerLogger: Layer.Layer<never> = Logger.layer([logger])
