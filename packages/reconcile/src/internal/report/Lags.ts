/** Collects the lags of matched pairs: exact percentiles of any number of lags, in bounded memory. */
import * as Schema from "effect/Schema"
import * as Outcome from "../../Outcome.ts"
import { item } from "../engine/ledger/Column.ts"
import * as InRange from "../InRange.ts"
import type { Additive } from "./Additive.ts"

/** Percentiles of the lag, the time from a deposit to its transfer, in ms. Each value is one that occurred (nearest rank). */
export class Lags extends Schema.Opaque<Lags>()(
  Schema.Struct({
    count: Schema.Int,
    min: Schema.Int,
    p50: Schema.Int,
    p90: Schema.Int,
    p99: Schema.Int,
    max: Schema.Int
  }).annotate({ identifier: "Lags" })
) {}

/** Every lag that occurs, the least first, and how often it does: two columns of one length. */
export const Counted = Schema.Struct({
  /** ms. */
  lags: Schema.Array(Schema.Int),
  counts: Schema.Array(Schema.Int)
})
type Counted = typeof Counted.Type

/** The number of milliseconds that are counted in one array. */
const PAGE = 256

/**
 * Counts the lags of outcomes of the range by millisecond. Any number of lags takes no more room than there are milliseconds in the
 * window.
 */
export const collector = (range: InRange.Range): Additive<Counted> => {
  const isOfRange = InRange.isOfRange(range)
  const pages = new Map<number, Uint32Array>()
  const add = (lag: number, times: number): void => {
    const page = Math.floor(lag / PAGE)
    const counts = pages.get(page) ?? new Uint32Array(PAGE)
    pages.set(page, counts)
    const place = lag - page * PAGE
    counts[place] = (counts[place] ?? 0) + times
  }
  return {
    add: (outcome) => {
      if (!isOfRange(outcome)) return
      for (const lag of Outcome.statedLags(outcome)) add(lag, 1)
    },
    merge: ({ counts, lags }) => lags.forEach((lag, index) => add(lag, item(counts, index))),
    sums: () => {
      const sums = { lags: new Array<number>(), counts: new Array<number>() }
      for (const [page, counts] of Array.from(pages).toSorted(([a], [b]) => a - b)) {
        counts.forEach((times, place) => {
          if (times === 0) return
          sums.lags.push(page * PAGE + place)
          sums.counts.push(times)
        })
      }
      return sums
    }
  }
}

/** Returns the percentiles of lags. Null where there is none. */
export const percentiles = ({ counts, lags }: Counted): Lags | null => {
  const count = counts.reduce((sum, times) => sum + times, 0)
  if (count === 0) return null
  const ranks = [0, 0.5, 0.9, 0.99, 1].map((share) => Math.max(Math.ceil(share * count), 1))
  const found: Array<number> = []
  let seen = 0
  lags.forEach((lag, index) => {
    seen += item(counts, index)
    while (found.length < ranks.length && seen >= item(ranks, found.length)) found.push(lag)
  })
  const [min = 0, p50 = 0, p90 = 0, p99 = 0, max = 0] = found
  return { count, min, p50, p90, p99, max }
}
