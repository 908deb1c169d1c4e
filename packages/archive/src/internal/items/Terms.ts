/**
 * What an item is found by: the terms of its entries in the table `item_terms`. The first letter of a term says of which kind it is, the
 * rest is the text. Large and small letters of words are alike.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as OpenItem from "../../OpenItem.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as StoredText from "../sql/StoredText.ts"

/** The first letters of terms: an asset and an account, whole; an amount; a word, and a word from its end to its beginning. */
const KIND = { asset: "a", account: "c", amount: "m", word: "w", reversed: "r" } as const

/** Of a longer word the first and the last letters count, so many of each. */
const LONGEST = 128

/** Every text that begins with another one comes before that one with this letter behind it. */
const LAST = "\u{10ffff}"

const { encode } = StoredText

const term = (kind: keyof typeof KIND, text: string): string => KIND[kind] + encode(text)

const reversed = (text: string): string => Array.from(text).toReversed().join("")

const head = (word: string): string => word.slice(0, LONGEST)

const tail = (word: string): string => reversed(word.slice(-LONGEST))

/** Gives the parts of a name that people say alone, but for its beginning: `example` and `com` of `desk@example.com`. */
const partsOf = (name: string): ReadonlyArray<string> =>
  name.split(/[^\p{L}\p{N}]+/u).slice(1).filter((part) => part !== "")

/** Gives the terms of an item, each once. */
export const of = (
  { entries, id, outcome }: Pick<OpenItem.OpenItem, "entries" | "id" | "outcome">
): ReadonlySet<string> => {
  const terms = new Set<string>()
  const addBeginning = (word: string): void => void terms.add(term("word", head(word.toLowerCase())))
  const addBoth = (word: string): void => {
    addBeginning(word)
    terms.add(term("reversed", tail(word.toLowerCase())))
  }
  for (const word of [id, outcome]) addBeginning(word)
  for (const entry of entries) {
    const { account, amount, asset } = entry
    // The id of a deposit begins with its transaction, so that only the end of that is another word.
    addBoth(entry.id)
    terms.add(term("reversed", tail(Subjects.recordOf(entry).toLowerCase())))
    terms.add(term("asset", asset))
    if (Amount.isAmount(amount)) terms.add(term("amount", Amount.canonical(amount)))
    if (account === undefined) continue
    terms.add(term("account", account))
    addBoth(account)
    for (const part of partsOf(account)) addBeginning(part)
  }
  return terms
}

/** One term, or all terms from one on and before another one. */
export type Range = { readonly is: string } | { readonly from: string; readonly before: string }

const only = (text: string): Range => ({ is: text })

const beginning = (text: string): Range => ({ from: text, before: text + LAST })

export const ofAsset = (asset: string): Range => only(term("asset", asset))

export const ofAccount = (account: string): Range => only(term("account", account))

/** `head…tail`, as reports shorten long ids; a terminal may have made three dots of one letter. */
const SHORTENED = /…|\.\.\./

/** What an item must have for a word that somebody looks for: for each of these, a term of any of these ranges. */
const ofWord = (given: string): ReadonlyArray<ReadonlyArray<Range>> => {
  const word = given.toLowerCase()
  const begins = (part: string): Range => beginning(term("word", head(part)))
  const ends = (part: string): Range => beginning(term("reversed", tail(part)))
  if (SHORTENED.test(word)) {
    const parts = word.split(SHORTENED)
    const [first = "", last = ""] = [parts[0], parts.at(-1)]
    return (first === "" ? [] : [[begins(first)]]).concat(last === "" ? [] : [[ends(last)]])
  }
  const assets = Array.from(new Set([given, word, given.toUpperCase()]), ofAsset)
  const amounts = Amount.isAmount(word) ? [only(term("amount", Amount.canonical(word)))] : []
  return [[begins(word), ends(word), ...assets, ...amounts]]
}

/**
 * Gives what an item must have for each word of a text. A word is found that begins or ends so, or begins and ends as a shortened one
 * does; an amount that is this number; an asset of this name.
 */
export const ofText = (text: string): ReadonlyArray<ReadonlyArray<Range>> =>
  text.split(/\s+/u).filter((word) => word !== "").flatMap(ofWord)
