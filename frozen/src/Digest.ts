/** What is kept of a book: a digest of the facts and one of the words, and hints at which format says what. */
import { createHash } from "node:crypto"
import * as Formats from "./Formats.ts"

export interface Digest {
  readonly facts: string
  readonly words: string
  /** Two hex digits a format, in the order of `Formats.names`; they only help to say where to look. */
  readonly hints: string
}

const hex = (text: string, digits: number): string => createHash("sha256").update(text).digest("hex").slice(0, digits)

const HINT = 2

export const of = ({ facts, words }: Formats.Said): Digest => {
  const texts = Formats.names.map((name) => words.get(name))
  return {
    facts: hex(facts, 8),
    words: hex(JSON.stringify(texts), 8),
    hints: texts.map((text) => (text === undefined ? "-".repeat(HINT) : hex(text, HINT))).join("")
  }
}

/** The formats that the hints of two digests tell apart; where they tell none apart, any may differ. */
export const unlike = (one: Digest, other: Digest): ReadonlyArray<Formats.Name> =>
  Formats.names.filter((_, index) => {
    const at = index * HINT
    return one.hints.slice(at, at + HINT) !== other.hints.slice(at, at + HINT)
  })
