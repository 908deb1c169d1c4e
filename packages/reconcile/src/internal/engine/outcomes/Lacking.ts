/** Lists codes of outcomes that would be different if there were one more counterpart. */
import type * as Outcome from "../../../Outcome.ts"

/** Codes of outcomes in which a counterpart is lacking. */
export const short: ReadonlySet<Outcome.Code> = new Set(["class-short", "duplicate-suspect", "split-incomplete"])

/** Codes of outcomes that are stated only because a better counterpart is lacking. */
export const instead: ReadonlySet<Outcome.Code> = new Set([
  "late",
  "early",
  "amount-mismatch",
  "account-mismatch",
  "asset-mismatch",
  "wrong-direction",
  "failed-attempt",
  "split-ambiguous",
  "vanished",
  "status-regressed"
])
