/** The table `run_outcomes` says which outcomes a run came to; their number and checksums are totals of the run. */
import * as Checksum from "../sql/Checksum.ts"

/** A row of `run_outcomes`, without the run. */
export interface RunOutcome {
  readonly id: string
  readonly digest: string
  readonly at: number
}

/** How many they are, and the sum of their checksums, 32 bits of it: the same in any order. */
export interface Totals {
  readonly outcomes: number
  readonly checksums: number
}

export const NONE: Totals = { outcomes: 0, checksums: 0 }

export const add = (totals: Totals, seen: Iterable<RunOutcome>): Totals => {
  let { checksums, outcomes } = totals
  for (const { at, digest, id } of seen) {
    outcomes++
    checksums = (checksums + Checksum.of([id, digest, at])) >>> 0
  }
  return { outcomes, checksums }
}

export const plus = (left: Totals, right: Totals): Totals => ({
  outcomes: left.outcomes + right.outcomes,
  checksums: (left.checksums + right.checksums) >>> 0
})

export const areEqual = (left: Totals, right: Totals): boolean =>
  left.outcomes === right.outcomes && left.checksums === right.checksums
