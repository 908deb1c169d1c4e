/**
 * Makes drafts of a deposit and a transfer that belong together in everything but their amounts, or in everything but the
 * time.
 */
import type * as Because from "../../explain/Because.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"

/** Makes the draft of an amount mismatch. `because` says why the two are seen as belonging together. */
export const amount = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  residual: string,
  because: Because.Because
): Draft => ({
  code: "amount-mismatch",
  deposits: [deposit],
  transfers: [transfer],
  finality: "horizon",
  lagMs: Ledger.lag(ledger, deposit, transfer),
  residual,
  because
})

/** Makes the draft of a pair that is late or early. `because` says why the two are seen as belonging together. */
export const time = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  residual: string,
  because: Extract<Because.Because, { code: "same-reference" | "equal-alone" }>
): Draft => {
  const { by, code } = Window.excess(ledger, deposit, transfer) ?? { by: 0, code: "late" }
  const delayMs = ledger.delay(deposit)
  return {
    code,
    deposits: [deposit],
    transfers: [transfer],
    finality: "horizon",
    lagMs: Ledger.lag(ledger, deposit, transfer),
    residual,
    because: { ...because, excessMs: by, ...(delayMs === 0 ? {} : { delayMs }) }
  }
}
