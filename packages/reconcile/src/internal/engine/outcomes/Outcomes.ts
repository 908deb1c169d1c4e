/** Turns drafts into outcomes: it puts entries in place of positions, and says whether reading more can still change them. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import * as Explanation from "../../../Explanation.ts"
import * as Outcome from "../../../Outcome.ts"
import type * as Because from "../../explain/Because.ts"
import type { Unexplained } from "../../explain/Unexplained.ts"
import * as InRange from "../../InRange.ts"
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Kind from "../ledger/Kind.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"
import * as OutcomeId from "./OutcomeId.ts"
import * as Unusable from "./Unusable.ts"

const idOf = (
  code: Outcome.Code,
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>,
  rest: ReadonlyArray<string> = []
): string =>
  OutcomeId.make([code, ...deposits.map(({ id }) => `d${id}`), ...transfers.map(({ id }) => `t${id}`), ...rest])

/** Makes the outcome of a draft beside the records that could not be used. */
export const finish = (bench: Workbench, draft: Draft, unusable: Unusable.Unusable): Outcome.Outcome =>
  Explanation.explain(Unusable.beside(unusable, told(bench, draft)))

/** Whether somebody waits to hear that the outcome is final. */
const isBreak = (kind: Outcome.Kind): boolean => kind === "discrepancy" || kind === "pending"

/** Returns the outcome of a draft, without its words. */
const told = (bench: Workbench, draft: Draft): Unexplained => {
  const { ledger } = bench
  const {
    candidates = [],
    deposits: lefts,
    finality: _,
    isContested: __,
    lagMs = null,
    pairs,
    residual = null,
    transfers: rights,
    ...rest
  } = draft
  const deposits = lefts.map((deposit) => item(ledger.deposits.entries, deposit))
  const transfers = rights.map((transfer) => item(ledger.transfers.entries, transfer))
  const outcome = Kind.of(draft.code)
  const final = bench.finality.isFinal(draft)
  const finalFrom = final || !isBreak(outcome) ? undefined : bench.finality.finalFrom(draft)
  return {
    id: idOf(draft.code, deposits, transfers),
    outcome,
    final,
    ...(finalFrom === undefined ? {} : { finalFrom }),
    lagMs,
    residual,
    ...rest,
    ...(pairs === undefined ? {} : {
      pairs: pairs.map(([deposit, transfer]) => ({
        deposit: item(ledger.deposits.entries, deposit).id,
        transfer: item(ledger.transfers.entries, transfer).id,
        lagMs: Ledger.lag(ledger, deposit, transfer)
      }))
    }),
    deposits,
    transfers,
    candidates
  }
}

/** Makes the outcome of a pair that can be compared with no other entry. */
export const lone = (
  { code, deposit, final, transfer }: {
    readonly deposit: Entry.Entry
    readonly transfer: Entry.Entry
    readonly code: "exact" | "reference"
    readonly final: boolean
  }
): Outcome.Outcome =>
  Explanation.explain({
    id: idOf(code, [deposit], [transfer]),
    outcome: "matched",
    code,
    final,
    lagMs: transfer.at - deposit.at,
    residual: "0",
    decidedBy: code === "exact" ? "forced" : "reference",
    because: { code: code === "exact" ? "in-every-equal-pairing" : "same-reference" },
    deposits: [deposit],
    transfers: [transfer],
    candidates: []
  })

/** Makes an outcome of entries that never reached the ledger. */
export const aside = (
  code: Outcome.Code,
  because: Because.Because,
  { bad, deposits = [], ordinal = 0, transfers = [] }: {
    readonly bad?: BadRecord.BadRecord
    readonly deposits?: ReadonlyArray<Entry.Entry>
    readonly transfers?: ReadonlyArray<Entry.Entry>
    /** The number of the record among bad records that are alike in everything. */
    readonly ordinal?: number
  }
): Outcome.Outcome =>
  Explanation.explain({
    id: idOf(
      code,
      deposits,
      transfers,
      bad === undefined ? [] : [bad.side, bad.source, bad.path, bad.reason, bad.raw, String(ordinal)]
    ),
    outcome: Kind.of(code),
    code,
    final: true,
    deposits,
    transfers,
    lagMs: null,
    residual: null,
    because,
    candidates: [],
    ...(bad === undefined ? {} : { bad })
  })

/**
 * Whether the outcome of a draft is reported. This is asked before the outcome is made, because most outcomes around a short
 * range are not reported.
 */
export const isDrafted = ({ ledger }: Workbench, range: Coverage.Interval | undefined) => {
  const isInside = InRange.isInRange(range)
  return ({ deposits, transfers }: Draft): boolean =>
    deposits.some((index) => isInside(item(ledger.deposits.entries, index))) ||
    transfers.some((index) => isInside(item(ledger.transfers.entries, index)))
}

/** Whether an outcome is reported: one of its entries lies in the range, or it has no entries, as with a bad record. */
export const isReported = (range: Coverage.Interval | undefined) => {
  const isInside = InRange.isInRange(range)
  return ({ deposits, transfers }: Outcome.Outcome): boolean =>
    deposits.length + transfers.length === 0 || deposits.some(isInside) || transfers.some(isInside)
}

/** Orders outcomes by earliest time, then by id. Those without a time come last. */
export const inOrder = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Outcome.Outcome> => {
  const keyed = outcomes.map((outcome) => ({ outcome, time: Outcome.earliest(outcome) }))
  const sorted = keyed.toSorted((a, b) =>
    a.time === b.time ? (a.outcome.id < b.outcome.id ? -1 : a.outcome.id > b.outcome.id ? 1 : 0) : a.time - b.time
  )
  return sorted.map(({ outcome }) => outcome)
}
