/** Counts lags in bins. The bounds of the policy's window are borders of bins. */
import * as Outcome from "@tallystick/reconcile/Outcome"

/** Lags from `from` to `to`, both included, ms. */
export interface Bin {
  readonly from: number
  readonly to: number
  /** Whether the bin lies inside the general window of the policy, which holds for assets without a window of their own. */
  readonly inside: boolean
  /** Pairs that are stated as facts. */
  readonly matched: number
  /** Pairs that an outcome names without a match: late, early, differing. */
  readonly open: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const steps = [
  0,
  ...[1, 5, 15, 30].map((step) => step * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30, 45].map((step) => step * MINUTE),
  ...[1, 2, 3, 6, 12].map((step) => step * HOUR),
  ...[1, 2, 3, 7, 14, 30, 90, 365].map((step) => step * DAY)
]

/** Returns the last millisecond of every bin. A round lag belongs to the bin that is nearer to zero. */
const ends = (window: { readonly before: number; readonly after: number }): ReadonlyArray<number> => {
  const round = [...steps.filter((step) => step > 0), ...steps.map((step) => -step - 1)]
  return Array.from(new Set([...round, -window.before - 1, window.after])).toSorted((a, b) => a - b)
}

/** Lists the lags of pairs that are named without a match. */
const open = ({ lagMs, outcome, pairs }: Outcome.Outcome): ReadonlyArray<number> =>
  outcome !== "discrepancy" ? [] : lagMs !== null ? [lagMs] : (pairs ?? []).map((pair) => pair.lagMs)

/**
 * Returns the bins from the first that the window or a pair needs to the last. Without pairs there are none. `outcomes` are those
 * that belong to the range.
 */
export const make = (
  outcomes: ReadonlyArray<Outcome.Outcome>,
  window: { readonly before: number; readonly after: number }
): ReadonlyArray<Bin> => {
  const lags = { matched: outcomes.flatMap(Outcome.statedLags), open: outcomes.flatMap(open) }
  const all = [...lags.matched, ...lags.open]
  if (all.length === 0) return []
  const [least, most] = all.reduce(
    ([low, high], lag) => [Math.min(low, lag), Math.max(high, lag)],
    [-window.before, window.after]
  )
  const inner = ends(window).filter((end) => end >= least && end < most)
  const last = [...inner, most]
  const first = [least, ...inner.map((end) => end + 1)]
  const bins = last.map((to, index) => ({
    from: first[index] ?? least,
    to,
    inside: (first[index] ?? least) >= -window.before && to <= window.after,
    matched: 0,
    open: 0
  }))
  const count = (kind: "matched" | "open") => {
    for (const lag of lags[kind]) {
      const bin = bins.find(({ to }) => lag <= to)
      if (bin !== undefined) bin[kind]++
    }
  }
  count("matched")
  count("open")
  return bins
}
