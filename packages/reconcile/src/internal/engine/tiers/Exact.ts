/**
 * Tier `exact`: finds the most pairs of equal amounts with the least total lag, and states only pairs that are forced or
 * decisive. If amounts may differ, tier `tolerant` has already taken every component that holds an unlike pair, so that only
 * equal candidates are left.
 */
import type { Candidate } from "../../explain/Unexplained.ts"
import * as Bipartite from "../../kernel/assignment/Bipartite.ts"
import * as Decisive from "../../kernel/assignment/Decisive.ts"
import * as SparseAssignment from "../../kernel/assignment/SparseAssignment.ts"
import * as ExactClass from "../../kernel/equal/ExactClass.ts"
import * as Steps from "../../Steps.ts"
import * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import * as Connected from "../candidates/Connected.ts"
import { exhausted } from "../candidates/Exhausted.ts"
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
import * as Pair from "../outcomes/Pair.ts"
import type { Workbench } from "../Workbench.ts"
import * as EqualAmounts from "./EqualAmounts.ts"

/** The number of entries that are decided in a step. */
const AT_ONCE = 256

type Decision = "forced" | "time" | "assigned"

const reasons = {
  forced: { code: "in-every-equal-pairing" },
  time: { code: "nearest-in-time" },
  assigned: { code: "asked-for" }
} as const

const state = (
  bench: Workbench,
  deposit: number,
  transfer: number,
  decidedBy: Decision,
  rival?: Candidate
): void =>
  bench.settle(Pair.make(bench.ledger, deposit, transfer, {
    code: "exact",
    residual: "0",
    decidedBy,
    because: reasons[decidedBy],
    ...(rival === undefined ? {} : { candidates: [rival] })
  }))

const rivalOf = (
  bench: Workbench,
  side: "deposit" | "transfer",
  rival: number,
  pair: readonly [number, number]
): Candidate => {
  const [deposit, transfer] = pair
  const own = Math.abs(Ledger.lag(bench.ledger, deposit, transfer))
  const other = Math.abs(
    side === "deposit" ? Ledger.lag(bench.ledger, rival, transfer) : Ledger.lag(bench.ledger, deposit, rival)
  )
  const { entries } = bench.ledger[`${side}s`]
  return {
    side,
    id: item(entries, rival).id,
    because: { code: "farther-in-time", apartMs: other, ownMs: own }
  }
}

const times = (side: Ledger.Side, indices: ReadonlyArray<number>): Float64Array =>
  Float64Array.from(indices, (index) => at(side.at, index))

/** Pairs connected entries that are all compatible, so that only the window keeps them apart. */
const uniform = (bench: Workbench, members: Members): void => {
  const { ledger } = bench
  const { ambiguity } = ledger.policy
  const { deposits, transfers } = members
  bench.finality.joinAmong(members)
  if (deposits.length === 1 && transfers.length === 1) {
    state(bench, item(deposits, 0), item(transfers, 0), "forced")
    return
  }
  const result = ExactClass.solve({
    deposits: times(ledger.deposits, deposits),
    transfers: times(ledger.transfers, transfers),
    ...ledger.rule(item(deposits, 0)).window,
    ratio: ambiguity.ratio,
    rivals: ambiguity.rivals
  })
  const assign = ambiguity.mode === "assign"
  const byTime: Array<readonly [number, number]> = []
  for (let position = 0; position < deposits.length; position++) {
    const stated = at(result.stated, position)
    const partner = assign ? at(result.partner, position) : stated
    if (partner < 0) continue
    const pair = [item(deposits, position), item(transfers, partner)] as const
    if (stated !== partner) {
      state(bench, ...pair, "assigned")
    } else if (at(result.decidedBy, position) === 1) {
      state(bench, ...pair, "forced")
    } else {
      const rival = at(result.rival, position)
      const side = at(result.rivalSide, position) === 1 ? "deposit" : "transfer"
      state(
        bench,
        ...pair,
        "time",
        rival < 0 ? undefined : rivalOf(bench, side, item(members[`${side}s`], rival), pair)
      )
      byTime.push(pair)
    }
  }
  if (assign) return
  const around = EqualAmounts.neighbours(bench, byTime)
  for (const component of result.components) {
    const lefts = Array.from(component.deposits, (position) => item(deposits, position))
    const rights = Array.from(component.transfers, (position) => item(transfers, position))
    const pairs: Array<readonly [number, number]> = []
    for (const position of component.deposits) {
      const partner = at(result.partner, position)
      if (partner >= 0) pairs.push([item(deposits, position), item(transfers, partner)])
    }
    // If all entries of a class have a counterpart, they are paired in order: first in, first out.
    const balanced = pairs.length === lefts.length && pairs.length === rights.length
    EqualAmounts.settle(bench, {
      deposits: lefts,
      transfers: rights,
      pairs: balanced ? lefts.map((deposit, index) => [deposit, item(rights, index)] as const) : pairs
    }, around)
  }
}

/**
 * Returns the pairs by which a balanced part is shown: as near to first in, first out as its candidates allow. The solver's
 * own choice among equally good pairs depends on the entries that the part was solved together with.
 */
const inOrder = (
  { deposits, edges, transfers }: CandidateGraph.Component & { readonly edges: CandidateGraph.Edges }
): EqualAmounts.Members["pairs"] => {
  const size = edges.deposit.length
  const apart = Float64Array.from(edges.deposit, (deposit, edge) => (deposit - at(edges.transfer, edge)) ** 2)
  const { chosen } = SparseAssignment.solve({
    deposits: deposits.length,
    transfers: transfers.length,
    edges: { ...edges, primary: apart, secondary: new Float64Array(size) }
  })
  return Array.from(chosen, (edge, position) => [item(deposits, position), item(transfers, at(edges.transfer, edge))])
}

/** Pairs a component with the general solver, because an account, a reference or a `forbid` keeps some of it apart. */
const mixed = (bench: Workbench, component: CandidateGraph.Component): void => {
  const { finality, ledger } = bench
  const { edges } = component
  if (edges === undefined) {
    exhausted(bench, component, "equal amounts")
    return
  }
  finality.joinAmong(component)
  const size = edges.deposit.length
  const lags = new Float64Array(size)
  const pairOf = (edge: number): readonly [number, number] => [
    item(component.deposits, at(edges.deposit, edge)),
    item(component.transfers, at(edges.transfer, edge))
  ]
  for (let edge = 0; edge < size; edge++) lags[edge] = Math.abs(Ledger.lag(ledger, ...pairOf(edge)))
  const graph = Bipartite.make(component.deposits.length, component.transfers.length, edges.deposit, edges.transfer)
  const result = SparseAssignment.solve({
    deposits: component.deposits.length,
    transfers: component.transfers.length,
    edges: { ...edges, primary: lags, secondary: new Float64Array(size) }
  })
  const rest: Array<number> = []
  const byTime: Array<readonly [number, number]> = []
  for (const edge of result.chosen) {
    if (edge < 0) continue
    const nearest = result.everyOptimum[edge] === 1
      ? Decisive.nearest(graph, lags, ledger.policy.ambiguity, edge)
      : undefined
    if (result.everyMaximum[edge] === 1) state(bench, ...pairOf(edge), "forced")
    else if (nearest !== undefined) {
      const [deposit, transfer] = pairOf(edge)
      const isTransfer = nearest >= 0 && at(edges.deposit, nearest) === at(edges.deposit, edge)
      const rival = nearest < 0
        ? undefined
        : rivalOf(bench, isTransfer ? "transfer" : "deposit", pairOf(nearest)[isTransfer ? 1 : 0], [
          deposit,
          transfer
        ])
      state(bench, deposit, transfer, "time", rival)
      byTime.push([deposit, transfer])
    } else if (ledger.policy.ambiguity.mode === "assign") state(bench, ...pairOf(edge), "assigned")
    else rest.push(edge)
  }
  if (ledger.policy.ambiguity.mode === "assign") return
  const isOpen = (edge: number): boolean => {
    const [deposit, transfer] = pairOf(edge)
    return ledger.deposits.open[deposit] === 1 && ledger.transfers.open[transfer] === 1
  }
  const remaining = CandidateGraph.split(ledger, { ...component, edges }, isOpen)
  const partners = new Map(rest.map(pairOf))
  const around = EqualAmounts.neighbours(bench, byTime)
  for (const part of remaining) {
    const pairs = part.deposits.flatMap((deposit) => {
      const partner = partners.get(deposit)
      return partner === undefined ? [] : [[deposit, partner] as const]
    })
    const balanced = pairs.length === part.deposits.length && pairs.length === part.transfers.length
    EqualAmounts.settle(bench, { ...part, pairs: balanced ? inOrder(part) : pairs }, around)
  }
}

/** Returns the one number that a column has for entries: -1 if it has none, and nothing if it has several. */
const only = (column: Int32Array, indices: ReadonlyArray<number>): number | undefined => {
  let found = -1
  for (const index of indices) {
    const one = at(column, index)
    if (one < 0 || one === found) continue
    if (found >= 0) return undefined
    found = one
  }
  return found
}

/**
 * Whether only the window can keep connected entries apart: it is the same for all, and either side tells no account, or all tell
 * the same one. Where references have to agree, the same holds for them.
 */
const isUniform = (ledger: Ledger.Ledger, members: Members): boolean => {
  const { deposits, transfers } = members
  const { after, before } = ledger.rule(item(deposits, 0)).window
  const isAlike = (deposit: number): boolean => {
    const { window } = ledger.rule(deposit)
    return window.after === after && window.before === before
  }
  const agree = (key: "account" | "reference"): boolean => {
    const [left, right] = [only(ledger.deposits[key], deposits), only(ledger.transfers[key], transfers)]
    return left === -1 || right === -1 || (left !== undefined && left === right)
  }
  return deposits.every(isAlike) && agree("account") && (!ledger.requiresReference || agree("reference")) &&
    !Ledger.forbidsAmong(ledger, members)
}

/** Pairs entries of equal amount. What is connected is judged alone, whatever else is of the same amount. */
const pair = (bench: Workbench, { deposits, transfers }: Connected.Alike): void => {
  const { ledger } = bench
  const index = CandidateIndex.byTime(ledger, transfers)
  for (const connected of CandidateGraph.connect(ledger, deposits, index)) {
    if (isUniform(ledger, connected)) uniform(bench, connected)
    else for (const component of CandidateGraph.listed(ledger, connected, index)) mixed(bench, component)
  }
}

export const exact = (bench: Workbench): Steps.Steps<void> =>
  Steps.forEach(
    Connected.alike(Connected.byAmount(bench.ledger), Connected.free(bench.ledger)),
    (alike) => pair(bench, alike),
    AT_ONCE,
    Connected.countOf
  )
