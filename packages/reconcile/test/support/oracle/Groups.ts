/** What hangs together by pairs. */
import type * as Entry from "../../../src/Entry.ts"

export interface Edge {
  readonly deposit: Entry.Entry
  readonly transfer: Entry.Entry
}

export const edges = (
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>,
  holds: (deposit: Entry.Entry, transfer: Entry.Entry) => boolean
): ReadonlyArray<Edge> =>
  deposits.flatMap((deposit) =>
    transfers.flatMap((transfer) => (holds(deposit, transfer) ? [{ deposit, transfer }] : []))
  )

const touches = (one: Edge, other: Edge): boolean => one.deposit === other.deposit || one.transfer === other.transfer

export const connected = (all: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<Edge>> => {
  const groups: Array<ReadonlyArray<Edge>> = []
  for (const edge of all) {
    const near = groups.filter((group) => group.some((other) => touches(edge, other)))
    const rest = groups.filter((group) => !near.includes(group))
    groups.splice(0, groups.length, ...rest, [...near.flat(), edge])
  }
  return groups
}

export const members = (group: ReadonlyArray<Edge>): ReadonlySet<Entry.Entry> =>
  new Set(group.flatMap(({ deposit, transfer }) => [deposit, transfer]))

/** Pairs whose two entries are in no other pair. */
export const lone = (all: ReadonlyArray<Edge>): ReadonlyArray<Edge> =>
  connected(all).flatMap((group) => (group.length === 1 ? group : []))

/** The matchings of the most pairs. */
export const largest = (all: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<Edge>> => {
  const [first, ...rest] = all
  if (first === undefined) return [[]]
  const found = [
    ...largest(rest),
    ...largest(rest.filter((edge) => !touches(first, edge))).map((matching) => [first].concat(matching))
  ]
  const most = Math.max(...found.map(({ length }) => length))
  return found.filter(({ length }) => length === most)
}

/**
 * The pairs that are in every matching of the most pairs; and those that cost nothing, are in every matching of the most pairs
 * that cost nothing, and in every matching of the most pairs that costs least.
 */
export const decided = (all: ReadonlyArray<Edge>, cost: (edge: Edge) => bigint): ReadonlyArray<Edge> => {
  const total = (matching: ReadonlyArray<Edge>): bigint => matching.reduce((sum, edge) => sum + cost(edge), 0n)
  const matchings = largest(all)
  const least = matchings.map(total).reduce((one, other) => (one < other ? one : other))
  const best = matchings.filter((matching) => total(matching) === least)
  const free = largest(all.filter((edge) => cost(edge) === 0n))
  const holds = (among: ReadonlyArray<ReadonlyArray<Edge>>, edge: Edge): boolean =>
    among.every((matching) => matching.includes(edge))
  return all.filter((edge) => holds(matchings, edge) || cost(edge) === 0n && holds(free, edge) && holds(best, edge))
}
