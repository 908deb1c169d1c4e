/** Makes strangers' text harmless for a terminal, and fits text into a width. */

/** Matches control characters, and invisible ones that reorder or hide the text around them. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Returns the text on one line, without control, bidirectional and other invisible characters. Line breaks and tabs
 * become spaces.
 */
export const plain = (text: string): string =>
  text.toWellFormed().replace(/[\t\n\r\v\f\u0085\u2028\u2029]+/g, " ").replace(invisible, "")

const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]$/u
const mark = /^\p{M}$/u

/** Returns the number of terminal cells that the text takes. */
export const width = (text: string): number => {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let cells = 0
  for (const character of text) cells += mark.test(character) ? 0 : wide.test(character) ? 2 : 1
  return cells
}

export const padEnd = (text: string, cells: number): string => text + " ".repeat(Math.max(0, cells - width(text)))
export const padStart = (text: string, cells: number): string => " ".repeat(Math.max(0, cells - width(text))) + text

/** Breaks text between words so that each line fits; a word that is longer than a line stays whole, to be copied. */
export const wrap = (text: string, cells: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line === "") line = word
    else if (width(line) + 1 + width(word) <= cells) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** Makes a paragraph with `first` in front of the first line, and as much space in front of the others. */
export const paragraph = (first: string, text: string, cells: number): ReadonlyArray<string> => {
  const indent = width(first)
  return wrap(text, Math.max(20, cells - indent)).map((line, index) =>
    (index === 0 ? first : " ".repeat(indent)) + line
  )
}

/** Groups digits: `12,345`. */
export const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ",")

/** Writes a number with its noun: `1 deposit`, `12,345 deposits`. */
export const counted = (number: number, one: string, several = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : several}`

/** Writes a share of entries that are matched as a percentage. It is cut and not rounded, so that only all is 100.0 %. */
export const percent = ({ matched, of }: { readonly matched: number; readonly of: number }): string => {
  if (of === 0) return "none"
  const tenths = Math.floor((matched * 1000) / of)
  return `${Math.floor(tenths / 10)}.${tenths % 10} %`
}

/** Joins words: `a, b and c`, or with another word before the last. */
export const listed = (parts: ReadonlyArray<string>, last = "and"): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`
