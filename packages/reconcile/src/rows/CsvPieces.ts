/** A long CSV text in pieces that can be read one after another: each begins with a row. */
import * as SourceEnd from "@tallystick/core/SourceEnd"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"

export interface Piece {
  readonly text: string
  /** Of the first line of the piece, from 1. */
  readonly line: number
}

/** A piece is cut at the end of the first row behind so many characters. */
const LENGTH = 262_144

/** Where no row ends in so many more, a quote was left open: what stands there is read as well as it can be. */
const LONGEST = 2_097_152

const QUOTE = 34
const CR = 13
const LF = 10

/** Where the first row behind `least` ends, or -1 when the text ends before that. Quotes count only where a field may begin. */
const endOfRow = (text: string, delimiter: string, least: number): number => {
  const separator = delimiter.charCodeAt(0)
  let fieldStart = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE && fieldStart) {
      const end = endOfField(text, at)
      if (end < 0) return -1
      at = end
      fieldStart = false
    } else if (code === CR || code === LF) {
      if (code === CR && at + 1 >= text.length) return -1
      const end = code === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
      if (end >= least) return end
      at = end - 1
      fieldStart = true
    } else fieldStart = code === separator
  }
  return -1
}

/** The quote that closes a field; -1 when none does. */
const endOfField = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text.charCodeAt(at) !== QUOTE) continue
    if (text.charCodeAt(at + 1) !== QUOTE) return at
    at++
  }
  return -1
}

const LINE_BREAKS = /\r\n|\n|\r/g

const breaksIn = (text: string): number => text.match(LINE_BREAKS)?.length ?? 0

/** Where the last line of a text ends that is known to end; 0 where none is. A carriage return may go on. */
const endOfLine = (text: string): number =>
  Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r", text.length - 2)) + 1

/** Where the first line ends behind `least`; 0 where none is known to end. */
const nextEndOfLine = (text: string, least: number): number => {
  const found = /\n|\r(?=[^])/.exec(text.slice(least))
  return found === null ? 0 : least + found.index + 1
}

/**
 * Cuts a text that comes in parts, at the same places however long they are, and never within a line. The parser's own limit on a
 * row (1 MiB) is shorter than the longest piece.
 */
export const pieces =
  (delimiter: string, line = 1) => <E, R>(text: Stream.Stream<string, E, R>): Stream.Stream<Piece, E, R> =>
    Stream.mapAccum(
      SourceEnd.chunks(text),
      () => ({ line, held: "" }),
      ({ held, line }, parts): readonly [{ readonly line: number; readonly held: string }, ReadonlyArray<Piece>] => {
        if (parts.length === 0) return [{ line, held: "" }, held === "" ? [] : [{ text: held, line }]]
        const found: Array<Piece> = []
        let [rest, at] = [held + parts.join(""), line]
        const take = (end: number): void => {
          const piece = rest.slice(0, end)
          found.push({ text: piece, line: at })
          at += breaksIn(piece)
          rest = rest.slice(end)
        }
        while (rest.length > LENGTH) {
          const begin = rest.slice(0, LONGEST)
          const row = endOfRow(begin, delimiter, LENGTH)
          if (row < 0 && rest.length <= LONGEST) break
          const end = row < 0 ? endOfLine(begin) || nextEndOfLine(rest, LONGEST - 1) : row
          if (end === 0) break
          take(end)
        }
        return [{ line: at, held: rest }, found]
      }
    )

const BLANK = /^(?:[^\S\r\n]*(?:\r\n|\n|\r))*/

/** Splits off the first row that is not blank, which names the columns. */
export const header = (begin: string): { readonly row: string; readonly rest: string; readonly line: number } => {
  const blank = BLANK.exec(begin)?.[0] ?? ""
  const text = begin.slice(blank.length)
  const end = endOfRow(text, ",", 1)
  const row = end < 0 ? text : text.slice(0, end)
  return { row, rest: end < 0 ? "" : text.slice(end), line: 1 + breaksIn(blank + row) }
}

/** Whether a text goes on behind its first row that is not blank, or is too long to be looked at for one. */
const isBegun = (text: string): boolean => {
  if (text.length > LENGTH) return true
  const begin = text.replace(BLANK, "")
  return begin.trim() !== "" && endOfRow(begin, ",", 1) >= 0
}

/** Opens a text with its beginning, in which the first row that is not blank stands as a whole, if it is not very long. */
export const opened = Effect.fnUntraced(function*<E, R>(text: Stream.Stream<string, E, R>) {
  const pull = yield* Stream.toPull(text)
  const next = Pull.catchDone(Effect.map(pull, (parts): string | undefined => parts.join("")), () => Effect.undefined)
  let begin = ""
  let part: string | undefined
  do {
    part = yield* next
    begin += part ?? ""
  } while (part !== undefined && !isBegun(begin))
  const rest = part === undefined ? Stream.empty : Stream.fromPull(Effect.succeed(pull))
  return { begin, rest, text: Stream.concat(Stream.succeed(begin), rest) }
})
