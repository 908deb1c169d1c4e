/**
 * Finds silences: times in which a family of assets has no entry, and that are longer than any rule looks. Nothing that is said of an
 * entry before a silence depends on one behind it, so a family may be cut there.
 */
import type * as Entry from "../Entry.ts"
import * as Policy from "../Policy.ts"
import * as PendingDeposits from "./engine/ledger/PendingDeposits.ts"

/** A time in which entries lie that may have to do with each other, Unix ms, both ends inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
  /** The number of its entries. */
  readonly entries: number
}

/**
 * Returns how far two entries may lie from each other and still be compared, ms. A far counterpart is looked for within twice the
 * horizon, and so is what two windows or two horizons have in common. No rule looks farther.
 */
export const reach = (policy: Policy.Resolved): number => 2 * Policy.horizon(policy)

/** Returns the time that an entry takes: until it was first seen settled, or may be compared once it settles. */
export const spanOf = (policy: Policy.Resolved): (entry: Entry.Entry) => Span => {
  const reachedBy = PendingDeposits.reached(policy)
  return (entry) => {
    const { at, past } = entry
    const settledAt = past?.settledAt ?? at
    return {
      from: Math.min(at, settledAt),
      to: Math.max(at, settledAt, reachedBy(entry)?.to ?? at),
      entries: 1
    }
  }
}

const hull = (one: Span, other: Span): Span => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
  entries: one.entries + other.entries
})

/** Joins spans between which there is no silence, and returns them in order of time. */
export const joined = (spans: Iterable<Span>, reach: number): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const span of Array.from(spans).toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1)
    if (last === undefined || span.from - last.to > reach) found.push(span)
    else found[found.length - 1] = hull(last, span)
  }
  return found
}

export interface Spans {
  readonly add: (span: Span) => void
  /** Returns what was added, joined as far as there is no silence, and in order of time. */
  readonly all: () => ReadonlyArray<Span>
}

/** Adds spans up in memory that grows with the number of silences. They may come in any order. */
export const spans = (reach: number): Spans => {
  let known: Array<Span> = []
  let joinedAt = 64
  const all = (): ReadonlyArray<Span> => joined(known, reach)
  return {
    add: (span) => {
      const last = known.at(-1)
      if (last !== undefined && span.from - last.to <= reach && last.from - span.to <= reach) {
        known[known.length - 1] = hull(last, span)
        return
      }
      known.push(span)
      if (known.length < joinedAt) return
      known = [...all()]
      joinedAt = 2 * known.length + 64
    },
    all
  }
}
