/**
 * Which sets of candidates explain one target: at least two, with an accepted sum. What is said holds for every set that
 * there is; where the search was cut short, nothing is accepted.
 *
 * A set is accepted when it is the only one of its size and none is smaller; and, where all candidates together cover, when
 * it is they. Neither spread in time nor nearness to the target decides between two sets.
 *
 * Sets of up to `maxSize` members are all found, by halves. Larger ones are looked for only as runs consecutive in time,
 * of which all candidates together are the longest. That such a run is the only set, and none is smaller, is settled size
 * by size: by the greatest and least sums of so many members, or by halves of what is left out if that is little. Where
 * neither settles it, the run is not accepted.
 */
import * as Addends from "./Addends.ts"
import * as Budget from "./Budget.ts"
import * as Runs from "./Runs.ts"
import * as SizeSearch from "./SizeSearch.ts"
import * as Spread from "./Spread.ts"

export type { Interval } from "./Addends.ts"
export type { Members } from "./Spread.ts"

/**
 * A budget that settles all sizes up to 8 among about 80 unlike amounts, up to 6 among 200, up to 4 among 1,400 and pairs
 * among 400,000, in some tenths of a second and some tens of megabytes. Equal amounts count as one, and amounts that are
 * too large or too small for the target cost nothing.
 */
export const BUDGET = 1_000_000

export interface Question {
  /** Integers of at least 1: of any size as bigints, safe ones as doubles. In order of time. */
  readonly amounts: Float64Array | ReadonlyArray<bigint>
  /** Integer ms, ascending; candidates of one time in the order in which they are to be named. */
  readonly times: Float64Array
  /** The sums that so many members may have: ascending, disjoint. Cheapest if it is the same list for every number. */
  readonly accepts: (count: number) => ReadonlyArray<Addends.Interval>
  readonly maxSize: number
  readonly maxRun: number
  /** The most halves of sets that are made or tried, pairs of them that are looked at, and work on sets that were found. */
  readonly budget: number
}

export type Verdict =
  /** No set of up to `maxSize` members covers, and no run of up to `maxRun`. */
  | { readonly kind: "none" }
  | { readonly kind: "only"; readonly members: Spread.Members }
  | {
    readonly kind: "ambiguous"
    /** So many sets cover, or more. */
    readonly atLeast: number
    /** Up to three of them. */
    readonly sets: ReadonlyArray<Spread.Members>
    /**
     * Whether `sets` are the smallest, by members, then spread in time, then position, and `atLeast` counts all that have
     * no more members than the last of them (up to the largest safe integer).
     */
    readonly isSettled: boolean
  }
  | {
    readonly kind: "exhausted"
    /** The number of members at which it could not be settled which sets cover. */
    readonly size: number
    /** Sets that are known to cover, up to three; of none it is known that it is the only one. */
    readonly sets: ReadonlyArray<Spread.Members>
  }

export interface Answer {
  readonly verdict: Verdict
  /** Of the budget. */
  readonly spent: number
}

/** Whether all candidates together cover: at least two, and not more than a run or a subset may have. */
export const isSweep = ({ accepts, amounts, maxRun, maxSize }: Question): boolean => {
  const count = amounts.length
  if (count < 2 || count > Math.max(maxRun, maxSize)) return false
  let sum = 0n
  for (const amount of amounts) sum += BigInt(amount)
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
  // Only runs are left, and only the shortest could have none smaller.
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

/** Several sets have the fewest members; larger sizes are looked at until three sets are known. */
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
