/**
 * Finds the sets of candidates that cover one target: sets of at least two members with an accepted sum. A verdict takes every
 * covering set into account; where the search was cut short, no set is accepted.
 *
 * A set is accepted when it is the only covering set of its size and there is no smaller one. Where all candidates together
 * cover, only the set of all of them can be accepted. Neither spread in time nor nearness to the target decides between two
 * sets.
 *
 * All sets of up to `maxSize` members are found, by halves. Larger sets are looked for only as runs that are consecutive in
 * time; the longest run is all candidates together. Whether such a run is the only set of its size, and whether there is a
 * smaller one, is settled size by size: by the greatest and the least sum of so many members, or by halves of the members that
 * are left out, if these are few. Where neither settles it, the run is not accepted.
 */
import * as Addends from "./Addends.ts"
import * as Budget from "./Budget.ts"
import * as Runs from "./Runs.ts"
import * as SizeSearch from "./SizeSearch.ts"
import * as Spread from "./Spread.ts"

export type { Interval } from "./Addends.ts"
export type { Members } from "./Spread.ts"

/**
 * The default budget. It settles all sizes up to 8 among about 80 unlike amounts, up to 6 among 200, up to 4 among 1,400, and
 * pairs among 400,000, in some tenths of a second and some tens of megabytes. Equal amounts count as one, and amounts that
 * are too large or too small for the target cost nothing.
 */
export const BUDGET = 1_000_000

export interface Question {
  /** Integers of at least 1, in order of time: bigints of any size, or safe ones as doubles. */
  readonly amounts: Float64Array | ReadonlyArray<bigint>
  /** Times in whole ms, ascending. Candidates of one time stand in the order in which they are named. */
  readonly times: Float64Array
  /** The sums that `count` members may have, ascending and disjoint. It is cheapest to return the same list for every count. */
  readonly accepts: (count: number) => ReadonlyArray<Addends.Interval>
  readonly maxSize: number
  readonly maxRun: number
  /** The most steps: halves that are made or tried, pairs of halves that are looked at, and work on sets that were found. */
  readonly budget: number
}

export type Verdict =
  /** No set of up to `maxSize` members covers, and no run of up to `maxRun` members. */
  | { readonly kind: "none" }
  | { readonly kind: "only"; readonly members: Spread.Members }
  | {
    readonly kind: "ambiguous"
    /** The least number of sets that cover. */
    readonly atLeast: number
    /** Up to three of them. */
    readonly sets: ReadonlyArray<Spread.Members>
    /**
     * Whether `sets` are the smallest (by number of members, then spread in time, then position), and `atLeast` counts all
     * sets that have no more members than the last of them (up to the largest safe integer).
     */
    readonly isSettled: boolean
  }
  | {
    readonly kind: "exhausted"
    /** The number of members at which the search could not settle which sets cover. */
    readonly size: number
    /** Up to three sets that cover. None of them is known to be the only one. */
    readonly sets: ReadonlyArray<Spread.Members>
  }

export interface Answer {
  readonly verdict: Verdict
  /** The steps of the budget that were used. */
  readonly spent: number
}

/** Whether all candidates together cover. They are at least two, and no more than a run or a set may have. */
export const isSweep = ({ accepts, amounts, maxRun, maxSize }: Question): boolean => {
  const count = amounts.length
  if (count < 2 || count > Math.max(maxRun, maxSize)) return false
  let rounded = 0
  for (const amount of amounts) rounded += Number(amount)
  let sum = 0n
  if (rounded <= Number.MAX_SAFE_INTEGER) sum = BigInt(rounded)
  else for (const amount of amounts) sum += BigInt(amount)
  return accepts(count).some(({ high, low }) => low <= sum && (high === undefined || sum <= high))
}

export const explain = (question: Question): Answer => {
  const budget = Budget.make(question.budget)
  return { verdict: judge(question, budget), spent: budget.spent() }
}

const judge = (question: Question, budget: Budget.Budget): Verdict => {
  const { maxRun, maxSize, times } = question
  const addends = Addends.make(question.amounts)
  const candidates = addends.values.length
  const acceptance = Addends.acceptance(addends, question.accepts)
  const longest = Math.min(candidates, Math.max(maxSize, maxRun))
  const search = SizeSearch.make(addends, acceptance, times, { longest, maxSize }, budget)
  const runs = Runs.find(addends, acceptance, times, maxRun)
  const sweep = isSweep(question) ? [Runs.run(0, candidates)] : []

  const withKnown = (sets: ReadonlyArray<Spread.Members>): ReadonlyArray<Spread.Members> => {
    const smallest = Spread.smallest(times)
    for (const set of [...sets, ...runs.sets, ...sweep]) smallest.offer(set)
    return smallest.sets()
  }
  const only = (members: Spread.Members): Verdict =>
    sweep.length === 0 || members.length === candidates
      ? { kind: "only", members }
      : { kind: "ambiguous", atLeast: 2, sets: [members, ...sweep], isSettled: false }
  const unsettled = (size: number, { count, sets }: SizeSearch.Found): Verdict => {
    const atLeast = Math.max(count, runs.size === size ? runs.count : 0)
    return atLeast < 2
      ? { kind: "exhausted", size, sets: withKnown(sets) }
      : { kind: "ambiguous", atLeast, sets: withKnown(sets), isSettled: false }
  }

  for (let size = 2; size <= Math.min(maxSize, search.usable); size++) {
    const found = search.find(size)
    const [first] = found.sets
    if (!found.isComplete) return unsettled(size, found)
    if (first === undefined) continue
    return found.count === 1 ? only(first) : several(search, maxSize, size, found)
  }
  // Only runs are left, and only the shortest run can be without a smaller set.
  for (let size = Math.max(2, maxSize + 1); size <= runs.size; size++) {
    const found = search.find(size)
    const [first] = found.sets
    if (!found.isComplete) return unsettled(size, found)
    if (first === undefined) continue
    if (size === runs.size && found.count === 1) return only(first)
    const atLeast = size < runs.size ? found.count + runs.count : found.count
    return { kind: "ambiguous", atLeast, sets: withKnown(found.sets), isSettled: false }
  }
  return { kind: "none" }
}

/** Reports that several sets have the fewest members. It looks at larger sizes until three sets are known. */
const several = (
  { find, usable }: SizeSearch.SizeSearch,
  maxSize: number,
  fewest: number,
  { count, sets }: SizeSearch.Found
): Verdict => {
  let atLeast = count
  const smallest = sets.slice()
  for (let size = fewest + 1; size <= Math.min(maxSize, usable) && smallest.length < 3; size++) {
    const found = find(size)
    if (!found.isComplete) break
    atLeast = Math.min(atLeast + found.count, Number.MAX_SAFE_INTEGER)
    smallest.push(...found.sets.slice(0, 3 - smallest.length))
  }
  return { kind: "ambiguous", atLeast, sets: smallest, isSettled: true }
}
