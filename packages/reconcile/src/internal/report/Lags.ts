/** Collects the lags of matched pairs: exact percentiles of any number of lags, in bounded memory. */
import * as Schema from "effect/Schema"
import * as Outcome from "../../Outcome.ts"

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

export interface Collector {
  readonly add: (outcome: Outcome.Outcome) => void
  /** Null when no pair is stated. */
  readonly lags: () => Lags | null
}

/** The number of milliseconds that are counted in one array. */
const PAGE = 256

/** Counts lags by millisecond. Any number of lags takes no more room than there are milliseconds in the window. */
export const collector = (): Collector => {
  const pages = new Map<number, Uint32Array>()
  let count = 0
  const add = (lag: number): void => {
    const page = Math.floor(lag / PAGE)
    const counts = pages.get(page) ?? new Uint32Array(PAGE)
    pages.set(page, counts)
    const place = lag - page * PAGE
    counts[place] = (counts[place] ?? 0) + 1
    count++
  }
  return {
    add: (outcome) => {
      for (const lag of Outcome.statedLags(outcome)) add(lag)
    },
    lags: () => {
      if (count === 0) return null
      const ranks = [0, 0.5, 0.9, 0.99, 1].map((share) => Math.max(Math.ceil(share * count), 1))
      const found: Array<number> = []
      let seen = 0
      for (const [page, counts] of Array.from(pages).toSorted(([a], [b]) => a - b)) {
        for (let place = 0; place < PAGE; place++) {
          seen += counts[place] ?? 0
          while (found.length < ranks.length && seen >= (ranks[found.length] ?? 0)) found.push(page * PAGE + place)
        }
      }
      const [min = 0, p50 = 0, p90 = 0, p99 = 0, max = 0] = found
      return { count, min, p50, p90, p99, max }
    }
  }
}
