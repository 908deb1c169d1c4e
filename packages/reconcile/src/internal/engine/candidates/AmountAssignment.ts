/**
 * Decides which pairs of unlike amounts are stated, and tells for the other candidates whether they were passed over or are
 * undecided. Mode `assign` takes the most pairs, then the least total residual, then the least total lag.
 */
import type * as Entry from "../../../Entry.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import type * as Bipartite from "../../kernel/assignment/Bipartite.ts"
import * as Decisive from "../../kernel/assignment/Decisive.ts"
import * as UnlikePairs from "../../kernel/assignment/UnlikePairs.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import type { Amounts } from "../ledger/Amounts.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"
import * as CandidateGraph from "./CandidateGraph.ts"

export type Solvable = CandidateGraph.Component & { readonly edges: CandidateGraph.Edges }

/** The reason why a pair is stated. */
export type Reason = "forced" | "equal" | "equal-and-time" | "noise" | "time" | "assigned"

export interface Stated {
  readonly deposit: number
  readonly transfer: number
  readonly fit: AmountRule.Fit
  readonly reason: Reason
  /** The best of the other candidates, if there were any. */
  readonly rival: Candidate | undefined
}

interface PassedOver {
  readonly deposit: number
  readonly transfer: number
  /** The side whose entry was left over. */
  readonly left: Entry.Side
  /** Whether only weak evidence, nearness in time or amount, preferred the other pair. */
  readonly isDoubtful: boolean
}

export interface Undecided {
  readonly part: Solvable
  readonly matched: number
  /** The pairs of each member that differ least, ordered by residual. */
  readonly nearest: ReadonlyArray<Pick<Stated, "deposit" | "transfer" | "fit">>
}

export interface Solution {
  readonly stated: ReadonlyArray<Stated>
  /** Candidate pairs with one entry that was stated with another, and one that was left over. They are ordered by residual. */
  readonly passedOver: ReadonlyArray<PassedOver>
  /** The remaining candidates among entries that are not decided, in connected parts. */
  readonly undecided: ReadonlyArray<Undecided>
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns the costs as doubles if every sum of them stays exact, else as they are. */
const column = (costs: ReadonlyArray<bigint>, members: number): ReadonlyArray<bigint> | Float64Array => {
  let most = 0n
  for (const cost of costs) if (cost > most) most = cost
  return most * BigInt(2 * members + 2) <= EXACT ? Float64Array.from(costs, Number) : costs
}

const reasons = new Map<number, Reason>([
  [UnlikePairs.forced, "forced"],
  [UnlikePairs.equal, "equal"],
  [UnlikePairs.equalAndTime, "equal-and-time"],
  [UnlikePairs.noise, "noise"],
  [UnlikePairs.time, "time"]
])

/** Reasons that are weak: an entry that was left over because of them must not be called missing. */
const weak: ReadonlySet<Reason> = new Set(["equal", "time", "equal-and-time", "noise"])

/** The largest number of pairs that are named for an entry. */
const NAMED = 3

/** Finds the first few edges of each entry that `keep` accepts, and returns all of them in order. */
const firstFew = (
  { deposit, transfer, vertices }: Bipartite.Graph,
  keep: (edge: number) => boolean,
  order: (one: number, other: number) => number
): ReadonlyArray<number> => {
  const few: Array<Array<number>> = Array.from({ length: vertices }, () => [])
  for (let edge = 0; edge < deposit.length; edge++) {
    if (!keep(edge)) continue
    for (const vertex of [at(deposit, edge), at(transfer, edge)]) {
      const own = item(few, vertex)
      const last = own[NAMED - 1]
      if (last !== undefined && order(last, edge) <= 0) continue
      own.splice(NAMED - 1, 1)
      own.push(edge)
      own.sort(order)
    }
  }
  return Array.from(new Set(few.flat())).toSorted(order)
}

/** The criteria besides amounts: time together with the policy's mode `assign`, or none. */
export type Deciders = "amounts-and-time" | "amounts"

export const solve = (
  { finality, ledger }: Workbench,
  amounts: Amounts,
  component: Solvable,
  deciders: Deciders
): Solution => {
  const { ambiguity } = ledger.policy
  const assign = deciders === "amounts-and-time" && ambiguity.mode === "assign"
  const { edges } = component
  const size = edges.deposit.length
  const [lefts, rights] = [component.deposits.length, component.transfers.length]
  const pairOf = (edge: number): readonly [number, number] => [
    item(component.deposits, at(edges.deposit, edge)),
    item(component.transfers, at(edges.transfer, edge))
  ]
  const fits: Array<AmountRule.Fit> = []
  const costs: Array<bigint> = []
  const lag = new Float64Array(size)
  const isExpected = new Uint8Array(size)
  const isNoise = new Uint8Array(size)
  for (let edge = 0; edge < size; edge++) {
    const [deposit, transfer] = pairOf(edge)
    finality.join(deposit, transfer)
    const fit = amounts.fit(deposit, transfer) ??
      AmountRule.nearest(amounts.expected(deposit), amounts.transfer(transfer))
    const cost = AmountRule.magnitude(fit.residual)
    fits.push(fit)
    costs.push(cost)
    // If a fee is known, its exact amount is evidence. An equal amount is no evidence, except among entries of one reference.
    isExpected[edge] = cost === 0n && (deciders === "amounts" || fit.fee !== undefined) ? 1 : 0
    isNoise[edge] = cost < amounts.noise(deposit) ? 1 : 0
    lag[edge] = Math.abs(Ledger.lag(ledger, deposit, transfer))
  }
  const { chosen, decision, graph } = UnlikePairs.solve({
    deposits: lefts,
    transfers: rights,
    edges: { ...edges, residual: column(costs, lefts + rights), lag, isExpected, isNoise },
    time: deciders === "amounts-and-time" ? ambiguity : undefined
  })
  /** Orders the smaller residual first, then the pair that is nearer in time. */
  const order = (one: number, other: number): number => {
    const difference = item(costs, one) - item(costs, other)
    return difference < 0n ? -1 : difference > 0n ? 1 : at(lag, one) - at(lag, other)
  }

  const rivalOf = (edge: number): Candidate | undefined => {
    let best = -1
    Decisive.eachRival(graph, edge, (other) => {
      if (best < 0 || order(other, best) < 0) best = other
      return true
    })
    if (best < 0) return undefined
    const side = at(edges.deposit, best) === at(edges.deposit, edge) ? "transfer" : "deposit"
    const [deposit, transfer] = pairOf(best)
    const { id } = item(ledger[`${side}s`].entries, { deposit, transfer }[side])
    const because = {
      code: "worse-fit" as const,
      residual: amounts.format(item(fits, best).residual),
      apartMs: at(lag, best),
      ownResidual: amounts.format(item(fits, edge).residual),
      ownMs: at(lag, edge)
    }
    return { side, id, because }
  }

  const stated: Array<Stated> = []
  /** The edge of the stated pair of each entry, or -1. */
  const closer = new Int32Array(lefts + rights).fill(-1)
  const reasonOf = (edge: number): Reason | undefined =>
    reasons.get(at(decision, edge)) ?? (assign ? "assigned" : undefined)
  const partners = new Set<number>()
  for (const edge of chosen) {
    if (edge < 0) continue
    const reason = reasonOf(edge)
    const [deposit, transfer] = pairOf(edge)
    if (reason === undefined) {
      partners.add(deposit)
      continue
    }
    stated.push({ deposit, transfer, fit: item(fits, edge), reason, rival: rivalOf(edge) })
    closer[at(edges.deposit, edge)] = edge
    closer[lefts + at(edges.transfer, edge)] = edge
  }
  const closersOf = (edge: number): readonly [number, number] => [
    at(closer, at(edges.deposit, edge)),
    at(closer, lefts + at(edges.transfer, edge))
  ]

  const passedOver = Array.from({ length: size }, (_, edge) => edge)
    .filter((edge) => {
      const [left, right] = closersOf(edge)
      return left < 0 !== right < 0
    })
    .toSorted(order)
    .map((edge): PassedOver => {
      const [left, right] = closersOf(edge)
      const [deposit, transfer] = pairOf(edge)
      const reason = reasonOf(Math.max(left, right))
      return {
        deposit,
        transfer,
        left: right < 0 ? "transfer" : "deposit",
        isDoubtful: reason !== undefined && weak.has(reason)
      }
    })

  const isUndecided = (edge: number): boolean => {
    const [left, right] = closersOf(edge)
    return left < 0 && right < 0
  }
  const parts = assign ? [] : CandidateGraph.split(ledger, component, isUndecided)
  const partOf = new Map(parts.flatMap(({ deposits }, part) => deposits.map((deposit) => [deposit, part] as const)))
  const nearest = parts.map((): Array<Pick<Stated, "deposit" | "transfer" | "fit">> => [])
  for (const edge of parts.length === 0 ? [] : firstFew(graph, isUndecided, order)) {
    const [deposit, transfer] = pairOf(edge)
    nearest[partOf.get(deposit) ?? -1]?.push({ deposit, transfer, fit: item(fits, edge) })
  }
  return {
    stated,
    passedOver,
    undecided: parts.map((part, index) => ({
      part,
      matched: part.deposits.filter((deposit) => partners.has(deposit)).length,
      nearest: item(nearest, index)
    }))
  }
}
