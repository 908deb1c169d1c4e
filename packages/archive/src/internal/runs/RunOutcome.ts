/** The table `run_outcomes` says which outcomes a run came to; their number and checksums are totals of the run. */
import * as Checksum from "../sql/Checksum.ts"

/** This is a row of `run_outcomes`, without the run. */
export interface RunOutcome {
  readonly id: string
  readonly digest: string
  readonly at: number
}

/** The totals say how many outcomes there are, and what 32 bits of their checksums add up to: that is the same in any order. */
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
