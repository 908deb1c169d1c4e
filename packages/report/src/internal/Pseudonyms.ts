/** Pseudonyms for names that a report must not show. A name has the same pseudonym everywhere. */

/**
 * The kinds of names that are hidden. A memo is hidden only where it is the whole text, because most memos are numbers,
 * as amounts are.
 */
type Kind = "account" | "master" | "address" | "memo"

export interface Pseudonyms {
  /** Returns the pseudonym of a name, which it keeps from now on. */
  readonly of: (kind: Kind, name: string) => string
  /** Masks a key of somebody's books, or a text that people wrote: every name that is a word of its own in it is replaced. */
  readonly inKey: (key: string) => string
  /** Masks a sentence. A name that could be an amount is replaced only where the sentence speaks of an account. */
  readonly inSentence: (sentence: string) => string
}

/** A name within texts; `start` is the beginning of its first word. */
interface Known {
  readonly name: string
  readonly start: number
  readonly pseudonym: string
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const numeric = /^\d+(?:[.,]\d+)*$/
const ofAccount = /(?:\b(?:account|from|to|linked by)|master account:) $/

const splits = /^[\p{L}\p{M}\p{N}]{2}/u

/** Whether a word ends here, and not only the beginning of a longer word. */
const isEnd = (text: string, end: number): boolean => !splits.test(text.slice(end - 1, end + 2))

export const make = (): Pseudonyms => {
  const given: Record<Kind, Map<string, string>> = {
    account: new Map(),
    master: new Map(),
    address: new Map(),
    memo: new Map()
  }
  /** Names by their first word, the longest name first. */
  const known = new Map<string, Array<Known>>()
  const wordless: Array<Known> = []

  const learn = (name: string, pseudonym: string): void => {
    const [first] = name.matchAll(word)
    if (first === undefined) {
      // Punctuation alone is no name, and occurs in amounts, dates and pseudonyms.
      if (!/^[\p{P}\p{Z}\0-\x7f]*$/u.test(name)) wordless.push({ name, start: 0, pseudonym })
      return
    }
    const names = known.get(first[0])
    const added = { name, start: first.index, pseudonym }
    if (names === undefined) known.set(first[0], [added])
    else {
      names.push(added)
      names.sort((one, other) => other.name.length - one.name.length)
    }
  }

  const of = (kind: Kind, name: string): string => {
    const before = given[kind].get(name)
    if (before !== undefined) return before
    const pseudonym = `${kind}-${given[kind].size + 1}`
    given[kind].set(name, pseudonym)
    if (kind !== "memo") learn(name, pseudonym)
    return pseudonym
  }

  const replaced = (text: string, counts: (name: string, before: string) => boolean): string => {
    let result = ""
    let end = 0
    for (const { 0: first, index } of text.matchAll(word)) {
      const found = known.get(first)?.find(({ name, start }) => {
        const from = index - start
        return from >= end && text.startsWith(name, from) && isEnd(text, from + name.length) &&
          counts(name, text.slice(0, from))
      })
      if (found === undefined) continue
      const from = index - found.start
      result += text.slice(end, from) + found.pseudonym
      end = from + found.name.length
    }
    result += text.slice(end)
    for (const { name, pseudonym } of wordless) result = result.replaceAll(name, () => pseudonym)
    return result
  }

  return {
    of,
    inKey: (key) => replaced(key, () => true),
    inSentence: (sentence) => replaced(sentence, (name, before) => !numeric.test(name) || ofAccount.test(before))
  }
}
