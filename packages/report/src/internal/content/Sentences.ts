/** Makes the sentences of outcomes anew for the reader of a report: its zone and its year are named once by the report. */
import * as Explanation from "@tallystick/reconcile/Explanation"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"

type Zone = DateTime.TimeZone | undefined

/** Returns the year of the report in its zone: that of its range, or without one of its newest record. */
const yearOf = ({ asOf, range }: Pick<Report.Summary, "asOf" | "range">, zone: Zone): number | undefined => {
  const at = range?.from ?? asOf
  if (at === null) return undefined
  const utc = DateTime.make(at)
  if (utc._tag === "None") return undefined
  return DateTime.toParts(zone === undefined ? utc.value : DateTime.setZone(utc.value, zone)).year
}

/** Returns how an outcome reads with these times. One whose facts are not known, or do not fit it, keeps the words that it has. */
const reader = (moments: Explanation.Moments) => (outcome: Outcome.Outcome): Outcome.Outcome => {
  const { because } = outcome
  const candidates = outcome.candidates.flatMap(({ because, id, side }) =>
    because === undefined ? [] : [{ side, id, because }]
  )
  if (because === undefined || candidates.length < outcome.candidates.length) return outcome
  return Result.getOrElse(
    Result.try(() => Explanation.explain({ ...outcome, because, candidates }, moments)),
    () => outcome
  )
}

/** Returns how moments are written beside the sentences of a report. */
export const momentsOf = (report: Pick<Report.Summary, "asOf" | "range">, zone: Zone): Explanation.Moments =>
  Explanation.moments({ zone, year: yearOf(report, zone) })

/** Returns how outcomes of a report read: times are of its zone, and have a year only where it is another than the report's. */
export const ofReport = (report: Pick<Report.Summary, "asOf" | "range">, zone: Zone) => reader(momentsOf(report, zone))

/** Returns the report with the sentences of everything that is no match. No format that uses this shows the sentence of a match. */
export const breaks = (report: Report.Report, zone: Zone): Report.Report => {
  const read = ofReport(report, zone)
  return {
    ...report,
    outcomes: report.outcomes.map((outcome) => (outcome.outcome === "matched" ? outcome : read(outcome)))
  }
}

/** Returns how outcomes read apart from their report: each date has its year and its offset from UTC. */
export const alone = (zone: Zone): ReturnType<typeof reader> =>
  zone === undefined ? (outcome) => outcome : reader(Explanation.moments({ zone }))
