/**
 * Finds candidates as ranges of sorted lists, so that they can be counted and joined without being listed one by one.
 *
 * An entry of a known account sees the entries of that account and those of unknown account. An entry of unknown account sees
 * all. If references have to agree, the same holds for references.
 */
import * as JoinedRuns from "../../kernel/JoinedRuns.ts"
import { at, firstNotBefore } from "../ledger/Column.ts"
import type { Ledger, Side } from "../ledger/Ledger.ts"
import type { Reach } from "../ledger/Window.ts"

/** A sorted list of transfers. It remembers which neighbours are known to be connected. */
export interface List {
  readonly items: Int32Array
  readonly runs: JoinedRuns.JoinedRuns
}

/** Calls `visit` with every range `[from, to)` of a list that holds candidates of the deposit. */
export type CandidateIndex = (deposit: number, visit: (list: List, from: number, to: number) => void) => void

export const list = (items: Int32Array): List => ({ items, runs: JoinedRuns.make(items.length) })

/** Splits `indices` into the lists that an entry of `own` has to look at. `build` turns each list into the wanted value. */
export const byKeys = <A>(
  ledger: Ledger,
  own: Side,
  indices: Int32Array,
  build: (indices: Int32Array) => A
): (index: number) => ReadonlyArray<A> => {
  const { policy, requiresReference } = ledger
  const { other } = own
  if (!requiresReference) return byAccount(own, indices, build)
  const references = new Map<number, Array<number>>()
  for (const index of indices) {
    const reference = at(other.reference, index)
    const known = references.get(reference)
    if (known === undefined) references.set(reference, [index])
    else known.push(index)
  }
  type Lists = (index: number) => ReadonlyArray<A>
  const none: Lists = () => []
  const built = new Map<number, Lists>()
  const of = (reference: number): Lists => {
    const members = references.get(reference)
    if (members === undefined) return none
    const lists = built.get(reference) ?? byAccount(own, Int32Array.from(members), build)
    built.set(reference, lists)
    return lists
  }
  let everything: Lists | undefined
  return (index) => {
    const reference = at(own.reference, index)
    if (policy.reference === "only") return reference < 0 ? [] : of(reference)(index)
    if (reference >= 0) return [...of(reference)(index), ...of(-1)(index)]
    everything ??= byAccount(own, indices, build)
    return everything(index)
  }
}

/** Splits by account only. */
const byAccount = <A>(
  own: Side,
  indices: Int32Array,
  build: (indices: Int32Array) => A
): (index: number) => ReadonlyArray<A> => {
  const { other } = own
  const accounts = new Map<number, Array<number>>()
  for (const index of indices) {
    const account = at(other.account, index)
    const known = accounts.get(account)
    if (known === undefined) accounts.set(account, [index])
    else known.push(index)
  }
  if (accounts.size === 1 && accounts.has(-1)) {
    const everything = [build(indices)]
    return () => everything
  }
  const built = new Map<number, A>()
  const of = (account: number): ReadonlyArray<A> => {
    const members = accounts.get(account)
    if (members === undefined) return []
    const value = built.get(account) ?? build(Int32Array.from(members))
    built.set(account, value)
    return [value]
  }
  let everything: ReadonlyArray<A> | undefined
  return (index) => {
    const account = at(own.account, index)
    if (account >= 0) return [...of(account), ...of(-1)]
    everything ??= [build(indices)]
    return everything
  }
}

/** Gives the distance from a deposit within which its candidates lie. */
export type ReachOf = (deposit: number) => Reach

/** Finds transfers by time: the candidates of a deposit lie within its reach, which is its window unless another is given. */
export const byTime = (
  ledger: Ledger,
  indices: Int32Array,
  reachOf: ReachOf = (deposit) => ledger.rule(deposit).window
): CandidateIndex => {
  const lists = byKeys(ledger, ledger.deposits, indices, list)
  return (deposit, visit) => {
    const { after, before } = reachOf(deposit)
    const time = at(ledger.deposits.at, deposit)
    for (const candidates of lists(deposit)) {
      const from = firstNotBefore(ledger.transfers.at, candidates.items, time - before)
      const to = firstNotBefore(ledger.transfers.at, candidates.items, time + after + 1)
      if (from < to) visit(candidates, from, to)
    }
  }
}

/** Finds transfers by time, without regard to accounts and references. */
export const anyAccount = (ledger: Ledger, indices: Int32Array, reachOf: ReachOf): CandidateIndex => {
  const all = list(indices)
  return (deposit, visit) => {
    const { after, before } = reachOf(deposit)
    const time = at(ledger.deposits.at, deposit)
    const from = firstNotBefore(ledger.transfers.at, indices, time - before)
    const to = firstNotBefore(ledger.transfers.at, indices, time + after + 1)
    if (from < to) visit(all, from, to)
  }
}
