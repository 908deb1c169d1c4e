/** Judges pairs of a deposit that settled long after its own time and a transfer that came then. */
import type * as Because from "../../explain/Because.ts"
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

/** Makes the draft of the pair. Its lag counts from when the deposit was first seen settled. `because` says why the two belong together. */
export const pair = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  because: Extract<Because.Because, { code: "same-reference" | "equal-alone" }>
): Draft => ({
  code: because.code === "equal-alone" ? "exact" : "reference",
  deposits: [deposit],
  transfers: [transfer],
  finality: "horizon",
  lagMs: Ledger.lag(ledger, deposit, transfer),
  residual: "0",
  decidedBy: because.code === "equal-alone" ? "forced" : "reference",
  because: {
    ...because,
    delayMs: ledger.delay(deposit),
    unsettledMs: ledger.unsettled(deposit)
  }
})
