/**
 * A run that is recorded is noted for whoever interrupts the command. Between the end of the reconciliation and the answer of the
 * database nobody knows whether it was, so then nothing is said of it.
 */
import * as Runs from "@tallystick/archive/Runs"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Interruption from "../terminal/Interruption.ts"

const begin = Interruption.note({ run: undefined })

const end = ({ run }: Runs.Recording) => Interruption.note({ run: run.id })

/** Records a report that is finished. */
export const save = (report: Report.Report) =>
  Runs.Runs.use(({ save }) => begin.pipe(Effect.andThen(save(report)), Effect.tap(end)))

/** Records the events as they come, and hands the run to `keep`. */
export const record = <E, R>(
  events: Stream.Stream<Reconciliation.Event, E, R>,
  keep: (recording: Runs.Recording) => void
) =>
  Stream.unwrap(Runs.Runs.use(({ record }) =>
    Effect.succeed(
      record(Stream.concat(events, Stream.drain(Stream.fromEffect(begin)))).pipe(
        Stream.mapArrayEffect((events) => {
          const last = events.at(-1)
          if (last?._tag !== "Recorded") return Effect.succeed(events)
          keep(last)
          return Effect.as(end(last), events)
        }),
        Stream.filter((event) => event._tag !== "Recorded")
      )
    )
  ))
