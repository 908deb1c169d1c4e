/**
 * Searches for the sets that explain one target of tier `grouped`: a transfer that moved several deposits, or a deposit that
 * several transfers moved. The answer depends on the target and its candidates alone, whatever else is open.
 */
import type * as Entry from "../../../Entry.ts"
import { take } from "../../kernel/Column.ts"
import * as Addends from "../../kernel/sums/Addends.ts"
import type * as Chance from "../../kernel/sums/Chance.ts"
import * as CoveringSets from "../../kernel/sums/CoveringSets.ts"
import * as Runs from "../../kernel/sums/Runs.ts"
import * as Sieve from "../../kernel/sums/Sieve.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { at, item } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as GroupChance from "./GroupChance.ts"
import * as GroupIndex from "./GroupIndex.ts"
import * as GroupSums from "./GroupSums.ts"
import type { Reason } from "./GroupTargets.ts"

/** The largest number of candidates with which a target is searched, unless `maxRun` asks for more. */
const CANDIDATES = 1000

/** Up to this number, candidates are always listed. */
const LISTED = 64

/** Up to this number of small enough candidates, all sets are tried, even those that are no evidence. */
const FEW = 12
const TRIED = 8192

/**
 * Returns the budget of one target. If there are many candidates, many targets share them. The more targets there are, the
 * less work is done for each, so that a crowd of them costs no more than a few. With fewer than two steps for each candidate
 * nothing would be found.
 */
const budgetFor = (rivals: number): number => Math.floor(CoveringSets.BUDGET / (rivals * Math.sqrt(rivals)))
const STEPS = 2

/** The number of candidates that are asked how many targets they have. */
const SAMPLED = 16

/** If there are at most so many candidates in the window, large ones included, an only set is evidence enough. */
const SPARSE = 8

export type Verdict =
  | { readonly kind: "none" }
  | {
    readonly kind: "group"
    readonly members: Int32Array
    /** Whether the members are all candidates. `candidates` is the number of these. */
    readonly isSweep: boolean
    readonly candidates: number
  }
  | Exclude<Reason, { readonly kind: "contested" }>

export interface Found {
  readonly verdict: Verdict
  /** The candidates; nothing if there are too many to list. */
  readonly candidates: Int32Array | undefined
  /** The candidates that are small enough to be a part. */
  readonly parts: Int32Array
  /** The share of the parts that may belong to the target, from 0 to `GroupChance.WHOLE`. */
  readonly share: number
  /**
   * Whether a set could appear when candidates disappear, because a longer run becomes consecutive or becomes all that there
   * is.
   */
  readonly mayGainByLoss: boolean
}

export interface GroupSearch {
  /** Asks with all candidates that are in the window. */
  readonly ask: (target: number) => Found
  /** Asks again with some of the candidates. */
  readonly among: (target: number, candidates: Int32Array) => Verdict
  readonly index: GroupIndex.GroupIndex
  readonly amount: (target: number) => bigint
}

const none: Verdict = { kind: "none" }
const nobody = new Int32Array(0)

const amountsAt = (amounts: Chance.Amounts, places: Int32Array): Chance.Amounts =>
  amounts instanceof Float64Array ? take(amounts, places) : Array.from(places, (place) => item(amounts, place))

interface Terms {
  readonly amounts: Amounts.Amounts
  readonly sums: GroupSums.GroupSums
}

/**
 * Makes amounts and sums of each scale once. A target is searched in the scale of its own candidates, because what a budget reaches
 * depends on the size of the units.
 */
const byScale = (ledger: Ledger, ofAll: Terms) => {
  const known = new Map([[ofAll.amounts.scale, ofAll]])
  return (target: string, items: Int32Array, amountOf: (index: number) => string): Terms => {
    let scale = AmountRule.scaleOf([target], ledger.digits)
    for (const index of items) {
      // No scale is finer than that of all, and most targets have it.
      if (scale === ofAll.amounts.scale) return ofAll
      scale = Math.max(scale, AmountRule.scaleOf([amountOf(index)], ledger.digits))
    }
    const before = known.get(scale)
    if (before !== undefined) return before
    const amounts = Amounts.ofScale(ledger, scale)
    const made = { amounts, sums: GroupSums.make(ledger, amounts) }
    known.set(scale, made)
    return made
  }
}

interface Parts {
  /** The amounts of all candidates: doubles if their sum is safe. */
  readonly amounts: Chance.Amounts
  /** The candidates that are smaller than the bound. */
  readonly parts: Int32Array
  /** Their amounts, ascending, and the sum of these. */
  readonly sorted: Chance.Amounts
  readonly total: number | bigint
}

const partsOf = (
  { items, units }: GroupIndex.Candidates,
  bound: bigint | undefined,
  unitsOf: (index: number) => bigint
): Parts => {
  let [all, total, size] = [0, 0, 0]
  const most = bound === undefined ? Number.POSITIVE_INFINITY : Number(bound)
  for (let place = 0; place < units.length; place++) {
    const unit = at(units, place)
    all += unit
    if (unit >= most) continue
    total += unit
    size++
  }
  if (all > Number.MAX_SAFE_INTEGER) {
    const exact = Array.from(items, unitsOf)
    const isPart = (unit: bigint): boolean => bound === undefined || unit < bound
    const sorted = exact.filter(isPart).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return {
      amounts: exact,
      parts: items.filter((_, place) => isPart(item(exact, place))),
      sorted: sorted.every((unit) => unit <= Number.MAX_SAFE_INTEGER) ? Float64Array.from(sorted, Number) : sorted,
      total: sorted.reduce((sum, unit) => sum + unit, 0n)
    }
  }
  if (size === items.length) return { amounts: units, parts: items, sorted: units.toSorted(), total }
  const parts = new Int32Array(size)
  const sorted = new Float64Array(size)
  let next = 0
  for (let place = 0; place < units.length; place++) {
    const unit = at(units, place)
    if (unit >= most) continue
    parts[next] = at(items, place)
    sorted[next] = unit
    next++
  }
  return { amounts: units, parts, sorted: sorted.toSorted(), total }
}

/** Makes the search in both directions for one asset group, over the entries that are still open. */
export const make = (
  ledger: Ledger,
  lefts: Int32Array,
  rights: Int32Array
): { readonly amounts: Amounts.Amounts; readonly sums: GroupSums.GroupSums } & Record<Entry.Side, GroupSearch> => {
  const { deposits, transfers } = ledger
  const { ambiguity: { rivals }, grouping: { maxRun, maxSize } } = ledger.policy
  const amounts = Amounts.make(ledger, lefts, rights)
  const sums = GroupSums.make(ledger, amounts)
  const termsOf = byScale(ledger, { amounts, sums })
  const indices = {
    deposit: GroupIndex.make(ledger, deposits, rights, amounts.transfer),
    transfer: GroupIndex.make(ledger, transfers, lefts, amounts.deposit)
  }
  const limit = Math.max(CANDIDATES, maxRun)
  const sift = Sieve.make()

  const of = (side: Entry.Side): GroupSearch => {
    const { other, pair } = ledger[`${side}s`]
    const index = indices[side]
    const back = indices[other.side]
    const { entries } = ledger[`${side}s`]
    const [amount, unitsOf] = [amounts[side], amounts[other.side]]
    const counted = new Map<number, number>()
    const targetsOf = (candidate: number): number => {
      const known = counted.get(candidate)
      if (known !== undefined) return known
      const count = back.atMost(candidate)
      counted.set(candidate, count)
      return count
    }
    const fitOf = (target: number, members: ReadonlyArray<number>) => sums.fit(...pair([target], members))

    /** Estimates the largest number of targets that share a candidate of this one, from a sample. */
    const rivalsOf = (target: number): number => {
      let most = 1
      for (const candidate of index.sample(target, SAMPLED)) most = Math.max(most, targetsOf(candidate))
      return most
    }
    /**
     * Whether so many candidates are not listed: all of them together are not the expected sum, and there are too many to
     * search.
     */
    const isCrowd = (target: number, count: number): boolean =>
      count > limit ||
      (count > LISTED && budgetFor(rivalsOf(target)) < STEPS * count &&
        !(sums.isPlain && index.sum(target) === amount(target)))

    const largest = (candidates: number): number => Math.min(candidates, Math.max(maxSize, maxRun))

    /** Returns the smallest sum that is accepted of any number of the candidates. */
    const leastOf = (accepts: CoveringSets.Question["accepts"], candidates: number): bigint | undefined => {
      let least: bigint | undefined
      let before: ReturnType<typeof accepts> | undefined
      for (let count = 2; count <= largest(candidates); count++) {
        const intervals = accepts(count)
        if (intervals === before) continue
        before = intervals
        const low = intervals[0]?.low
        if (low !== undefined && (least === undefined || low < least)) least = low
      }
      return least
    }

    const named = (candidates: Int32Array, set: Int32Array): Int32Array => set.map((place) => at(candidates, place))

    /**
     * Decides which set explains the target, and whether there is evidence that some set does. `parts` are the amounts of the
     * candidates that are small enough, ascending.
     */
    const judge = (
      target: number,
      { items: candidates, times }: GroupIndex.Candidates,
      units: Chance.Amounts,
      parts: Chance.Amounts,
      accepts: CoveringSets.Question["accepts"]
    ): { readonly verdict: Verdict; readonly isSuspect: boolean } => {
      const question: CoveringSets.Question = {
        amounts: units,
        times,
        accepts,
        maxSize,
        maxRun,
        budget: CoveringSets.BUDGET
      }
      // If all candidates together are exactly the expected sum, no other set could be as good.
      if (CoveringSets.isSweep(question) && fitOf(target, Array.from(candidates))?.residual === 0n) {
        const verdict = { kind: "group", members: candidates, isSweep: true, candidates: candidates.length } as const
        return { verdict, isSuspect: true }
      }
      const chance = GroupChance.make(parts, accepts, rivals)
      const nothing = { verdict: none, isSuspect: false }
      const uncertain = { verdict: { kind: "uncertain", candidates: parts.length }, isSuspect: false } as const
      const exhausted = (size: number) =>
        ({ verdict: { kind: "exhausted", candidates: parts.length, size }, isSuspect: false }) as const

      const isFew = parts.length <= FEW
      const isNearlyAll = !isFew && chance.fewest() >= parts.length - rivals
      const most = Math.min(maxSize, parts.length)
      const largest = isFew || isNearlyAll ? most : chance.largest(most)
      if (largest < 2 && most >= 2) return uncertain
      const targets = rivalsOf(target)
      if (!isNearlyAll) {
        const addends = Addends.make(question.amounts)
        const acceptance = Addends.acceptance(addends, accepts)
        const steps = isFew ? TRIED : budgetFor(targets)
        const values = addends.exact === undefined && parts instanceof Float64Array
          ? parts
          : addends.values.toSorted()
        const answer = sift(values, acceptance.ranges, largest, steps)
        if (answer.kind === "exhausted") return exhausted(answer.size)
        if (answer.kind === "none") {
          if (largest < most) return uncertain
          if (Runs.find(addends, acceptance, question.times, maxRun).size === 0) {
            return nothing
          }
        }
      }
      const { verdict } = CoveringSets.explain({
        ...question,
        maxSize: largest < most ? largest : maxSize,
        budget: Math.floor(CoveringSets.BUDGET / targets)
      })
      if (verdict.kind === "none") return largest < most ? uncertain : nothing
      if (verdict.kind === "exhausted") {
        return largest < most && verdict.size > largest ? uncertain : exhausted(verdict.size)
      }
      // If hardly any entry is open, an accidental set is not to be expected.
      const isEvidence = (set: Int32Array): boolean =>
        candidates.length <= SPARSE || chance.isEvidence(amountsAt(units, set))
      if (verdict.kind === "ambiguous") {
        const sets = verdict.sets.map((set) => named(candidates, set))
        return {
          verdict: { kind: "ambiguous", atLeast: verdict.atLeast, sets },
          isSuspect: verdict.sets.some(isEvidence)
        }
      }
      const members = named(candidates, verdict.members)
      const isSweep = members.length === candidates.length
      if (!isSweep && !isEvidence(verdict.members)) {
        return { verdict: { kind: "chance", members, candidates: parts.length }, isSuspect: false }
      }
      // Deposits under different rules may come to the target under one rule and not under the other.
      return {
        verdict: fitOf(target, Array.from(members)) === undefined
          ? { kind: "ambiguous", atLeast: 1, sets: [members] }
          : { kind: "group", members, isSweep, candidates: candidates.length },
        isSuspect: true
      }
    }

    const search = (target: number, all: GroupIndex.Candidates): Omit<Found, "candidates"> => {
      const { items } = all
      const own = termsOf(item(entries, target).amount, items, (one) => item(other.entries, one).amount)
      const candidates = own.amounts === amounts
        ? all
        : GroupIndex.candidates(items, other.at, own.amounts[other.side])
      const accepts = own.sums.accepted(side, target, items)
      // The largest accepted amount does not depend on the number, because fees only take away.
      const most = accepts(2).at(-1)?.high
      const { amounts: units, parts, sorted, total } = partsOf(candidates, most, own.amounts[other.side])
      const least = leastOf(accepts, items.length)
      if (least === undefined || parts.length < 2 || total < least) {
        return { verdict: none, parts, mayGainByLoss: false, share: 0 }
      }
      const { isSuspect, verdict } = judge(target, candidates, units, sorted, accepts)
      return {
        verdict,
        parts,
        mayGainByLoss: items.length > maxSize,
        share: isSuspect ? GroupChance.WHOLE : GroupChance.share(own.amounts[side](target), BigInt(total))
      }
    }

    /**
     * Judges a target with more candidates than are listed: whether two of them could be parts, and whether all of them are
     * enough.
     */
    const judgeCrowd = (target: number): Omit<Found, "candidates"> => {
      const whole = amount(target)
      const parts = index.count(target, 1n, whole)
      if (parts < 2 || (sums.isPlain && index.sum(target) < whole)) {
        return { verdict: none, parts: nobody, mayGainByLoss: false, share: 0 }
      }
      const some = index.sample(target, LISTED).map(unitsOf).filter((one) => one <= whole)
      const sum = some.reduce((total, one) => total + one, 0n)
      const share = some.length === 0 ? 0 : GroupChance.share(whole * BigInt(some.length), sum * BigInt(parts))
      const verdict = { kind: "exhausted", candidates: parts, size: undefined } as const
      return { verdict, parts: nobody, mayGainByLoss: false, share }
    }

    return {
      ask: (target) => {
        const count = index.atMost(target)
        if (isCrowd(target, count)) return { ...judgeCrowd(target), candidates: undefined }
        const candidates = count === 0 ? undefined : index.of(target)
        return candidates === undefined || candidates.items.length === 0
          ? { verdict: none, candidates: nobody, parts: nobody, mayGainByLoss: false, share: 0 }
          : { ...search(target, candidates), candidates: candidates.items }
      },
      among: (target, candidates) => search(target, GroupIndex.candidates(candidates, other.at, unitsOf)).verdict,
      index,
      amount
    }
  }
  return { amounts, sums, deposit: of("deposit"), transfer: of("transfer") }
}
