/**
 * A run records what a reconciliation from an archive came to: its policy, coverage, totals and outcomes. A run over the same
 * data records nothing new; an outcome is kept once, however many runs come to it.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as ArchiveError from "./ArchiveError.ts"
import * as Comparing from "./internal/books/Comparing.ts"
import * as RunPages from "./internal/books/RunPages.ts"
import * as Lookup from "./internal/runs/Lookup.ts"
import * as Prune from "./internal/runs/Prune.ts"
import * as Recorder from "./internal/runs/Recorder.ts"
import { Database } from "./internal/sql/Database.ts"
import type * as Run from "./Run.ts"
import type * as RunDiff from "./RunDiff.ts"
import type * as RunPage from "./RunPage.ts"

export type { Asked } from "./internal/runs/Lookup.ts"
export type { Recording } from "./internal/runs/Recorder.ts"

/** An event comes from the reconciliation. One more follows the last of them, and names the run that was recorded. */
export type Event = Reconciliation.Event | Recorder.Recording & { readonly _tag: "Recorded" }

/**
 * Keeps reconciliations, and gives them back. Every operation fails with an `ArchiveError`, whose type has the reasons that it
 * can give.
 */
export interface Service {
  /**
   * Gives the events back as they come and records them, in memory that does not grow; the last event is `Recorded`. A stream
   * that fails, or that is left before its end, leaves no run. One that ends without its summary was cut by its program (with
   * `Stream.take`, for instance), and is a defect.
   */
  readonly record: <E, R>(
    events: Stream.Stream<Reconciliation.Event, E, R>
  ) => Stream.Stream<Event, E | ArchiveError.DatabaseError, R>
  /** Records a report that is finished. */
  readonly save: (report: Report.Report) => Effect.Effect<Recorder.Recording, ArchiveError.DatabaseError>
  /**
   * Lists the runs as they were recorded, the last recorded first. It does not look at their outcomes. A run whose time or range
   * was changed is listed as damaged where it is looked for now, and nowhere else.
   */
  readonly list: (asked?: Lookup.Asked) => Effect.Effect<ReadonlyArray<Run.Listed>, ArchiveError.DatabaseError>
  /**
   * Gives a page of the runs, the last recorded first, as `list` tells them, and which of them brought the books forward. A run that is
   * recorded meanwhile comes before all pages: none is seen twice by it, and none is missed.
   */
  readonly page: (asked?: RunPage.Asked) => Effect.Effect<RunPage.RunPage, ArchiveError.DatabaseError>
  /**
   * Gives the run whose id begins with `prefix`, if there is one. It fails with `Damaged` where the run, or its list of
   * outcomes, was changed or lost.
   */
  readonly get: (
    prefix: string
  ) => Effect.Effect<Option.Option<Run.Recorded>, ArchiveError.DatabaseError | Run.Ambiguous>
  /**
   * Gives the numbers of the executions that brought the books forward by a run, the first one first: none of a run that only answered a
   * question. Of a ledger that is damaged those before its fault count.
   */
  readonly executions: (run: Pick<Run.Run, "id">) => Effect.Effect<ReadonlyArray<number>, ArchiveError.DatabaseError>
  /**
   * Gives the outcome whose id begins with `prefix`, as the runs have seen it, if there is one. It fails with `Damaged` where
   * the outcome was changed or lost.
   */
  readonly outcome: (
    prefix: string
  ) => Effect.Effect<Option.Option<Run.Sighting>, ArchiveError.DatabaseError | Run.Ambiguous>
  /**
   * Streams the outcomes of a run: what is open in order of ids, then what is matched and set aside about in order of time.
   * Matches come without the service's records. It fails with `Damaged` at an outcome that was changed or lost, and at the end
   * where these are not the outcomes that were recorded; with `Pruned` where they were taken away.
   */
  readonly outcomes: (run: Run.Run) => Stream.Stream<Outcome.Outcome, ArchiveError.OutcomesError>
  /**
   * Compares two runs, entry by entry, over the time that both are about, or the part of it that lies `within` an interval (Unix ms).
   * It reads only those outcomes to which one of the runs came and not the other, and its memory grows with these alone. It fails with
   * `Apart` where the runs have no time in common, with `Pruned` where one of them lost its outcomes, and with `Damaged` where one is
   * not as it was recorded.
   */
  readonly diff: (
    before: Run.Recorded,
    after: Run.Recorded,
    within?: Coverage.Interval
  ) => Effect.Effect<RunDiff.RunDiff, ArchiveError.OutcomesError | RunDiff.Apart>
  /**
   * Takes the outcomes of runs away that no reconciliation came to since `before` (Unix ms) and that are superseded: a later
   * run of the same range, which is whole and stays, followed the same policy, was about all of their accounts, and knew no
   * fewer addresses. Their summaries stay. Runs by which the books were brought forward keep everything; where the ledger that
   * names them is damaged nothing is taken away, and it fails with `Damaged`. It can be interrupted or killed at any time: every run has all of its outcomes, or
   * none and says so. The next pruning takes away what one that was broken off left behind.
   */
  readonly prune: (before: number) => Effect.Effect<Run.Pruned, ArchiveError.DatabaseError>
}

const NO_SUMMARY =
  "These events have no summary, so they are not all that a reconciliation tells; give Runs.record all of them."

const acquire = (database: Database["Service"]) =>
  Effect.acquireRelease(Recorder.make(database), ({ discard }) => Effect.ignore(discard))

const record = (database: Database["Service"]): Service["record"] => (events) =>
  Stream.unwrap(
    Effect.map(acquire(database), (recorder) => {
      let summary: Report.Summary | undefined
      const passed = Stream.mapArrayEffect(events, (chunk) => {
        const last = chunk.at(-1)
        if (last?._tag === "Summary") summary = last.summary
        return Effect.as(recorder.add(chunk.flatMap((event) => event._tag === "Outcome" ? [event.outcome] : [])), chunk)
      })
      const recorded = Effect.suspend(() =>
        summary === undefined ? Effect.die(new Error(NO_SUMMARY)) : recorder.finish(summary)
      )
      return Stream.concat(
        passed,
        Stream.fromEffect(Effect.map(recorded, (recording): Event => ({ _tag: "Recorded", ...recording })))
      )
    })
  )

const save = (database: Database["Service"]): Service["save"] =>
  Effect.fnUntraced(function*({ outcomes, ...summary }) {
    const recorder = yield* acquire(database)
    yield* recorder.add(outcomes)
    return yield* recorder.finish(summary)
  }, Effect.scoped)

const lookup = (database: Database["Service"]) => {
  const { get, list, outcome, outcomes } = Lookup.make(database)
  return { get, list, outcome, outcomes: (run: Run.Run) => outcomes(run) }
}

/** The runs of an archive: reconciliations that were recorded, and their outcomes. */
export class Runs extends Context.Service<Runs, Service>()("@tallystick/archive/Runs") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<Runs, never, Database> = Layer.effect(
    Runs,
    Effect.map(
      Database,
      (database) =>
        Runs.of({
          record: record(database),
          save: save(database),
          diff: Comparing.make(database),
          ...RunPages.make(database),
          prune: Prune.make(database),
          ...lookup(database)
        })
    )
  )
}
