/**
 * Writes outcomes as lines of JSON, each as soon as it is decided. The last line is `{"summary": …}`, the report without its
 * outcomes.
 */
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SafeJson from "./text/SafeJson.ts"

/** The content of a line. */
export const Line = Schema.Union([
  Report.ReportOutcome,
  Schema.Struct({ summary: Report.Summary.annotateKey({ description: "The report without its outcomes." }) })
]).annotate({
  title: "Line of a stream of outcomes",
  description: "A line of `--format ndjson`: an outcome as soon as it is decided, and on the last line the summary."
})

const encodeSummary = Schema.encodeSync(Report.Summary)

const line = (event: Reconciliation.Event): string =>
  event._tag === "Outcome"
    ? `${SafeJson.stringify(Report.written(event.outcome))}\n`
    : `${SafeJson.stringify({ summary: encodeSummary(event.summary) })}\n`

/** Returns each line with its line break. */
export const lines = <E, R>(events: Stream.Stream<Reconciliation.Event, E, R>): Stream.Stream<string, E, R> =>
  Stream.map(events, line)
