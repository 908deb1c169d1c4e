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
import { at, firstNotBefore, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
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

const times = (side: Ledger.Side, indices: Int32Array): Float64Array =>
  Float64Array.from(indices, (index) => at(side.at, index))

/** Joins entries of a class in which only the window counts. It returns the number of its component for each deposit. */
const joinByTime = ({ finality, ledger }: Workbench, deposits: Int32Array, transfers: Int32Array): Int32Array => {
  const parts = new Int32Array(deposits.length)
  let part = 0
  let joined = 0
  for (let index = 0; index < deposits.length; index++) {
    const deposit = at(deposits, index)
    const [first, last] = ledger.deposits.windowOf(deposit)
    const from = firstNotBefore(ledger.transfers.at, transfers, first)
    if (from >= joined) part++
    parts[index] = part
    for (let position = Math.max(from, joined - 1); position < transfers.length; position++) {
      const transfer = at(transfers, position)
      if (at(ledger.transfers.at, transfer) > last) break
      finality.join(deposit, transfer)
      joined = position + 1
    }
  }
  return parts
}

/** Pairs entries that are all compatible, so that only the window keeps them apart. */
const uniform = (bench: Workbench, deposits: Int32Array, transfers: Int32Array): void => {
  const { ledger } = bench
  const { ambiguity } = ledger.policy
  if (deposits.length === 1 && transfers.length === 1) {
    const [deposit, transfer] = [at(deposits, 0), at(transfers, 0)]
    if (!Window.holds(ledger, deposit, transfer)) return
    bench.finality.join(deposit, transfer)
    state(bench, deposit, transfer, "forced")
    return
  }
  const parts = joinByTime(bench, deposits, transfers)
  const result = ExactClass.solve({
    deposits: times(ledger.deposits, deposits),
    transfers: times(ledger.transfers, transfers),
    ...ledger.rule(at(deposits, 0)).window,
    ratio: ambiguity.ratio,
    rivals: ambiguity.rivals
  })
  const assign = ambiguity.mode === "assign"
  const byTime = new Map<number, Array<readonly [number, number]>>()
  for (let position = 0; position < deposits.length; position++) {
    const stated = at(result.stated, position)
    const partner = assign ? at(result.partner, position) : stated
    if (partner < 0) continue
    const pair = [at(deposits, position), at(transfers, partner)] as const
    if (stated !== partner) {
      state(bench, ...pair, "assigned")
    } else if (at(result.decidedBy, position) === 1) {
      state(bench, ...pair, "forced")
    } else {
      const rival = at(result.rival, position)
      const side = at(result.rivalSide, position) === 1 ? "deposit" : "transfer"
      const index = rival < 0 ? -1 : at({ deposit: deposits, transfer: transfers }[side], rival)
      state(bench, ...pair, "time", index < 0 ? undefined : rivalOf(bench, side, index, pair))
      const part = byTime.get(at(parts, position))
      if (part === undefined) byTime.set(at(parts, position), [pair])
      else part.push(pair)
    }
  }
  if (assign) return
  const around = new Map(Array.from(byTime, ([part, pairs]) => [part, EqualAmounts.neighbours(bench, pairs)] as const))
  const nobody = EqualAmounts.neighbours(bench, [])
  for (const component of result.components) {
    const members = Array.from(component.deposits, (position) => at(deposits, position))
    const pairs: Array<readonly [number, number]> = []
    for (const position of component.deposits) {
      const partner = at(result.partner, position)
      if (partner >= 0) pairs.push([at(deposits, position), at(transfers, partner)])
    }
    const others = Array.from(component.transfers, (position) => at(transfers, position))
    // If all entries of a class have a counterpart, they are paired in order: first in, first out.
    const balanced = pairs.length === members.length && pairs.length === others.length
    EqualAmounts.settle(bench, {
      deposits: members,
      transfers: others,
      pairs: balanced ? members.map((deposit, index) => [deposit, item(others, index)] as const) : pairs
    }, around.get(at(parts, at(component.deposits, 0))) ?? nobody)
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

/** Pairs entries with the general solver, because an account, a reference or a `forbid` keeps some of them apart. */
const mixed = (bench: Workbench, deposits: Int32Array, transfers: Int32Array): void => {
  const { finality, ledger } = bench
  const index = CandidateIndex.byTime(ledger, transfers)
  for (const component of CandidateGraph.components(ledger, deposits, index)) {
    const { edges } = component
    if (edges === undefined) {
      exhausted(bench, component, "equal amounts")
      continue
    }
    const size = edges.deposit.length
    const lags = new Float64Array(size)
    const pairOf = (edge: number): readonly [number, number] => [
      item(component.deposits, at(edges.deposit, edge)),
      item(component.transfers, at(edges.transfer, edge))
    ]
    for (let edge = 0; edge < size; edge++) {
      const pair = pairOf(edge)
      finality.join(...pair)
      lags[edge] = Math.abs(Ledger.lag(ledger, ...pair))
    }
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
    if (ledger.policy.ambiguity.mode === "assign") continue
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
}

/** Whether only the window can keep entries of the class apart, judged from its members. */
const isUniform = (ledger: Ledger.Ledger, lefts: Int32Array, rights: Int32Array): boolean => {
  const { deposits, requiresReference, rule, transfers } = ledger
  const { after, before } = rule(at(lefts, 0)).window
  const accounts = new Set<number>()
  const [known, other] = [new Set<number>(), new Set<number>()]
  for (const deposit of lefts) {
    const { window } = rule(deposit)
    if (window.after !== after || window.before !== before) return false
    accounts.add(at(deposits.account, deposit))
    if (requiresReference) known.add(at(deposits.reference, deposit))
  }
  const ofTransfers = new Set<number>()
  for (const transfer of rights) {
    ofTransfers.add(at(transfers.account, transfer))
    if (requiresReference) other.add(at(transfers.reference, transfer))
  }
  if (Ledger.forbidsAmong(ledger, { deposits: Array.from(lefts), transfers: Array.from(rights) })) return false
  if (requiresReference && !(known.size === 1 && known.has(-1)) && !(other.size === 1 && other.has(-1))) return false
  const one = (set: Set<number>): boolean => set.size === 1
  if ((one(accounts) && accounts.has(-1)) || (one(ofTransfers) && ofTransfers.has(-1))) return true
  return new Set([...accounts, ...ofTransfers].filter((account) => account >= 0)).size === 1
}

const solve = (bench: Workbench, deposits: Int32Array, transfers: Int32Array): void => {
  if (deposits.length === 0 || transfers.length === 0) return
  const { ledger } = bench
  if (deposits.length === 1 && transfers.length === 1 && !ledger.compatible(at(deposits, 0), at(transfers, 0))) return
  if (isUniform(ledger, deposits, transfers)) uniform(bench, deposits, transfers)
  else mixed(bench, deposits, transfers)
}

/** Splits a class by account if all its entries carry one. */
const byAccount = (bench: Workbench, deposits: Int32Array, transfers: Int32Array): void => {
  const { ledger } = bench
  const known = (side: Ledger.Side, indices: Int32Array): boolean =>
    indices.every((index) => at(side.account, index) >= 0)
  if (!known(ledger.deposits, deposits) || !known(ledger.transfers, transfers)) {
    solve(bench, deposits, transfers)
    return
  }
  const accounts = new Map<number, { readonly lefts: Array<number>; readonly rights: Array<number> }>()
  const of = (account: number) => {
    const part = accounts.get(account) ?? { lefts: [], rights: [] }
    accounts.set(account, part)
    return part
  }
  for (const deposit of deposits) of(at(ledger.deposits.account, deposit)).lefts.push(deposit)
  for (const transfer of transfers) of(at(ledger.transfers.account, transfer)).rights.push(transfer)
  for (const { lefts, rights } of accounts.values()) solve(bench, Int32Array.from(lefts), Int32Array.from(rights))
}

export const exact = (bench: Workbench): Steps.Steps<void> =>
  Steps.forEach(
    Connected.alike(Connected.byAmount(bench.ledger), Connected.free(bench.ledger)),
    ({ deposits, transfers }) => byAccount(bench, deposits, transfers),
    AT_ONCE,
    Connected.countOf
  )
