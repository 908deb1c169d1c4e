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

/** How far from an entry those may lie that it is alike with or compared with, in ms. */
export const reach = ({ run: { ledger } }: Decision, side: Entry.Side, index: number): number => {
  const { after, before } = ledger.widest(at(ledger[`${side}s`].group, index))
  return Math.max(Math.abs(before), Math.abs(after))
}

/** The farthest that any entry of a policy looks, in ms. */
export const widest = ({ run: { ledger: { policy } } }: Decision): number =>
  Math.max(
    ...[policy, ...policy.per].map(({ late, window }) =>
      Math.max(Math.abs(window.before), Math.abs(window.after)) + late
    )
  )

export const make = (decision: Decision, watermarks: Watermarks): (draft: Draft) => boolean => {
  const { readAs, run: { closure, ledger } } = decision
  const reading = readAs(passed(watermarks))
  const verdict = closure.under(reading)
  const behind = Math.min(watermarks.deposit, watermarks.transfer)

  const isPast = (side: Entry.Side, index: number): boolean =>
    behind > at(ledger[`${side}s`].at, index) + reach(decision, side, index)
  return ({ code, deposits, finality, transfers }) => {
    const isMatch = Finish.kindOf(code) === "matched" && finality !== "horizon"
    const isDecided = (side: Entry.Side) => (index: number): boolean =>
      isPast(side, index) && (isMatch ? verdict.isAtRest(side, index) : verdict.isSettled(side, index))
    return deposits.every(isDecided("deposit")) && transfers.every(isDecided("transfer"))
  }
}
