/** Judges pairs of a deposit that settled long after its own time and a transfer that came then. */
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"

/**
 * Whether the transfer came in the window of the deposit, if the window is counted from some time between when the deposit was
 * last seen unsettled and when it was first seen settled.
 */
export const isInWindow = (ledger: Ledger.Ledger, deposit: number, transfer: number): boolean => {
  const { after, before } = ledger.rule(deposit).window
  const delay = ledger.delay(deposit)
  const lag = Ledger.lag(ledger, deposit, transfer)
  return delay > 0 && lag >= ledger.unsettled(deposit) - before && lag <= delay + after
}

/** Makes the draft of the pair. Its lag counts from when the deposit was first seen settled. */
export const pair = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  code: "exact" | "reference"
): Draft => ({
  code,
  deposits: [deposit],
  transfers: [transfer],
  finality: "horizon",
  lagMs: Ledger.lag(ledger, deposit, transfer),
  residual: "0",
  decidedBy: code === "exact" ? "forced" : "reference",
  because: {
    code: code === "exact" ? "equal-alone" : "same-reference",
    delayMs: ledger.delay(deposit),
    unsettledMs: ledger.unsettled(deposit)
  }
})
