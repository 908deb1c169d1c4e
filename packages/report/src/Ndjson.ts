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

/** These options say how the lines are written. */
export interface Options {
  /**
   * The range of the run, Unix ms; null if it is about everything that is read. Only with it does each entry say in `inRange`
   * whether it lies in the range, because the summary comes last. A report of version 1 is written without it.
   */
  readonly range?: Report.Summary["range"] | undefined
}

/** Returns each line with its line break. */
export const lines = <E, R>(
  events: Stream.Stream<Reconciliation.Event, E, R>,
  { range }: Options = {}
): Stream.Stream<string, E, R> => {
  const written = range === undefined ? Report.written : Report.writtenIn(range)
  return Stream.map(events, (event) =>
    event._tag === "Outcome"
      ? `${SafeJson.stringify(written(event.outcome))}\n`
      : `${SafeJson.stringify({ summary: encodeSummary(event.summary) })}\n`)
}
