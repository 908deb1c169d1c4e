/** A deposit and a transfer that belong together by everything but their amounts, or by everything but the time. */
import type * as Because from "../../explain/Because.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"

/** `because` says why they are seen as belonging together. */
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

export const time = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  residual: string,
  because: "same-reference" | "equal-alone"
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
    because: { code: because, excessMs: by, ...(delayMs === 0 ? {} : { delayMs }) }
  }
}
