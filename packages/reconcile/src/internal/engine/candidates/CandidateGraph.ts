/** Splits candidates into connected components. It counts their pairs before it stores any. */
import { at, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
import type { CandidateIndex } from "./CandidateIndex.ts"

/** The largest number of pairs that a component may have and still be solved. */
export const BUDGET = 500_000

/** Connected entries. Each list is in ascending order, and each entry has a candidate among the others. */
export interface Component {
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
  /** The pairs in order, or nothing if there are more than `BUDGET`. */
  readonly edges: Edges | undefined
  /** The number of pairs. */
  readonly size: number
}

/** Pairs, by position in the lists of their component. */
export interface Edges {
  readonly deposit: Int32Array
  readonly transfer: Int32Array
}

export interface Open {
  readonly deposits: Array<number>
  readonly transfers: Array<number>
  size: number
}

const ascending = (a: number, b: number): number => a - b

/**
 * Groups entries that the index connects, without listing pairs. Neighbours in a list are joined once, although several
 * deposits may see them. Components are in the order of their first deposits.
 */
export const connect = (
  ledger: Ledger.Ledger,
  deposits: Iterable<number>,
  index: CandidateIndex
): ReadonlyArray<Open> => {
  const { sets } = ledger.scratch
  const offset = ledger.deposits.entries.length
  const sizes = new Map<number, number>()
  const touched: Array<number> = []
  for (const deposit of deposits) {
    let size = 0
    const touch = (node: number): void => {
      // The root of a set is its first node, and deposits come before transfers: this one is in no set of a deposit.
      if (sets.find(node) === node) touched.push(node)
      sets.join(deposit, node)
    }
    index(deposit, ({ items, runs }, from, to) => {
      size += to - from
      touch(offset + at(items, from))
      runs.join(from, to, (position) => touch(offset + at(items, position + 1)))
    })
    if (size > 0) sizes.set(deposit, size)
  }
  const components = new Map<number, Open>()
  for (const deposit of Int32Array.from(sizes.keys()).toSorted()) {
    const root = sets.find(deposit)
    const component = components.get(root) ?? { deposits: [], transfers: [], size: 0 }
    components.set(root, component)
    component.deposits.push(deposit)
    component.size += sizes.get(deposit) ?? 0
  }
  for (const node of Int32Array.from(touched).toSorted()) components.get(sets.find(node))?.transfers.push(node - offset)
  sets.reset(sizes.keys())
  sets.reset(touched)
  return Array.from(components.values())
}

const number = (ledger: Ledger.Ledger, { deposits, transfers }: Members): void => {
  const { local } = ledger.scratch
  const offset = ledger.deposits.entries.length
  deposits.forEach((deposit, position) => (local[deposit] = position))
  transfers.forEach((transfer, position) => (local[offset + transfer] = position))
}

/** Lists the pairs of a component that `accept` accepts. */
const list = (
  ledger: Ledger.Ledger,
  component: Open,
  index: CandidateIndex,
  accept: Accept | undefined
): Component & { readonly edges: Edges } => {
  number(ledger, component)
  const { local } = ledger.scratch
  const offset = ledger.deposits.entries.length
  const deposit = new Int32Array(component.size)
  const transfer = new Int32Array(component.size)
  let size = 0
  component.deposits.forEach((entry, position) => {
    const seen: Array<number> = []
    index(entry, ({ items }, from, to) => {
      for (let place = from; place < to; place++) {
        const other = at(items, place)
        if (accept === undefined || accept(entry, other)) seen.push(at(local, offset + other))
      }
    })
    for (const other of seen.toSorted(ascending)) {
      deposit[size] = position
      transfer[size] = other
      size++
    }
  })
  const edges = { deposit: deposit.subarray(0, size), transfer: transfer.subarray(0, size) }
  return { ...component, edges, size }
}

/** Splits a component along the pairs that it really has, or along those of them that `keep` accepts. */
export const split = (
  ledger: Ledger.Ledger,
  { deposits, edges, transfers }: Component & { readonly edges: Edges },
  keep: (edge: number) => boolean = () => true
): ReadonlyArray<Component & { readonly edges: Edges }> => {
  const { sets } = ledger.scratch
  const kept: Array<number> = []
  for (let edge = 0; edge < edges.deposit.length; edge++) {
    if (!keep(edge)) continue
    kept.push(edge)
    sets.join(at(edges.deposit, edge), deposits.length + at(edges.transfer, edge))
  }
  const parts = new Map<number, Array<number>>()
  for (const edge of kept) {
    const root = sets.find(at(edges.deposit, edge))
    const part = parts.get(root)
    if (part === undefined) parts.set(root, [edge])
    else part.push(edge)
  }
  sets.reset(Array.from({ length: deposits.length + transfers.length }, (_, node) => node))
  return Array.from(parts.values(), (part) => {
    const lefts = Array.from(new Set(part.map((edge) => at(edges.deposit, edge)))).toSorted(ascending)
    const rights = Array.from(new Set(part.map((edge) => at(edges.transfer, edge)))).toSorted(ascending)
    const leftOf = new Map(lefts.map((left, position) => [left, position] as const))
    const rightOf = new Map(rights.map((right, position) => [right, position] as const))
    return {
      deposits: lefts.map((left) => item(deposits, left)),
      transfers: rights.map((right) => item(transfers, right)),
      edges: {
        deposit: Int32Array.from(part, (edge) => leftOf.get(at(edges.deposit, edge)) ?? 0),
        transfer: Int32Array.from(part, (edge) => rightOf.get(at(edges.transfer, edge)) ?? 0)
      },
      size: part.length
    }
  })
}

type Accept = (deposit: number, transfer: number) => boolean

/**
 * Removes entries without a candidate from a component that is too large to be listed. It tries at most `BUDGET` pairs, and keeps
 * the entries of all others.
 */
const withCandidates = (component: Open, index: CandidateIndex, accept: Accept | undefined): Open => {
  if (accept === undefined) return component
  const confirmed = new Set<number>()
  let tried = 0
  const isOver = (): boolean => tried === BUDGET
  const deposits = component.deposits.filter((deposit) => {
    let found = false
    const isDone = (): boolean => isOver() || (found && confirmed.size === component.transfers.length)
    index(deposit, ({ items }, from, to) => {
      for (let place = from; place < to && !isDone(); place++) {
        const transfer = at(items, place)
        if (found && confirmed.has(transfer)) continue
        tried++
        if (!accept(deposit, transfer)) continue
        found = true
        confirmed.add(transfer)
      }
    })
    return found || isOver()
  })
  return {
    deposits,
    transfers: component.transfers.filter((transfer) => confirmed.has(transfer) || isOver()),
    size: component.size
  }
}

export interface Options {
  /** Decides which pairs that the index finds are candidates. Without it, all are that no `forbid` keeps apart. */
  readonly accept?: Accept | undefined
  /**
   * Tells which components are wanted. A component that it refuses is not listed, so it has to refuse all parts of that one,
   * too.
   */
  readonly isWanted?: ((entries: Members) => boolean) | undefined
}

/**
 * Lists the pairs of connected entries that `index` finds. They fall into several components, or into none, where `accept` keeps
 * some of them apart; without it, a `forbid` may.
 */
export const listed = (
  ledger: Ledger.Ledger,
  open: Open,
  index: CandidateIndex,
  // An index looks at accounts and references. Few entries are kept apart by a `forbid`.
  accept: Accept | undefined = Ledger.forbidsAmong(ledger, open) ? ledger.compatible : undefined
): ReadonlyArray<Component> => {
  if (open.size > BUDGET) {
    const left = withCandidates(open, index, accept)
    return left.deposits.length > 0 ? [{ ...left, edges: undefined }] : []
  }
  const listed = list(ledger, open, index, accept)
  return listed.size === open.size ? [listed] : split(ledger, listed)
}

/** Returns the components that `index` finds for `deposits`, ordered by their first deposit. */
export const components = (
  ledger: Ledger.Ledger,
  deposits: Iterable<number>,
  index: CandidateIndex,
  { accept, isWanted = () => true }: Options = {}
): ReadonlyArray<Component> =>
  connect(ledger, deposits, index)
    .filter(isWanted)
    .flatMap((open) => listed(ledger, open, index, accept))
    .filter(isWanted)
    .toSorted((a, b) => item(a.deposits, 0) - item(b.deposits, 0))
