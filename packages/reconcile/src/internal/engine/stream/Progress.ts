/**
 * Decides which outcomes nothing that is still to come can change. Unlike with `final`, a gap holds nothing up, because a
 * stream does not go back to read it.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type { Decision } from "../Decision.ts"
import { at } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Kind from "../ledger/Kind.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"

/** Returns coverage that claims everything before the watermark was read. */
const passed = (watermark: number): ReadonlyArray<Coverage.Coverage> =>
  (["deposits", "transfers"] as const).map((operation) => ({
    operation,
    from: Number.MIN_SAFE_INTEGER,
    to: Math.min(watermark, Number.MAX_SAFE_INTEGER),
    readAt: 0,
    state: "complete"
  }))

/** Makes the test. No entry before `watermark` (Unix ms) is still to come. */
export const make = ({ bench }: Decision, watermark: number): (draft: Draft) => boolean => {
  const { finality: known, ledger } = bench
  const verdict = known.under(passed(watermark))
  const farthest = Policy.horizon(ledger.policy)

  return (draft) => {
    const { code, deposits, finality, transfers } = draft
    const isMatch = Kind.of(code) === "matched" && finality !== "horizon"
    // Beside a gap nothing is final, nor is anything that is compared with it, so the test looks farther then.
    const isFinal = known.isFinal(draft)
    const isDecided = (side: Entry.Side) => (index: number): boolean => {
      const { at: time, group } = ledger[`${side}s`]
      const reach = isFinal ? TimeIndex.reach(ledger, at(group, index)) : farthest
      return watermark > at(time, index) + reach &&
        (isMatch ? verdict.isAtRest(side, index) : verdict.isSettled(side, index))
    }
    return deposits.every(isDecided("deposit")) && transfers.every(isDecided("transfer"))
  }
}
