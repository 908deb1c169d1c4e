/**
 * A claim is a number that stands for the coverage of a stretch of time. The control totals keep it with the stretch: rows and
 * totals of one state of an archive do not agree with coverage of another.
 *
 * The numbers of two parts of a stretch add up to that of the whole, and a row that is divided claims what it did before.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Checksum from "../sql/Checksum.ts"

/** These columns of `coverage` say what was read, and whether that is complete. */
export interface Claim {
  readonly query: number
  readonly from_ms: number
  readonly to_ms: number
  readonly read_at: number
  readonly last_read: number
  readonly state: string
  readonly vouched: number
}

/** A record is not believed to be earlier than this, Unix ms; earlier time has no totals of its own. */
export const FIRST = Date.UTC(2010)

const edge = ({ last_read, query, read_at, state, vouched }: Claim, time: number): number =>
  Checksum.of([query, state, read_at, last_read, vouched, time])

/** Finds the place of the first stretch that ends behind a time. */
const firstBehind = (stretches: ReadonlyArray<Coverage.Interval>, time: number): number => {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.to ?? time) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** Adds up the claims about each stretch; stretches are in order of time, without overlaps. */
export const sums = (
  stretches: ReadonlyArray<Coverage.Interval>,
  claims: ReadonlyArray<Claim>
): ReadonlyArray<number> => {
  const found = stretches.map(() => 0)
  for (const claim of claims) {
    const begin = Math.max(claim.from_ms, FIRST)
    for (let index = firstBehind(stretches, begin); index < stretches.length; index++) {
      const stretch = stretches[index]
      if (stretch === undefined || stretch.from >= claim.to_ms) break
      const [from, to] = [Math.max(stretch.from, begin), Math.min(stretch.to, claim.to_ms)]
      if (from < to) found[index] = (found[index] ?? 0) + edge(claim, to) - edge(claim, from)
    }
  }
  return found
}
