/** The whole job from the archive: any range that was kept, at any size. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Span from "@tallystick/core/Span"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as OutcomeStream from "@tallystick/reconcile/OutcomeStream"
import * as Policy from "@tallystick/reconcile/Policy"
import type { PolicyError } from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Archive from "./Archive.ts"
import type { ArchiveError } from "./ArchiveError.ts"
import * as ArchiveSource from "./ArchiveSource.ts"
import * as Runs from "./Runs.ts"

/** What a run is about; `batch`: records of a slice, about. It changes nothing but memory and speed. */
export type Options = Reconciliation.Asked & { readonly batch?: number }

type Failure = ArchiveError | PolicyError | Unordered

/** Slices that are read ahead of what is decided. */
const AHEAD = 2

/** The range, and around it as far as the policy looks. */
const around = ({ from, to }: Coverage.Interval, policy: Policy.Resolved): Coverage.Interval => {
  const wide = Policy.horizon(policy)
  return { from: Math.max(from - wide, 0), to: to + wide }
}

/** When anything was read last, Unix ms: the ages of what is open count to it, however old the range is. */
const lastReading = Effect.map(
  Archive.Archive.use(({ coverage }) => coverage()),
  (covered) => covered.reduce<number | null>((last, { readAt }) => Math.max(last ?? readAt, readAt), null)
)

/**
 * Reads what is kept around the range, as far as the policy looks, and tells every outcome as soon as nothing to come can
 * change it, in memory that does not grow; the summary comes last. Where the archive has no complete coverage, what
 * depends on it ends as `coverage-gap`.
 */
export const events = (options: Options): Stream.Stream<OutcomeStream.Event, Failure, Archive.Archive> =>
  Stream.unwrap(Effect.map(lastReading, (asOf) => {
    const { batch, ...asked } = options
    const policy = asked.policy ?? Policy.defaults
    const accounts = Reconciliation.accountsOf(asked)
    const source = {
      ...around(asked.range, policy),
      policy,
      accounts,
      ...(asked.addresses === undefined ? {} : { account: AddressBook.lookup(asked.addresses) }),
      ...(batch === undefined ? {} : { batch })
    }
    const read = { capacity: AHEAD }
    return Reconciliation.events(
      Stream.buffer(ArchiveSource.deposits(source), read),
      Stream.buffer(ArchiveSource.transfers(source), read),
      { ...asked, policy, accounts, ...(asOf === null ? {} : { asOf }) }
    )
  }))

/** The earliest time among the entries; what has none comes last. */
const time = ({ deposits, transfers }: Outcome.Outcome): number =>
  Math.min(deposits[0]?.at ?? Number.POSITIVE_INFINITY, transfers[0]?.at ?? Number.POSITIVE_INFINITY)

/** Outcomes in the order of reports: by time, then by id. */
const inOrder = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Outcome.Outcome> =>
  outcomes
    .map((outcome) => ({ outcome, at: time(outcome) }))
    .toSorted((a, b) => a.at === b.at ? (a.outcome.id < b.outcome.id ? -1 : 1) : a.at - b.at)
    .map(({ outcome }) => outcome)

const die = Effect.die("a stream of outcomes ends with its summary")

/** The report that events come to, and the run where they were recorded. */
const collect = Effect.fnUntraced(function*<E, R>(events: Stream.Stream<Runs.Event, E, R>) {
  const outcomes: Array<Outcome.Outcome> = []
  let summary: Report.Summary | undefined
  let recording: Runs.Recording | undefined
  yield* Stream.runForEachArray(events, (chunk) =>
    Effect.sync(() => {
      for (const event of chunk) {
        if (event._tag === "Outcome") outcomes.push(event.outcome)
        else if (event._tag === "Summary") summary = event.summary
        else recording = event
      }
    }))
  return summary === undefined ? yield* die : { report: { ...summary, outcomes: inOrder(outcomes) }, recording }
})

/** Reads what is kept around the range and reconciles it. */
export const run = (options: Options): Effect.Effect<Report.Report, Failure, Archive.Archive> =>
  collect(events(options)).pipe(
    Effect.map(({ report }) => report),
    Span.within("ArchiveReconciliation.run")
  )

/** A report, and the run that it was recorded as. */
export interface Recorded extends Runs.Recording {
  readonly report: Report.Report
}

/** The same, and records it: a run over the same data is recorded once. */
export const record = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<Recorded, Failure, Archive.Archive | Runs.Runs> {
  const runs = yield* Runs.Runs
  const { recording, report } = yield* collect(runs.record(events(options)))
  return recording === undefined ? yield* die : { report, run: recording.run, isNew: recording.isNew }
}, Span.within("ArchiveReconciliation.record"))
