/** Codes that say what entries lack or came to instead: with one more counterpart something else would be said of them. */
import type * as Outcome from "../../../Outcome.ts"

/** Of which something is lacking. */
export const short: ReadonlySet<Outcome.Code> = new Set(["class-short", "duplicate-suspect", "split-incomplete"])

/** Told of because a better counterpart is lacking. */
export const instead: ReadonlySet<Outcome.Code> = new Set([
  "late",
  "early",
  "amount-mismatch",
  "account-mismatch",
  "asset-mismatch",
  "wrong-direction",
  "failed-attempt",
  "split-ambiguous"
])
