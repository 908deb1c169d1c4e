/**
 * Escapes a stranger's text inside Markdown: it comes out as text, and nothing in it marks up, links, mentions or ends a cell.
 *
 * Text that is no plain word is put into a code span, because backslashes keep no platform from turning `@name`, `#1` or an
 * address into a link. No block may begin with such text: the caller writes the beginning of a line.
 */
import * as Text from "../../text/Text.ts"

/** Writes a code span for text without pipes. */
const span = (text: string): string => {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  // A parser drops one space on each side if there is one on both.
  const pad = /^`|`$|^ .* $/.test(text) ? " " : ""
  return `${fence}${pad}${text}${pad}${fence}`
}

/**
 * Writes a text that is to be copied, such as an id or an account. A pipe stands between two spans, because parsers
 * split cells first.
 */
export const code = (text: string): string => {
  const plain = Text.plain(text)
  return plain === "" ? "(empty)" : plain.split("|").map((part) => (part === "" ? "" : span(part))).join("&#124;")
}

/** Matches text that platforms take for an issue (`GH-12`) or a commit (seven or more hexadecimal digits). */
const linked = /[a-z]-\d|\b(?=\d*[a-f])[\da-f]{7,}\b/i

/** Matches words, numbers and times, with the punctuation around them. */
const harmless =
  /^(?:["'(]*[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*[)"',.;:!?]*|["'(]*[-+]?\d[\d.,:]*(?:[-+]\d\d:\d\d)?[)%,.;]*|[-–—…=%/][),.;:]*)$/u

const parts = /^(["'(]*)(.*?)([)"',.;:!?]*)$/su

const word = (text: string): string => {
  if (text === "" || (harmless.test(text) && !linked.test(text))) return text
  const [, before = "", core = "", behind = ""] = parts.exec(text) ?? []
  return core === "" ? code(text) : `${before}${code(core)}${behind}`
}

/** Escapes a sentence, word by word, without spaces around it. */
export const prose = (text: string): string => {
  const plain = Text.plain(text).trim()
  return plain === "" ? code(text) : plain.split(" ").map(word).join(" ")
}
