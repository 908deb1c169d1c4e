/** Finds components among entries that share a key, such as an asset or an equal amount. */
import { append, bucket } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
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

/** Entries of one key, in order of time. */
export interface Alike {
  readonly key: number
  readonly deposits: Int32Array
  readonly transfers: Int32Array
}

// Gives the entries of each key that both sides have.
export const alike = function*(key: Key, { deposits, transfers }: Among): Generator<Alike, void, void> {
  const lefts = bucket(key.deposits, key.count, deposits)
  if (lefts.total === 0) return
  const rights = bucket(key.transfers, key.count, transfers)
  if (rights.total === 0) return
  for (let at = 0; at < key.count; at++) {
    if (lefts.size(at) === 0 || rights.size(at) === 0) continue
    yield { key: at, deposits: lefts.of(at), transfers: rights.of(at) }
  }
}

/** The number of entries of one key. */
export const countOf = ({ deposits, transfers }: Alike): number => deposits.length + transfers.length

interface Question {
  readonly key: Key
  /** Tells which entries are looked at. Without it, all free entries are. */
  readonly among?: Among
  /** Finds the candidates of the deposits among the transfers. Without it, they are those in the window. */
  readonly index?: (deposits: Int32Array, transfers: Int32Array) => CandidateIndex.CandidateIndex
  /** Decides which pairs that the index finds are candidates. Without it, all are that no `forbid` keeps apart. */
  readonly accept?: CandidateGraph.Options["accept"]
  readonly isWanted?: CandidateGraph.Options["isWanted"]
}

/** Returns the components of all keys. */
export const components = (
  ledger: Ledger.Ledger,
  {
    accept,
    among = free(ledger),
    index = (_, transfers) => CandidateIndex.byTime(ledger, transfers),
    isWanted,
    key
  }: Question
): ReadonlyArray<CandidateGraph.Component> => {
  const found: Array<CandidateGraph.Component> = []
  for (const { deposits, transfers } of alike(key, among)) {
    const candidates = index(deposits, transfers)
    append(found, CandidateGraph.components(ledger, deposits, candidates, { accept, isWanted }))
  }
  return found
}

/**
 * Returns the components of each asset in which one side has a single entry. Larger ones are not listed, unless a `forbid` may
 * split them.
 */
export const stars = (ledger: Ledger.Ledger): ReadonlyArray<CandidateGraph.Component> => {
  const isStar = ({ deposits, transfers }: Members): boolean => deposits.length === 1 || transfers.length === 1
  return components(ledger, {
    key: byAsset(ledger),
    isWanted: (members) => isStar(members) || Ledger.forbidsAmong(ledger, members)
  })
}
