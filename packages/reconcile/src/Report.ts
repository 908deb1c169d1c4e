/**
 * The report: the findings of a run, with all that is needed to judge them.
 *
 * Every number in it can be recomputed from the outcomes. Amounts are exact decimal text, times Unix ms.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Buckets from "./internal/report/Buckets.ts"
import * as Collector from "./internal/report/Collector.ts"
import * as Form from "./internal/report/Form.ts"
import * as Scope from "./internal/report/Scope.ts"
import * as Statistics from "./internal/report/Statistics.ts"
import * as Totals from "./internal/report/Totals.ts"
import * as Unread from "./internal/report/Unread.ts"
import type * as Outcome from "./Outcome.ts"

/** The control totals of one asset. */
export const Total = Totals.Total
export type Total = Totals.Total

/** The number of outcomes of one code, and of their entries. */
export const Count = Statistics.Count
export type Count = Statistics.Count

/** The number of discrepancies of one age, and of their entries. */
export const Age = Statistics.Age
export type Age = Statistics.Age

/** An outcome as reports write it; in memory it is the outcome itself. */
export const ReportOutcome = Form.ReportOutcome

/** Returns an outcome of the engine as reports write it, ready for `JSON.stringify`. */
export const written = Form.written

/** A report. */
export const Report = Form.Report
export type Report = Form.Report

/** The report without its outcomes: a stream of outcomes ends with it. */
export const Summary = Form.Summary
export type Summary = Form.Summary

interface Options extends Collector.About, Collector.Read {
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
}

/** Makes the report of a run. */
export const make = (options: Options): Report => {
  const { outcomes } = options
  const all = Collector.make(options)
  for (const outcome of outcomes) all.add(outcome)
  return { ...all.summary(options), outcomes }
}

/** The line of the control totals in which entries count. */
export type Bucket = Buckets.Bucket

/**
 * The line in which the entries of a kind of outcome count. Entries that a pair settles count as matched, and entries that
 * moved nothing as set aside, whatever the kind.
 */
export const buckets = Buckets.buckets

/**
 * The lines in which the entries of an outcome count, side by side: each share is a part of the list of entries. The pairs
 * of a class count as matched, whichever they are, because its amounts are equal.
 */
export const sharesOf = Buckets.sharesOf

/**
 * Says in sentences what `missing` and `forced` can mean in a report of this policy, these accounts and this coverage, and
 * from when its lags count.
 */
export const meaning = Scope.meaning

/** Returns the operations of which no part of the range is proven complete: then the run has not done its work. */
export const operationsUnread = (
  { coverage, range }: Pick<Report, "coverage" | "range">
): ReadonlyArray<Coverage.Coverage["operation"]> => Unread.operationsUnread(coverage, range ?? undefined)
