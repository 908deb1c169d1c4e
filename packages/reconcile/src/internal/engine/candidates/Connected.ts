/** Finds components among entries that share a key, such as an asset or an equal amount. */
import { append, bucket } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as CandidateGraph from "./CandidateGraph.ts"
import * as CandidateIndex from "./CandidateIndex.ts"

/**
 * The key of every entry is a number from 0 to `count - 1`. Only entries with the same number can be candidates of each other. An
 * entry with a negative number has no candidates.
 */
export interface Key {
  readonly deposits: Int32Array
  readonly transfers: Int32Array
  readonly count: number
}

/** Numbers equal amounts of one asset. */
export const byAmount = ({ amountClasses, deposits, transfers }: Ledger.Ledger): Key => ({
  deposits: deposits.amountClass,
  transfers: transfers.amountClass,
  count: amountClasses
})

/** Numbers assets. */
export const byAsset = ({ deposits, groups, transfers }: Ledger.Ledger): Key => ({
  deposits: deposits.group,
  transfers: transfers.group,
  count: groups
})

export type Include = (index: number) => boolean

/** Tells which entries of each side are looked at. */
export interface Among {
  readonly deposits: Include
  readonly transfers: Include
}

/** Accepts entries that still take part in matching. */
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
    if (lefts.size(at) > 0 && rights.size(at) > 0) visit(lefts.of(at), rights.of(at), at)
  }
}

interface Question {
  readonly key: Key
  /** Tells which entries are looked at. Without it, all free entries are. */
  readonly among?: Among
  /** Finds the candidates of the deposits among the transfers. Without it, they are those in the window. */
  readonly index?: (deposits: Int32Array, transfers: Int32Array) => CandidateIndex.CandidateIndex
  /** Decides which pairs are candidates. Without it, the policy decides. */
  readonly accept?: Ledger.Ledger["compatible"]
}

/** Returns the components of all keys. */
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
