/** Cuts a text into lines as it comes. */
import * as Stream from "effect/Stream"

export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** Gives the lines of a text that comes in parts; blank ones are counted and left out. */
export const lines = <E, R>(text: Stream.Stream<string, E, R>): Stream.Stream<Line, E, R> =>
  Stream.mapAccumArray(
    Stream.concat(text, Stream.succeed("\n")),
    () => ({ number: 0, rest: "", held: "" }),
    (before, parts) => {
      const all = before.held + parts.join("")
      // The line feed that comes next may belong to a carriage return at the end.
      const held = all.endsWith("\r") ? "\r" : ""
      const [first = "", ...more] = all.slice(0, all.length - held.length).split(all.includes("\r") ? /\r\n?|\n/ : "\n")
      const texts = [before.rest + first, ...more]
      const rest = texts.pop() ?? ""
      const lines: Array<Line> = []
      for (const [index, line] of texts.entries()) {
        const text = line.trim()
        if (text !== "") lines.push({ number: before.number + index + 1, text })
      }
      return [{ number: before.number + texts.length, rest, held }, lines]
    }
  )
