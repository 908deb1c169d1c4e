/** Pseudonyms for names that a report must not show. A name has the same pseudonym everywhere. */

/** The kinds of names that are hidden. Memos are not looked for in sentences, because most are numbers, as amounts are. */
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
  readonly isMemo: boolean
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const numeric = /^\d+(?:[.,]\d+)*$/
const ofAccount = /(?:\b(?:account|from|to|linked by)|master account:) $/

/** A key of somebody's books may itself look like a pseudonym. It gets one sign more, so that no two keys become one. */
const alike = /\b(account|master|address|memo)-(~*)(?=\d)/g

const escaped = (text: string): string => text.replace(alike, "$1-~$2")

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

  const learn = (name: string, pseudonym: string, isMemo: boolean): void => {
    const [first] = name.matchAll(word)
    if (first === undefined) {
      // Punctuation alone is no name, and occurs in amounts, dates and pseudonyms.
      if (!/^[\p{P}\p{Z}\0-\x7f]*$/u.test(name)) wordless.push({ name, start: 0, pseudonym, isMemo })
      return
    }
    const names = known.get(first[0])
    const added = { name, start: first.index, pseudonym, isMemo }
    if (names === undefined) known.set(first[0], [added])
    else {
      names.push(added)
      names.sort((one, other) => other.name.length - one.name.length || Number(one.isMemo) - Number(other.isMemo))
    }
  }

  const of = (kind: Kind, name: string): string => {
    const before = given[kind].get(name)
    if (before !== undefined) return before
    const pseudonym = `${kind}-${given[kind].size + 1}`
    given[kind].set(name, pseudonym)
    learn(name, pseudonym, kind === "memo")
    return pseudonym
  }

  const replaced = (
    text: string,
    counts: (one: Known, before: string) => boolean,
    between: (text: string) => string
  ): string => {
    let result = ""
    let end = 0
    for (const { 0: first, index } of text.matchAll(word)) {
      const found = known.get(first)?.find((one) => {
        const from = index - one.start
        return from >= end && text.startsWith(one.name, from) && isEnd(text, from + one.name.length) &&
          counts(one, text.slice(0, from))
      })
      if (found === undefined) continue
      const from = index - found.start
      result += between(text.slice(end, from)) + found.pseudonym
      end = from + found.name.length
    }
    result += between(text.slice(end))
    for (const one of wordless) if (counts(one, "")) result = result.replaceAll(one.name, () => one.pseudonym)
    return result
  }

  return {
    of,
    inKey: (key) => replaced(key, () => true, escaped),
    inSentence: (sentence) =>
      replaced(
        sentence,
        ({ isMemo, name }, before) => !isMemo && (!numeric.test(name) || ofAccount.test(before)),
        (text) => text
      )
  }
}
