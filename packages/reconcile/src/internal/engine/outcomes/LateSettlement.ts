/** A deposit that settled long after its own time, and the transfer that came then. */
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Words from "../Words.ts"

/**
 * Whether the transfer came in the window of the deposit as it lies around some time between when that was last seen unsettled
 * and when it was first seen settled.
 */
export const isInWindow = (ledger: Ledger.Ledger, deposit: number, transfer: number): boolean => {
  const { after, before } = ledger.rule(deposit).window
  const delay = ledger.delay(deposit)
  const lag = Ledger.lag(ledger, deposit, transfer)
  return delay > 0 && lag >= ledger.unsettled(deposit) - before && lag <= delay + after
}

/** The pair, whose lag counts from when the deposit was first seen settled. `because` says why, as the end of the sentence. */
export const pair = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  code: "exact" | "reference",
  because: string
): Draft => {
  const [from, to] = [item(ledger.deposits.entries, deposit), item(ledger.transfers.entries, transfer)]
  const lagMs = Ledger.lag(ledger, deposit, transfer)
  const [delay, unsettled] = [ledger.delay(deposit), ledger.unsettled(deposit)]
  const since = lagMs < delay ? `last seen unsettled ${Words.duration(unsettled)} and ` : ""
  return {
    code,
    deposits: [deposit],
    transfers: [transfer],
    finality: "horizon",
    lagMs,
    residual: "0",
    decidedBy: code === "exact" ? "forced" : "reference",
    explanation: `Transfer ${to.id} of ${Words.money(to)} came ${Words.lag(lagMs)} deposit ${from.id} of ${
      Words.money(from)
    }, which was ${since}first seen settled ${Words.duration(delay)} after its own time: ${
      Words.lag(lagMs - delay)
    } that; ${because}.`
  }
}
