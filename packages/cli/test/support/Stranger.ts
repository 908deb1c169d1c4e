/** Text as strangers may write it to drive a terminal, and what none of it may become. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** Stands in every text, so that a test sees where it went. */
export const MARK = "stranger"

const range = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))

const controls = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)]

const invisible = ["\u00ad", "\u061c", "\u180e", "\ufeff", "\ufff9", "\u{e0001}", "\u{e0041}", "\ud800", "\udc00"]
  .concat(range(0x200b, 0x200f), range(0x2028, 0x202e), range(0x2060, 0x206f))

const commands = [
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u001b]52;c;aGk=\u0007",
  "\u009b31m",
  "\u001bP$q\u001b\\",
  "\r\n"
]

const harmless = ["BTC", " ", ",", "é", "漢", "👩‍💻", "\\", "\"", "\\u001b", "${HOME}", "%1b", "a"]

const pieces: ReadonlyArray<string> = [...controls, ...invisible, ...commands, ...harmless]

const piece = Effect.map(Random.nextIntBetween(0, pieces.length), (at) => pieces[at] ?? "")

/** A text of any pieces, with the mark among them. */
export const text = Effect.gen(function*() {
  const [before, behind] = [
    yield* Effect.replicateEffect(piece, yield* Random.nextIntBetween(1, 6)),
    yield* Effect.replicateEffect(piece, yield* Random.nextIntBetween(1, 6))
  ]
  return [...before, MARK, ...behind].join("")
})

/** The text, and behind it what would pass for lines of ours where a line break came through. */
export const forging = (text: string): string =>
  ["\n", "\r", "\r\n", "\u0085", "\u2028"].reduce((all, end) => `${all}${end}all is well, says the ${MARK}`, text)

/** A line that only a stranger would begin so. */
export const FORGED = new RegExp(`^all is well, says the ${MARK}`, "m")

/** A text as the name of a file may be. */
export const fileName = Effect.map(text, (text) => text.replaceAll(/[\0/]/g, "").toWellFormed())

/** What stdout and stderr may not hold; lines end with line feeds. */
export const DRIVING = /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
