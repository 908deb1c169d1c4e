/** A deposit and a transfer that belong together by everything but their amounts, or by everything but the time. */
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import * as Words from "../Words.ts"

/** `because` says why they are seen as belonging together, as the end of the sentence. */
export const amount = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  residual: string,
  because: string
): Draft => {
  const [from, to] = [item(ledger.deposits.entries, deposit), item(ledger.transfers.entries, transfer)]
  const lagMs = Ledger.lag(ledger, deposit, transfer)
  return {
    code: "amount-mismatch",
    deposits: [deposit],
    transfers: [transfer],
    finality: "horizon",
    lagMs,
    residual,
    explanation: `Transfer ${to.id} of ${Words.money(to)} came ${Words.lag(lagMs)} deposit ${from.id} of ${
      Words.money(from)
    } and differs by ${residual}, more than the policy allows; ${because}.`
  }
}

export const time = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number,
  residual: string,
  because: string
): Draft => {
  const [from, to] = [item(ledger.deposits.entries, deposit), item(ledger.transfers.entries, transfer)]
  const lagMs = Ledger.lag(ledger, deposit, transfer)
  const { by, code } = Window.excess(ledger, deposit, transfer) ?? { by: 0, code: "late" }
  const delay = ledger.delay(deposit)
  const settled = delay === 0 ? "" : ` (it was first seen settled ${Words.duration(delay)} after its own time)`
  const where = `${code === "late" ? "after the window closed" : "before the window opened"}${settled}`
  return {
    code,
    deposits: [deposit],
    transfers: [transfer],
    finality: "horizon",
    lagMs,
    residual,
    explanation: `Transfer ${to.id} of ${Words.money(to)} came ${Words.lag(lagMs)} deposit ${from.id} of ${
      Words.money(from)
    }, ${Words.duration(by)} ${where}; ${because}.`
  }
}
