/**
 * Which outcomes nothing that is still to come can change. Unlike `final`, a gap does not hold anything up: what was passed
 * over in a stream is not read later.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../Entry.ts"
import { at } from "./Column.ts"
import type { Decision } from "./Decision.ts"
import type { Draft } from "./Drafts.ts"
import * as Finish from "./Finish.ts"
import * as Nearness from "./Nearness.ts"

/** Per side, Unix ms: everything before it has come. */
export type Watermarks = Readonly<Record<Entry.Side, number>>

const passed = (watermarks: Watermarks): ReadonlyArray<Coverage.Coverage> =>
  (["deposit", "transfer"] as const).map((side) => ({
    operation: `${side}s` as const,
    from: Number.MIN_SAFE_INTEGER,
    to: Math.min(watermarks[side], Number.MAX_SAFE_INTEGER),
    readAt: 0,
    state: "complete"
  }))

/** The farthest that any entry of a policy looks, in ms. */
export const widest = ({ run: { ledger: { policy } } }: Decision): number =>
  Math.max(
    ...[policy, ...policy.per].map(({ late, window }) =>
      Math.max(Math.abs(window.before), Math.abs(window.after)) + late
    )
  )

export const make = (decision: Decision, watermarks: Watermarks): (draft: Draft) => boolean => {
  const { readAs, run } = decision
  const { closure, ledger } = run
  const reading = readAs(passed(watermarks))
  const verdict = closure.under(reading)
  const behind = Math.min(watermarks.deposit, watermarks.transfer)
  const farthest = widest(decision)

  return (draft) => {
    const { code, deposits, finality, transfers } = draft
    const isMatch = Finish.kindOf(code) === "matched" && finality !== "horizon"
    // Beside a gap nothing is final, nor what is compared with it: that has to be seen first.
    const isFinal = Finish.isFinal(run, draft)
    const isDecided = (side: Entry.Side) => (index: number): boolean => {
      const { at: time, group } = ledger[`${side}s`]
      const reach = isFinal ? Nearness.reach(ledger, at(group, index)) : farthest
      return behind > at(time, index) + reach &&
        (isMatch ? verdict.isAtRest(side, index) : verdict.isSettled(side, index))
    }
    return deposits.every(isDecided("deposit")) && transfers.every(isDecided("transfer"))
  }
}
