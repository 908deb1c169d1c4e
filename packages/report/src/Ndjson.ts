/**
 * Writes outcomes as lines of JSON, each as soon as it is decided. The last line is `{"summary": …}`, the report without its
 * outcomes. Where only some outcomes are asked for, it is `{"extract": …}`, which also says how many were left out.
 */
import * as Extract from "@tallystick/reconcile/Extract"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as LeftOut from "./internal/content/LeftOut.ts"
import * as SafeJson from "./text/SafeJson.ts"

/** The content of a line. */
export const Line = Schema.Union([
  Report.ReportOutcome,
  Schema.Struct({ summary: Report.Summary.annotateKey({ description: "The report without its outcomes." }) }),
  Schema.Struct({
    extract: Extract.Ending.annotateKey({ description: "In place of the summary, where outcomes were left out." })
  })
]).annotate({
  title: "Line of a stream of outcomes",
  description:
    "A line of `--format ndjson`: an outcome as soon as it is decided, and on the last line the summary, or what it is of an extract."
})

const encodeEnding = Schema.encodeSync(Extract.Ending)
const encodeSummary = Schema.encodeSync(Report.Summary)

/** These options say how the lines are written. */
export interface Options extends LeftOut.Options {
  /**
   * The range of the run, Unix ms; null if it is about everything that is read. Only with it does each entry say in `inRange`
   * whether it lies in the range, because the summary comes last. A report of version 1 is written without it.
   */
  readonly range?: Report.Summary["range"] | undefined
}

/** Returns each line with its line break. */
export const lines = <E, R>(
  events: Stream.Stream<Reconciliation.Event, E, R>,
  { only, range }: Options = {}
): Stream.Stream<string, E, R> => {
  const written = range === undefined ? Report.written : Report.writtenIn(range)
  const line = (outcome: Outcome.Outcome): string => `${SafeJson.stringify(written(outcome))}\n`
  if (only === undefined) {
    return Stream.map(events, (event) =>
      event._tag === "Outcome"
        ? line(event.outcome)
        : `${SafeJson.stringify({ summary: encodeSummary(event.summary) })}\n`)
  }
  return Stream.suspend(() => {
    const { carries, takes } = Extract.sieve(only)
    return Stream.map(
      Stream.filter(events, (event) => event._tag === "Summary" || takes(event.outcome)),
      (event) =>
        event._tag === "Outcome"
          ? line(event.outcome)
          : `${SafeJson.stringify({ extract: encodeEnding({ ...event.summary, carries: carries() }) })}\n`
    )
  })
}
