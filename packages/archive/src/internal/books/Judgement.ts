/** A run judges each entry of its range: what became of it is its state in the books. */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import type { BookState } from "../../BookState.ts"

/** Its code stands for an entry that the archive does not tell any more, so that no outcome has it. */
export const GONE = "gone"

export interface Judgement extends Pick<Entry.Entry, "account" | "amount" | "asset" | "at" | "id"> {
  readonly side: Entry.Side
  readonly state: BookState
  readonly code: Outcome.Code | typeof GONE
  /** The id of its outcome; empty where there is none. */
  readonly outcome: string
}

/** Tells whether two amounts are the same number: `9` and `9.000` are. Text that is no amount, in a table that was altered, is itself alone. */
export const isSameAmount = (a: Pick<Judgement, "amount">, b: Pick<Judgement, "amount">): boolean =>
  a.amount === b.amount ||
  (Amount.isAmount(a.amount) && Amount.isAmount(b.amount) && Amount.canonical(a.amount) === Amount.canonical(b.amount))

const states: Readonly<Record<Report.Bucket, BookState>> = {
  matched: "matched",
  open: "open",
  pending: "pending",
  undetermined: "undetermined",
  setAside: "out"
}

/** A pair that nothing can change any more, and that leaves nothing over, is a matter of time alone: nobody has to care for it. */
const isTimingException = ({ code, final, residual }: Outcome.Outcome): boolean =>
  final && (code === "reversed" ||
    ((code === "late" || code === "early") && residual !== null && Amount.isZero(residual)))

const stateOf = (outcome: Outcome.Outcome, bucket: Report.Bucket): BookState => {
  if (outcome.code === "linked" || (outcome.accepted !== undefined && bucket === "setAside")) return "decided"
  return isTimingException(outcome) ? "matched" : states[bucket]
}

/**
 * Judges every entry of an outcome. Of a class of equal amounts as many entries are matched as pairs can be made, whichever they
 * are: here as in the report's totals the first ones stand for them.
 */
export const of = (outcome: Outcome.Outcome): ReadonlyArray<Judgement> => {
  const shares = Report.sharesOf(outcome)
  const judged = (side: Entry.Side, entries: ReadonlyArray<Entry.Entry>, parts: typeof shares.deposits) =>
    parts.flatMap(({ bucket, from, to }) => {
      const state = stateOf(outcome, bucket)
      const told = { side, state, code: outcome.code, outcome: outcome.id }
      return entries.slice(from, to).map(({ account, amount, asset, at, id }): Judgement =>
        Object.assign({}, told, { id, asset, amount, at }, account === undefined ? undefined : { account })
      )
    })
  return [
    ...judged("deposit", outcome.deposits, shares.deposits),
    ...judged("transfer", outcome.transfers, shares.transfers)
  ]
}

/** An entry is judged by the runs over the time in which it lies, and stands in outcomes of other days besides. */
export const isOf = (range: Coverage.Interval | null) => ({ at }: Pick<Judgement, "at">): boolean =>
  range === null || (at >= range.from && at < range.to)

/**
 * Tells whether a run judges all entries of an outcome that has one in its range. Of a class that does not come out even nobody knows
 * which entry waits: the one that stands for it may lie on another day, and no day alone would show it.
 */
export const isWhole = ({ code, matchedCount, outcome }: Outcome.Outcome): boolean =>
  outcome !== "matched" && code !== "ambiguous" && matchedCount !== undefined
