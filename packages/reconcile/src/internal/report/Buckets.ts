/** Sorts the entries of an outcome into the lines of the control totals. */
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"

export type Bucket = "matched" | "open" | "pending" | "undetermined" | "setAside"

/** A part of the entries of one side of an outcome: those at the positions from `from` up to `to`. */
export interface Share {
  readonly bucket: Bucket
  readonly from: number
  readonly to: number
}

/** The line of an outcome's entries, except for those that a pair settles or that moved nothing. */
export const buckets: Readonly<Record<Outcome.Kind, Bucket>> = {
  matched: "matched",
  discrepancy: "open",
  pending: "pending",
  undetermined: "undetermined",
  "set-aside": "setAside"
}

/** Returns the line of an outcome's entries: what a person accepted is set aside, whatever its kind. */
export const bucketOf = ({ accepted, outcome }: Outcome.Outcome): Bucket =>
  accepted === undefined ? buckets[outcome] : "setAside"

/** Returns the number of pairs that are facts although the outcome is no match: the pairs of a class of equal amounts. */
const matchedPairs = ({ code, matchedCount, outcome }: Outcome.Outcome): number =>
  outcome !== "matched" && matchedCount !== undefined && code !== "ambiguous" ? matchedCount : 0

/**
 * Sorts the entries of each side into buckets. The pairs of a class count as matched, whichever they are; its amounts are
 * equal, so it does not matter which entries stand for them.
 */
export const sharesOf = (
  outcome: Outcome.Outcome
): { readonly deposits: ReadonlyArray<Share>; readonly transfers: ReadonlyArray<Share> } => {
  const pairs = matchedPairs(outcome)
  const split = (entries: Outcome.Outcome["deposits"]): ReadonlyArray<Share> => {
    // Failed attempts moved nothing: their sum is neither matched nor open.
    const failed = entries.length > 0 && entries.every(({ status }) => status === "failed")
    const rest = outcome.code === "failed-attempt" && failed ? "setAside" : bucketOf(outcome)
    return [
      { bucket: "matched" as const, from: 0, to: Math.min(pairs, entries.length) },
      { bucket: rest, from: Math.min(pairs, entries.length), to: entries.length }
    ].filter(({ from, to }) => from < to)
  }
  return { deposits: split(outcome.deposits), transfers: split(outcome.transfers) }
}

/** Returns the entries that no pair settles. */
export const openEntries = (outcome: Outcome.Outcome): ReadonlyArray<Entry.Entry> => {
  const shares = sharesOf(outcome)
  return (["deposits", "transfers"] as const).flatMap((side) =>
    shares[side].filter(({ bucket }) => bucket !== "matched").flatMap(({ from, to }) => outcome[side].slice(from, to))
  )
}
