/** What a run says without its sentences: ids, codes, members, candidates, finality, sums and lags. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"

const coverage = ({ from, gap, operation, query, readAt, state, to }: Coverage.Coverage): unknown => [
  operation,
  query === undefined ? null : [query.fromAccount, query.toAccount, query.fromAccountType, query.toAccountType],
  from,
  to,
  readAt,
  state,
  gap?.code
]

/** One line of text. */
const ofOutcome = (outcome: Outcome.Outcome): string => {
  const { bad, candidates, code, decidedBy, deposits, final, id, lagMs, missing, residual, transfers } = outcome
  return JSON.stringify([
    id,
    outcome.outcome,
    code,
    final,
    deposits.map(({ id }) => id),
    transfers.map(({ id }) => id),
    lagMs,
    residual,
    decidedBy,
    outcome.pairs?.map(({ deposit, lagMs, transfer }) => [deposit, transfer, lagMs]),
    [outcome.matchedCount, outcome.openCount, outcome.openSum],
    candidates.map(({ id, side }) => [side, id]),
    missing === undefined ? null : coverage(missing),
    bad === undefined ? null : [bad.side, bad.source, bad.path]
  ])
}

/** One line of text. */
const ofSummary = (summary: Report.Summary): string => {
  const { accounts, addresses, ageing, asOf, clean, counts, lags, matchRate, range, totals, unread } = summary
  return JSON.stringify([
    range,
    clean,
    accounts,
    addresses,
    summary.coverage.map(coverage),
    unread.map(coverage),
    totals,
    matchRate,
    counts,
    lags,
    asOf,
    ageing
  ])
}

const text = (title: string, outcomes: ReadonlyArray<Outcome.Outcome>, summary: string): string =>
  [title, ...outcomes.map(ofOutcome), summary, ""].join("\n")

export const ofReport = ({ outcomes, ...summary }: Report.Report): string =>
  text("report", outcomes, ofSummary(summary))

/** The order in which outcomes come is no fact, as long as all of them come. */
export const ofEvents = (title: string, events: ReadonlyArray<Reconciliation.Event>): string => {
  const outcomes = events.flatMap((event) => (event._tag === "Outcome" ? [event.outcome] : []))
  const summaries = events.flatMap((event) => (event._tag === "Summary" ? [ofSummary(event.summary)] : []))
  return text(title, outcomes.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)), summaries.join("\n"))
}
