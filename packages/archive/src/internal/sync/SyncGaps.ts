/**
 * The gaps of a round are kept together, in few transactions: a service that answers nothing leaves one in each of thousands of
 * lists. A gap that was not kept claims nothing, so that a round may be killed before.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import type * as Archive from "../../Archive.ts"
import type { IntervalError } from "../../ArchiveError.ts"

export interface SyncGaps {
  /** Takes a slice that is nothing but a gap. */
  readonly add: (slice: Slice.Slice<unknown>) => Effect.Effect<void, IntervalError>
  /** Keeps what was taken. */
  readonly flush: Effect.Effect<void, IntervalError>
}

/** One transaction keeps about so many. */
const TOGETHER = 1000

/** Tells whether nothing was read of a slice. */
export const isGap = ({ bad, coverage, records }: Slice.Slice<unknown>): boolean =>
  records.length === 0 && bad.length === 0 && coverage.length > 0 &&
  coverage.every(({ state }) => state === "incomplete")

export const make = ({ deposits, transfers }: Archive.Service): SyncGaps => {
  let waiting: Array<Coverage.Coverage> = []
  const flush = Effect.suspend(() => {
    const gaps = waiting
    waiting = []
    const [ofDeposits, ofTransfers] = [
      gaps.filter(({ operation }) => operation === "deposits"),
      gaps.filter(({ operation }) => operation === "transfers")
    ]
    return Effect.andThen(
      ofDeposits.length === 0 ? Effect.void : deposits.saveGaps(ofDeposits),
      ofTransfers.length === 0 ? Effect.void : transfers.saveGaps(ofTransfers)
    )
  })
  return {
    add: ({ coverage }) =>
      Effect.suspend(() => {
        waiting.push(...coverage)
        return waiting.length < TOGETHER ? Effect.void : flush
      }),
    flush
  }
}
