/** Suggestions for an unknown word: the known words that differ least from it, or else those that begin with it. */

/** The most mistakes in a word, of whatever length. */
const MOST = 2

/** Insertions, deletions, replacements and swaps of neighbours, without regard to case. */
const distance = (left: string, right: string): number => {
  const [wrong, known] = [Array.from(left.toLowerCase()), Array.from(right.toLowerCase())]
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: known.length + 1 }, (_, index) => index)
  for (const [index, character] of wrong.entries()) {
    const next = [index + 1]
    for (const [other, counterpart] of known.entries()) {
      const isSwap = other > 0 && character === known[other - 1] && wrong[index - 1] === counterpart
      next.push(
        Math.min(
          (row[other + 1] ?? 0) + 1,
          (next[other] ?? 0) + 1,
          (row[other] ?? 0) + Number(character !== counterpart),
          isSwap ? (before[other - 1] ?? 0) + 1 : Infinity
        )
      )
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}

/** Of a short word less may be wrong: any two of its letters make another. */
const isNear = (away: number, word: string): boolean => away <= Math.min(MOST, Math.floor((word.length - 1) / 2))

/** The most words that one beginning may stand for. */
const MOST_OF_PREFIX = 3

/** The known words that begin with it, unless they are many. */
const ofPrefix = (word: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const begun = known.filter((one) => word !== "" && one.toLowerCase().startsWith(word.toLowerCase()))
  return begun.length > MOST_OF_PREFIX ? [] : begun
}

const nearest = (word: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const near = known.map((one) => ({ one, away: distance(word, one) })).filter(({ away, one }) => isNear(away, one))
  const least = Math.min(...near.map(({ away }) => away))
  return near.filter(({ away }) => away === least).map(({ one }) => one)
}

/** The nearest of the known words; where all are far away, those of which it is the beginning. */
export const of = (word: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const near = nearest(word, known)
  return near.length > 0 ? near : ofPrefix(word, known)
}
