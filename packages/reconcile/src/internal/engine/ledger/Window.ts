/** The window of a deposit: the times at which its transfer is expected. */
import * as Ledger from "./Ledger.ts"

/** Whether a lag lies outside the window of the deposit, and by how much. */
export const excess = (
  ledger: Ledger.Ledger,
  deposit: number,
  transfer: number
): { readonly code: "late" | "early"; readonly by: number } | undefined => {
  const lag = Ledger.lag(ledger, deposit, transfer)
  const { after, before } = ledger.rule(deposit).window
  if (lag > after) return { code: "late", by: lag - after }
  return lag < -before ? { code: "early", by: -before - lag } : undefined
}
