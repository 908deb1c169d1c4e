/** Quotes unexpected values in messages. */
import * as Formatter from "effect/Formatter"

/** The most characters that are quoted. */
const QUOTED = 100

/** Returns a short text of any value. It never throws. */
export const shown = (value: unknown): string => {
  const text = Formatter.format(value)
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text
}
