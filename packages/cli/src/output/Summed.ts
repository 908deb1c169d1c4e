/** Changes the summary of a stream of events, which comes last. */
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Stream from "effect/Stream"

export const by =
  (change: (summary: Report.Summary) => Report.Summary) => <E, R>(events: Stream.Stream<Reconciliation.Event, E, R>) =>
    Stream.map(
      events,
      (event): Reconciliation.Event =>
        event._tag === "Summary" ? { _tag: "Summary", summary: change(event.summary) } : event
    )
