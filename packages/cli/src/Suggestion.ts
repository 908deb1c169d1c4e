/** What may have been meant: the known words that differ least from the one that is not known. */

/** The most insertions, deletions and replacements between a word and what was meant. */
const MOST = 2

/** Levenshtein's distance, without regard to case. */
const distance = (left: string, right: string): number => {
  const counterparts = Array.from(right.toLowerCase())
  let row = Array.from({ length: counterparts.length + 1 }, (_, index) => index)
  for (const [index, character] of Array.from(left.toLowerCase()).entries()) {
    const next = [index + 1]
    for (const [other, counterpart] of counterparts.entries()) {
      next.push(
        Math.min(
          (row[other + 1] ?? 0) + 1,
          (next[other] ?? 0) + 1,
          (row[other] ?? 0) + Number(character !== counterpart)
        )
      )
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The nearest of the known words, none where all are far away. */
export const of = (word: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const near = known.map((one) => ({ one, away: distance(word, one) })).filter(({ away }) => away <= MOST)
  const least = Math.min(...near.map(({ away }) => away))
  return near.filter(({ away }) => away === least).map(({ one }) => one)
}
