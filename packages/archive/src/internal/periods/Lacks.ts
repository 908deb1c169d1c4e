/** What a period lacks before it can be closed. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as BookState from "../../BookState.ts"
import * as Execution from "../../Execution.ts"
import type * as Lack from "../../Lack.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as Run from "../../Run.ts"
import * as BadRecords from "../books/BadRecords.ts"
import * as BookedRun from "../books/BookedRun.ts"
import * as Due from "../books/Due.ts"
import * as Judgement from "../books/Judgement.ts"
import * as Standing from "../books/Standing.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"

const OPERATIONS = ["deposits", "transfers"] as const

/** Finds the time of an operation that a run did not read completely. What was read of all queries counts for each of them. */
const unread = (
  { coverage }: Run.Recorded["summary"],
  operation: Coverage.Coverage["operation"],
  within: Coverage.Interval
): ReadonlyArray<Coverage.Interval> => {
  const own = Timeline.clip(coverage.filter((part) => part.operation === operation), within)
  const isComplete = ({ state }: Coverage.Coverage): boolean => state === "complete"
  const ofAll = own.filter((part) => isComplete(part) && part.query === undefined)
  const doubtful = Timeline.subtract(own.filter((part) => !isComplete(part)), ofAll)
  return Timeline.union([...doubtful, ...Timeline.gaps(own, within)])
}

/** Names the time behind a stretch at which its counterparts may lie, where its run had not read all of that. */
const unsettled = (
  { by: { number }, to: end }: Execution.Judged,
  summary: Run.Recorded["summary"]
): ReadonlyArray<Lack.Lack> => {
  const behind = { from: end, to: end + Policy.horizon(summary.policy) }
  return OPERATIONS.flatMap((operation) => {
    const [first] = unread(summary, operation, behind)
    return first === undefined
      ? []
      : [{ _tag: "Unsettled" as const, execution: number, operation, from: first.from, to: behind.to }]
  })
}

/** What a period lacks, but for what it takes the outcomes of its runs to know. */
export interface Lacking {
  /** What nobody can carry. */
  readonly lacks: ReadonlyArray<Lack.Lack>
  /** Records that could not be read, as the runs over the period met them last. */
  readonly badRecords: ReadonlyArray<OpenItem.BadRecordItem>
}

interface Found extends Lacking {
  /** So many entries of the period are settled by outcomes that are not final; not counted where something else is lacking. */
  readonly provisional: number
  /** As far as the policies of the executions look, ms. */
  readonly horizon: number
}

export const make = (database: Database.Service) => {
  const runOf = BookedRun.make(database)
  const runs = Lookup.make(database)
  const badRecords = BadRecords.make(database)
  const dueBy = Due.make(database).reader
  const standing = Standing.make(database)

  /**
   * Makes a reader of periods that names the time that the next execution would judge again, if it asked what the last one asked, and
   * what was judged by another policy or other lists: an execution carries only what waits of that, and what was settled may be open by now.
   */
  const dueReader = Effect.fnUntraced(function*(executions: ReadonlyArray<Execution.Body>) {
    const last = executions.at(-1)
    if (last === undefined) return () => Effect.succeed<ReadonlyArray<Lack.Lack>>([])
    const { summary } = yield* runOf(last.number, last)
    const within = yield* dueBy(yield* standing.now, summary)
    const asked = Execution.judged(executions).filter(Due.isOfOtherQuestion(summary))
    return (period: Coverage.Interval) =>
      Effect.map(
        within(period),
        (due): ReadonlyArray<Lack.Lack> =>
          Timeline.union([...due, ...Timeline.clip(asked, period)])
            .map(({ from, to }) => ({ _tag: "Due" as const, from, to }))
      )
  })

  const due = (
    executions: ReadonlyArray<Execution.Body>,
    period: Coverage.Interval
  ): Effect.Effect<ReadonlyArray<Lack.Lack>, ArchiveError.DatabaseError> =>
    Effect.flatMap(dueReader(executions), (dueIn) => dueIn(period))

  /** Makes a reader of periods that gives what nobody can carry of one, and the runs that judged it last. */
  const reader = Effect.fnUntraced(function*(executions: ReadonlyArray<Execution.Body>) {
    const everJudged = Execution.judged(executions)
    const everUnread = Execution.unread(executions)
    const dueIn = yield* dueReader(executions)
    const known = new Map<Execution.Judging, Run.Recorded>()
    const recordedOf = Effect.fnUntraced(function*(number: number, judging: Execution.Judging) {
      const found = known.get(judging) ?? (yield* runOf(number, judging))
      known.set(judging, found)
      return found
    })
    return Effect.fnUntraced(function*(period: Coverage.Interval) {
      const judged = Timeline.clip(everJudged, period)
      const read = yield* Effect.forEach(
        Map.groupBy(judged, ({ judging }) => judging),
        ([judging, stretches]) =>
          Effect.map(
            recordedOf(stretches[0]?.by.number ?? 0, judging),
            ({ run, summary }) => ({ run, stretches, summary })
          )
      )
      const lacks: ReadonlyArray<Lack.Lack> = [
        ...Timeline.gaps(judged, period).map(({ from, to }) => ({ _tag: "Unexecuted" as const, from, to })),
        ...Timeline.clip(everUnread, period).map(({ from, to }) => ({ _tag: "Unread" as const, from, to })),
        ...read.toReversed().flatMap(({ stretches, summary }) =>
          stretches.flatMap((stretch) => unsettled(stretch, summary))
        ),
        ...yield* dueIn(period)
      ]
      return { lacks, read }
    })
  })

  /** Counts the entries of stretches that a run settles, although later records can still change that. */
  const provisional = (run: Run.Run, stretches: ReadonlyArray<Execution.Judged>) =>
    Effect.map(
      Stream.runFold(runs.outcomes(run), () => new Set<string>(), (found, outcome) => {
        if (outcome.final) return found
        for (const judgement of Judgement.of(outcome)) {
          const isOf = stretches.some((stretch) => Judgement.isOf(stretch)(judgement))
          if (isOf && !BookState.isWaiting(judgement.state)) found.add(Subjects.keyOf(judgement))
        }
        return found
      }),
      ({ size }) => size
    )

  const all = Effect.fnUntraced(function*(
    executions: ReadonlyArray<Execution.Body>,
    period: Coverage.Interval
  ): Effect.fn.Return<Found, ArchiveError.OutcomesError> {
    const { lacks, read } = yield* (yield* reader(executions))(period)
    const counts = lacks.length > 0
      ? []
      : yield* Effect.forEach(read, ({ run, stretches }) => provisional(run, stretches))
    return {
      lacks,
      badRecords: yield* badRecords.all(executions, (judged) => Timeline.overlaps(judged, period)),
      provisional: counts.reduce((sum, count) => sum + count, 0),
      horizon: Math.max(0, ...read.map(({ summary }) => Policy.horizon(summary.policy)))
    }
  })

  /** Gives what each of some periods lacks, in their order. */
  const each = Effect.fnUntraced(function*(
    executions: ReadonlyArray<Execution.Body>,
    periods: ReadonlyArray<Coverage.Interval>
  ): Effect.fn.Return<ReadonlyArray<Lacking>, ArchiveError.OutcomesError> {
    const lackingIn = yield* reader(executions)
    const metBy = yield* badRecords.byRun(executions)
    return yield* Effect.forEach(periods, (period) =>
      Effect.map(lackingIn(period), ({ lacks, read }) => {
        const met = read.flatMap(({ run }) => metBy(run.id))
        return { lacks, badRecords: Array.from(new Map(met.map((one) => [one.id, one])).values()) }
      }))
  })

  return { all, due, each }
}
