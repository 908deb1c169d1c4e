/** Every subset of some candidates, one by one: which of them cover, and what follows from the rule of acceptance. */
import type * as CoveringSets from "../../src/internal/kernel/sums/CoveringSets.ts"

export type Set = ReadonlyArray<number>

const accepts = ({ accepts, amounts }: CoveringSets.Question, set: Set): boolean => {
  const sum = set.reduce((sum, candidate) => sum + BigInt(amounts[candidate]!), 0n)
  return accepts(set.length).some(({ high, low }) => sum >= low && (high === undefined || sum <= high))
}

/** Fewest members, then least spread, then the first that differs. */
const order = ({ times }: CoveringSets.Question) => (a: Set, b: Set): number => {
  const keys = (set: Set) => [set.length, times[set.at(-1)!]! - times[set[0]!]!, ...set]
  const [left, right] = [keys(a), keys(b)]
  const place = left.findIndex((key, place) => key !== right[place])
  return place < 0 ? 0 : left[place]! - right[place]!
}

/** The covering sets of at least two members, in order. */
export const covers = (question: CoveringSets.Question): ReadonlyArray<Set> => {
  const found: Array<Set> = []
  const visit = (next: number, set: Set): void => {
    if (next < question.amounts.length) {
      visit(next + 1, set)
      visit(next + 1, [...set, next])
    } else if (set.length > 1 && accepts(question, set)) found.push(set)
  }
  visit(0, [])
  return found.toSorted(order(question))
}

export const isRun = (set: Set): boolean => set.length === 1 + set.at(-1)! - set[0]!

/** The set that may be accepted, if there is one, whatever it costs to know. */
export const acceptable = (
  { amounts, maxRun, maxSize }: CoveringSets.Question,
  covers: ReadonlyArray<Set>
): Set | undefined => {
  const [first, second] = covers
  if (first === undefined || second?.length === first.length) return undefined
  const isSought = first.length <= maxSize || (isRun(first) && first.length <= maxRun)
  const sweep = covers.find((set) => set.length === amounts.length && set.length <= Math.max(maxRun, maxSize))
  return isSought && (sweep === undefined || sweep === first) ? first : undefined
}
