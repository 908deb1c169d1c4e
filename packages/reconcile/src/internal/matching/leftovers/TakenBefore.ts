/**
 * Entries whose late or early counterpart is in a pair that was stated before lateness was looked at: another account or the
 * wrong direction in the window goes before an equal one outside of it.
 */
import type * as Outcome from "../../../Outcome.ts"
import { item } from "../Column.ts"
import type * as Ledger from "../Ledger.ts"
import type { Run } from "../Run.ts"
import type { DraftOf } from "./Elsewhere.ts"
import * as NearInTime from "./NearInTime.ts"

/** The most that are named. */
const NAMED = 3

const codes: ReadonlySet<Outcome.Code | undefined> = new Set(["account-mismatch", "wrong-direction"])

/** The nearest of them for an entry that has no counterpart. */
export const make = (
  { ledger, ties }: Run,
  draftOf: DraftOf
): (own: Ledger.Side, index: number) => ReadonlyArray<Outcome.Candidate> => {
  const { deposits, transfers } = ledger
  const near = {
    deposit: NearInTime.make(
      ledger,
      deposits,
      "amountClass",
      (index) => transfers.eligible[index] === 1 && codes.has(draftOf("transfer", index)?.code),
      "horizon"
    ),
    transfer: NearInTime.make(
      ledger,
      transfers,
      "amountClass",
      (index) => deposits.eligible[index] === 1 && codes.has(draftOf("deposit", index)?.code),
      "horizon"
    )
  }
  return (own, index) => {
    const other = own.side === "deposit" ? transfers : deposits
    return near[own.side](index, NAMED).map((one) => {
      ties.across(...(own.side === "deposit" ? [index, one] as const : [one, index] as const))
      return {
        side: other.side,
        id: item(other.entries, one).id,
        reason: `equal and within the horizon, but part of another outcome (${draftOf(other.side, one)?.code})`
      }
    })
  }
}
