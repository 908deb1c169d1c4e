/**
 * Candidates as ranges of sorted lists, so that they can be counted and joined without being listed one by one.
 *
 * A deposit of a known account sees the transfers of that account and those of unknown account; one of unknown account
 * sees all.
 */
import { at, firstNotBefore } from "./Column.ts"
import type { Ledger } from "./Ledger.ts"

/** A sorted list of transfers, and which neighbours in it are known to be connected. */
export interface List {
  readonly items: Int32Array
  /** Leads from a position to the last one of the run that it is connected with. */
  readonly runEnd: Int32Array
}

/** Calls `visit` with every range `[from, to)` of a list that holds candidates of the deposit. */
export type CandidateIndex = (deposit: number, visit: (list: List, from: number, to: number) => void) => void

export const list = (items: Int32Array): List => ({ items, runEnd: Int32Array.from(items, (_, position) => position) })

/** The last position that is known to be connected with `position`. */
export const findRunEnd = ({ runEnd }: List, position: number): number => {
  let current = position
  while (at(runEnd, current) !== current) {
    const ahead = at(runEnd, at(runEnd, current))
    runEnd[current] = ahead
    current = ahead
  }
  return current
}

/** The lists that a deposit has to look at, by the accounts of the transfers. `build` makes what is needed of a list. */
export const byAccount = <A>(
  { deposits, transfers }: Ledger,
  indices: Int32Array,
  build: (indices: Int32Array) => A
): (deposit: number) => ReadonlyArray<A> => {
  const accounts = new Map<number, Array<number>>()
  for (const index of indices) {
    const account = at(transfers.account, index)
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
  return (deposit) => {
    const account = at(deposits.account, deposit)
    if (account >= 0) return [...of(account), ...of(-1)]
    everything ??= [build(indices)]
    return everything
  }
}

/** Transfers by time: the candidates of a deposit are those with `-before <= lag <= after`. */
export const byTime = (
  ledger: Ledger,
  indices: Int32Array,
  window: (deposit: number) => { readonly before: number; readonly after: number }
): CandidateIndex => {
  const lists = byAccount(ledger, indices, list)
  return (deposit, visit) => {
    const { after, before } = window(deposit)
    const time = at(ledger.deposits.at, deposit)
    for (const candidates of lists(deposit)) {
      const from = firstNotBefore(ledger.transfers.at, candidates.items, time - before)
      const to = firstNotBefore(ledger.transfers.at, candidates.items, time + after + 1)
      if (from < to) visit(candidates, from, to)
    }
  }
}
