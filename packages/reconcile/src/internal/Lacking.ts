/**
 * Says of every break which counterpart is lacking. What may be that counterpart keeps the outcome from being final: a record
 * that could not be used, or one that the source contradicts.
 */
import type * as Outcome from "../Outcome.ts"

/**
 * - `transfer`, `deposit`: the entry has no counterpart at all.
 * - `another`: some of the entries have a counterpart, others do not.
 * - `better`: the outcome is stated only because no better counterpart was found.
 * - `none`: the outcome would be the same beside one more counterpart.
 */
type Lack = "transfer" | "deposit" | "another" | "better" | "none"

const lacks: Readonly<Record<typeof Outcome.codes.discrepancy[number], Lack>> = {
  "missing-transfer": "transfer",
  "missing-deposit": "deposit",
  "amount-mismatch": "better",
  late: "better",
  early: "better",
  "class-short": "another",
  ambiguous: "none",
  "split-incomplete": "another",
  "split-ambiguous": "better",
  "search-exhausted": "none",
  "failed-attempt": "better",
  "wrong-direction": "better",
  "account-mismatch": "better",
  reversed: "none",
  "duplicate-suspect": "another",
  "source-conflict": "none",
  vanished: "better",
  "status-regressed": "better",
  "asset-mismatch": "better"
}

const ofAny: Readonly<Partial<Record<Outcome.Code, Lack>>> = lacks

export const of = (code: Outcome.Code): Lack => ofAny[code] ?? "none"

/** Whether the outcome says that an entry has no counterpart at all. */
export const isMissing = (code: Outcome.Code): boolean => of(code) === "transfer" || of(code) === "deposit"
