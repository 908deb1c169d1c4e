/** Values that nobody expected, as a sentence quotes them. */
import * as Formatter from "effect/Formatter"

/** The most characters that are quoted. */
const QUOTED = 100

/** Any value at all as a short text. Never throws. */
export const shown = (value: unknown): string => {
  const text = Formatter.format(value)
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text
}
