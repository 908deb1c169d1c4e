/**
 * Knows the earliest moment at which entries that are not matched can have a final outcome.
 *
 * No rule calls an entry without a match final before its horizon was read, nor a transfer to the master account before the time in
 * which it may be cancelled was. Something that comes until then may make it later, and never earlier without a match or a reversal.
 */
import type * as Entry from "../../../Entry.ts"
import { at } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as Window from "../ledger/Window.ts"
import type { Component, Verdict } from "./Component.ts"
import type { ReadScopes } from "./ReadScopes.ts"
import * as ReadWindows from "./ReadWindows.ts"
import * as Timeline from "./Timeline.ts"

/** What is known of the reading so far. */
interface Known {
  readonly read: ReadScopes
  readonly reading: ReadWindows.ReadWindows
  readonly component: Component
}

/** Returns a reading that knows also all that is still to come, and lacks what was left out. */
const waited = (read: ReadScopes): ReadScopes => {
  const judged = (judgement: Timeline.Judgement): Timeline.Judgement =>
    Timeline.isLeftOut(judgement) ? judgement : Timeline.complete
  return {
    deposits: Timeline.waited(read.deposits),
    transfersOf: (account, from, to) => judged(read.transfersOf(account, from, to)),
    everyone: (from, to) => judged(read.everyone(from, to)),
    against: (account, from, to) => judged(read.against(account, from, to)),
    backTo: (account, from, to) => judged(read.backTo(account, from, to)),
    around: (transfer, account) => Timeline.waited(read.around(transfer, account))
  }
}

/**
 * Whether time may make the outcome final: the source has to say nothing more of its entries, and no entry of another outcome may belong
 * to it.
 */
const isTimed = ({ code, finality, isContested }: Draft): boolean =>
  isContested !== true && (finality === "horizon" || code === "in-flight")

/** Makes the function that gives the moment of a draft. */
export const make = (
  ledger: Ledger,
  direction: Terms["direction"],
  { component, read, reading }: Known
): (draft: Draft) => number | undefined => {
  let known: Verdict | undefined
  /** Whether the entry would be settled if all that is to come had been read, and nothing came. */
  const isMatterOfTime = (side: Entry.Side, index: number): boolean => {
    known ??= component.under(ReadWindows.make(ledger, direction, waited(read)))
    return !component.isWaiting(side, index) && known.isSettled(side, index)
  }
  /** Returns the end of a time that has to be read. */
  const ifOpen = ({ state }: Timeline.Judgement, end: number): number =>
    state === "complete" ? Number.NEGATIVE_INFINITY : end
  const ofMember = (side: Entry.Side, index: number): number => {
    const { at: time, eligible, horizonOf } = ledger[`${side}s`]
    const horizon = ifOpen(reading[side](index, "late"), horizonOf(index)[1])
    return side === "deposit" || eligible[index] !== 1
      ? horizon
      : Math.max(horizon, ifOpen(reading.cancelling(index), at(time, index) + Window.reversal(ledger, index)))
  }
  /** An entry alone has to have no twin, however far it looks for a counterpart. */
  const ofTwins = (side: Entry.Side, index: number): number => {
    const { at: time, twinsWithin } = ledger[`${side}s`]
    return ifOpen(reading.twins(side, index), at(time, index) + twinsWithin(index))
  }
  return (draft) => {
    if (!isTimed(draft)) return undefined
    const { deposits, transfers } = draft
    let last = Number.NEGATIVE_INFINITY
    const isAlone = deposits.length + transfers.length === 1
    for (const [side, indices] of [["deposit", deposits], ["transfer", transfers]] as const) {
      for (const index of indices) {
        last = Math.max(last, ofMember(side, index), isAlone ? ofTwins(side, index) : Number.NEGATIVE_INFINITY)
      }
    }
    if (!Number.isFinite(last)) return undefined
    const isTime = deposits.every((index) => isMatterOfTime("deposit", index)) &&
      transfers.every((index) => isMatterOfTime("transfer", index))
    // Both ends of a window belong to it, and a reading has everything before its end.
    return isTime ? last + 1 : undefined
  }
}
