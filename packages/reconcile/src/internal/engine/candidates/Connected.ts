/** Entries that are connected with each other by candidates, looked for among those that share a key. */
import { append, bucket } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as CandidateGraph from "./CandidateGraph.ts"
import * as CandidateIndex from "./CandidateIndex.ts"

/** A number for every entry, from 0 to `count - 1`: only entries of one number can be candidates; negative ones have none. */
export interface Key {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  readonly count: number
}

/** Equal amounts of one asset. */
export const byAmount = ({ amountClasses, deposits, transfers }: Ledger.Ledger): Key => ({
  deposits: deposits.amountClass,
  transfers: transfers.amountClass,
  count: amountClasses
})

/** One asset. */
export const byAsset = ({ deposits, groups, transfers }: Ledger.Ledger): Key => ({
  deposits: deposits.group,
  transfers: transfers.group,
  count: groups
})

export type Include = (index: number) => boolean

/** Which entries of a side are looked at. */
export interface Among {
  readonly deposits: Include
  readonly transfers: Include
}

/** Entries that still take part in matching. */
export const free = ({ deposits, transfers }: Ledger.Ledger): Among => ({
  deposits: (deposit) => Ledger.isFree(deposits, deposit),
  transfers: (transfer) => Ledger.isFree(transfers, transfer)
})

/** Visits the entries of each key that both sides have, in order of time. */
export const eachKey = (
  key: Key,
  { deposits, transfers }: Among,
  visit: (deposits: Int32Array, transfers: Int32Array, key: number) => void
): void => {
  const [lefts, rights] = [bucket(key.deposits, key.count, deposits), bucket(key.transfers, key.count, transfers)]
  for (let at = 0; at < key.count; at++) {
    const [left, right] = [lefts.of(at), rights.of(at)]
    if (left.length > 0 && right.length > 0) visit(left, right, at)
  }
}

interface Question {
  readonly key: Key
  /** Those that are free, unless others are given. */
  readonly among?: Among
  /** The candidates of the deposits among the transfers: those in the window, unless others are given. */
  readonly index?: (deposits: Int32Array, transfers: Int32Array) => CandidateIndex.CandidateIndex
  /** Which pairs are candidates: those that the policy allows, unless something else is given. */
  readonly accept?: Ledger.Ledger["compatible"]
}

/** The connected entries of every key. */
export const components = (
  ledger: Ledger.Ledger,
  {
    accept,
    among = free(ledger),
    index = (_, transfers) => CandidateIndex.byTime(ledger, transfers),
    key
  }: Question
): ReadonlyArray<CandidateGraph.Component> => {
  const found: Array<CandidateGraph.Component> = []
  eachKey(key, among, (left, right) => {
    append(found, CandidateGraph.components(ledger, left, index(left, right), accept === undefined ? {} : { accept }))
  })
  return found
}
