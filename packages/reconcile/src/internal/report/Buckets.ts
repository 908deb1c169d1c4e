/** Where in the control totals the entries of an outcome stand. */
import type * as Outcome from "../../Outcome.ts"

export type Bucket = "matched" | "open" | "pending" | "undetermined" | "setAside"

/** So many entries of one side of an outcome, as a part of the list: the first `from`, up to `to`. */
interface Share {
  readonly bucket: Bucket
  readonly from: number
  readonly to: number
}

/** Where the entries of an outcome stand, but for those that a pair settles or that moved nothing. */
export const buckets: Readonly<Record<Outcome.Kind, Bucket>> = {
  matched: "matched",
  discrepancy: "open",
  pending: "pending",
  undetermined: "undetermined",
  "set-aside": "setAside"
}

/** How many pairs of the outcome are facts although the outcome is none: those of a class of equal amounts. */
const matchedPairs = ({ code, matchedCount, outcome }: Outcome.Outcome): number =>
  outcome !== "matched" && matchedCount !== undefined && code !== "ambiguous" ? matchedCount : 0

/**
 * The entries of each side by bucket. The pairs of a class count as matched, whichever they are; since its amounts are
 * equal, it does not matter which entries are taken for them.
 */
export const sharesOf = (
  outcome: Outcome.Outcome
): { readonly deposits: ReadonlyArray<Share>; readonly transfers: ReadonlyArray<Share> } => {
  const pairs = matchedPairs(outcome)
  const split = (entries: Outcome.Outcome["deposits"]): ReadonlyArray<Share> => {
    // Failed attempts moved nothing: their sum is neither matched nor open.
    const failed = entries.length > 0 && entries.every(({ status }) => status === "failed")
    const rest = outcome.code === "failed-attempt" && failed ? "setAside" : buckets[outcome.outcome]
    return [
      { bucket: "matched" as const, from: 0, to: Math.min(pairs, entries.length) },
      { bucket: rest, from: Math.min(pairs, entries.length), to: entries.length }
    ].filter(({ from, to }) => from < to)
  }
  return { deposits: split(outcome.deposits), transfers: split(outcome.transfers) }
}

/** How many entries of the outcome are open in the sense of its kind: those that no pair settles. */
export const openEntries = (outcome: Outcome.Outcome): number => {
  const { deposits, transfers } = sharesOf(outcome)
  return [...deposits, ...transfers].reduce(
    (sum, { bucket, from, to }) => bucket === "matched" ? sum : sum + to - from,
    0
  )
}
