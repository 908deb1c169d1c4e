/**
 * What explains one target of tier `grouped`: a transfer that moved several deposits, or a deposit that several transfers
 * moved. The answer depends on the target and its candidates alone, whatever else is open.
 */
import type * as Entry from "../../Entry.ts"
import * as CoveringSets from "../kernel/CoveringSets.ts"
import * as Amounts from "./Amounts.ts"
import { at } from "./Column.ts"
import * as GroupIndex from "./GroupIndex.ts"
import * as GroupSums from "./GroupSums.ts"
import type { Reason } from "./GroupTargets.ts"
import type { Ledger } from "./Ledger.ts"

/** The most candidates that a target may have and still be searched, unless `maxRun` asks for more. */
const CANDIDATES = 1000

/** So many candidates are always listed. */
const LISTED = 64

/**
 * Targets that share candidates are many where candidates are many. The more of them there are, the less is done for each,
 * so that a crowd of them costs no more than a few; below two steps a candidate nothing would be found.
 */
const budgetFor = (rivals: number): number => Math.floor(CoveringSets.BUDGET / (rivals * Math.sqrt(rivals)))
const STEPS = 2

/** How many candidates are asked for their number of targets. */
const SAMPLED = 16

export type Verdict =
  | { readonly kind: "none" }
  | {
    readonly kind: "group"
    readonly members: Int32Array
    /** Whether the members are all candidates, and how many those are. */
    readonly isSweep: boolean
    readonly candidates: number
  }
  | Exclude<Reason, { readonly kind: "contested" }>

export interface Found {
  readonly verdict: Verdict
  /** Nothing if there are too many to list. */
  readonly candidates: Int32Array | undefined
  /** Those of them that are small enough to be a part. */
  readonly parts: Int32Array
  /** Whether a set could appear when candidates disappear: a longer run becomes consecutive, or all that there is. */
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

/** The two directions in one asset group, over the entries that are still open. */
export const make = (
  ledger: Ledger,
  lefts: Int32Array,
  rights: Int32Array
): { readonly amounts: Amounts.Amounts; readonly sums: GroupSums.GroupSums } & Record<Entry.Side, GroupSearch> => {
  const { deposits, transfers } = ledger
  const { maxRun, maxSize } = ledger.policy.grouping
  const amounts = Amounts.make(ledger, lefts, rights)
  const sums = GroupSums.make(ledger, amounts)
  const indices = {
    deposit: GroupIndex.make(ledger, deposits, rights, amounts.transfer),
    transfer: GroupIndex.make(ledger, transfers, lefts, amounts.deposit)
  }
  const limit = Math.max(CANDIDATES, maxRun)

  const of = (side: Entry.Side): GroupSearch => {
    const isDeposit = side === "deposit"
    const other = isDeposit ? transfers : deposits
    const index = indices[side]
    const back = indices[isDeposit ? "transfer" : "deposit"]
    const amount = isDeposit ? amounts.deposit : amounts.transfer
    const unitsOf = isDeposit ? amounts.transfer : amounts.deposit
    const fitOf = (target: number, members: ReadonlyArray<number>) =>
      isDeposit ? sums.fit([target], members) : sums.fit(members, [target])

    const acceptedOf = (target: number, parts: Int32Array): CoveringSets.Question["accepts"] => {
      if (isDeposit) return sums.ofTransfers(target)
      const intervals = sums.ofDeposits(target, parts)
      return () => intervals
    }
    const budgetOf = (target: number): number => {
      let rivals = 1
      for (const candidate of index.sample(target, SAMPLED)) rivals = Math.max(rivals, back.atMost(candidate))
      return budgetFor(rivals)
    }
    /** Whether so many candidates are not worth listing: neither are they what is asked for, nor could they be searched. */
    const isCrowd = (target: number, count: number): boolean =>
      count > limit ||
      (count > LISTED && budgetOf(target) < STEPS * count && !(sums.isPlain && index.sum(target) === amount(target)))

    const largest = (candidates: number): number => Math.min(candidates, Math.max(maxSize, maxRun))

    /** The least sum that is accepted of any number of so many candidates. */
    const leastOf = (accepts: CoveringSets.Question["accepts"], candidates: number): bigint | undefined => {
      let least: bigint | undefined
      for (let count = 2; count <= largest(candidates); count++) {
        const low = accepts(count)[0]?.low
        if (low !== undefined && (least === undefined || low < least)) least = low
      }
      return least
    }

    const explain = (
      target: number,
      candidates: Int32Array,
      parts: number,
      question: CoveringSets.Question
    ): Verdict => {
      const { verdict } = CoveringSets.explain(question)
      const named = (set: Int32Array): Int32Array => set.map((place) => at(candidates, place))
      if (verdict.kind === "none") return none
      if (verdict.kind === "exhausted") return { kind: "exhausted", candidates: parts, size: verdict.size }
      if (verdict.kind === "ambiguous") {
        return { kind: "ambiguous", atLeast: verdict.atLeast, sets: verdict.sets.map(named) }
      }
      const members = named(verdict.members)
      const isSweep = members.length === candidates.length
      // Deposits under different rules may come to it only by the one and not by the other.
      return fitOf(target, Array.from(members)) === undefined
        ? { kind: "ambiguous", atLeast: 1, sets: [members] }
        : { kind: "group", members, isSweep, candidates: candidates.length }
    }

    const search = (target: number, candidates: Int32Array): Omit<Found, "candidates"> => {
      const accepts = acceptedOf(target, candidates)
      // The most that is accepted does not depend on the number: fees only take away.
      const most = accepts(2).at(-1)?.high
      const units = Array.from(candidates, unitsOf)
      const parts = candidates.filter((_, place) => most === undefined || (units[place] ?? 0n) < most)
      const total = units.reduce((sum, one) => sum + one, 0n)
      const least = leastOf(accepts, candidates.length)
      if (least === undefined || parts.length < 2 || total < least) {
        return { verdict: none, parts, mayGainByLoss: false }
      }
      const mayGainByLoss = candidates.length > maxSize
      const budget = budgetOf(target)
      const question: CoveringSets.Question = {
        amounts: total <= Number.MAX_SAFE_INTEGER ? Float64Array.from(units, Number) : units,
        times: Float64Array.from(candidates, (candidate) => at(other.at, candidate)),
        accepts,
        maxSize,
        maxRun,
        budget
      }
      // All there is, exactly as expected: no other set could be as good.
      const isWhole = CoveringSets.isSweep(question) && fitOf(target, Array.from(candidates))?.residual === 0n
      const verdict: Verdict = isWhole
        ? { kind: "group", members: candidates, isSweep: true, candidates: candidates.length }
        : budget < STEPS * parts.length
        ? { kind: "exhausted", candidates: parts.length, size: undefined }
        : explain(target, candidates, parts.length, question)
      return { verdict, parts, mayGainByLoss }
    }

    /** A target with more candidates than are listed: whether two of them could be parts, and all of them enough. */
    const judgeCrowd = (target: number): Verdict => {
      const whole = amount(target)
      const candidates = index.count(target, 1n, whole)
      if (candidates < 2 || (sums.isPlain && index.sum(target) < whole)) return none
      return { kind: "exhausted", candidates, size: undefined }
    }

    return {
      ask: (target) => {
        const count = index.atMost(target)
        if (isCrowd(target, count)) {
          return { verdict: judgeCrowd(target), candidates: undefined, parts: nobody, mayGainByLoss: false }
        }
        const candidates = count === 0 ? nobody : index.of(target)
        return candidates.length === 0
          ? { verdict: none, candidates, parts: nobody, mayGainByLoss: false }
          : { ...search(target, candidates), candidates }
      },
      among: (target, candidates) => search(target, candidates).verdict,
      index,
      amount
    }
  }
  return { amounts, sums, deposit: of("deposit"), transfer: of("transfer") }
}
