/** This module reconciles any range that an archive keeps, at any size. */
import type * as Coverage from "@tallystick/core/Coverage"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Span from "@tallystick/core/Span"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Policy from "@tallystick/reconcile/Policy"
import type { PolicyError } from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Archive from "./Archive.ts"
import type { OutcomesError, SlicesError } from "./ArchiveError.ts"
import * as ArchiveSource from "./ArchiveSource.ts"
import { BookError } from "./BookError.ts"
import * as Books from "./Books.ts"
import type * as Decision from "./Decision.ts"
import type * as Execution from "./Execution.ts"
import * as Edges from "./internal/coverage/Edges.ts"
import * as Further from "./internal/coverage/Further.ts"
import { wider } from "./internal/coverage/Wider.ts"
import * as Settling from "./internal/history/Settling.ts"
import * as Accepting from "./internal/ledger/Accepting.ts"
import * as Deciding from "./internal/parts/Deciding.ts"
import * as InParts from "./internal/parts/InParts.ts"
import type * as Order from "./internal/parts/Order.ts"
import * as OpenItems from "./OpenItems.ts"
import * as Runs from "./Runs.ts"
import type { Workers } from "./Workers.ts"

/** These options say what a run is about. A slice has about `batch` records; this changes nothing but memory and speed. */
export type Options = Omit<Reconciliation.Asked, "accepted"> & {
  readonly batch?: number
  /** These decisions are followed as if the ledger had them, to see what they would change (`Decisions.attempt`). */
  readonly proposed?: ReadonlyArray<Decision.Body>
  /**
   * Read twice as far around the range as the policy looks, so that pairs over its borders become final. `run` and what is made by it
   * then read on while anything that is not read may change an outcome, up to `most` records. `events` gives outcomes before it could
   * know that, and does not read on. Where more that the archive has may change an outcome that is not final, the summary says so in
   * `mayChange`, and in a warning where reading on was left out. Default: false.
   */
  readonly readOn?: boolean
  /**
   * Decide a run in so many parts, 1 or more: assets that have nothing to do with each other are decided one part after the other. The
   * report is the same. The matching needs less memory at once, and everything is read twice. Where something is written meanwhile, the
   * run is decided once more, as a whole. `events` does not split. Default: 1.
   */
  readonly parts?: number
  /**
   * Decide the parts side by side, in threads: as many parts as there are workers, and fewer where there is less to decide. `parts` does not
   * count then. A worker that is lost ends the run with `Failed`.
   */
  readonly workers?: Workers
  /** A run reads on while that is at most so many records, which are in memory at once. Default: 1,500,000. */
  readonly most?: number
}

/** So many slices are read ahead of the decisions. */
const AHEAD = 2

/**
 * Widens the range by `times` as far as the policy looks, also from the times at which deposits were seen to settle. The coverage of
 * deposits is read first, because a deposit may settle meanwhile.
 */
const around = Effect.fnUntraced(function*(range: Coverage.Interval, policy: Policy.Resolved, times: number) {
  const wide = times * Policy.horizon(policy)
  const near = wider(range, wide)
  if (policy.lagFrom === "seen") return near
  const { coverage, settling } = yield* Archive.Archive
  const known = yield* coverage(wider(near, 2 * Settling.MEMORY + wide))
  // A deposit that settles from here on is among these; one that settled before is found by `settling`.
  const unsettled = yield* ArchiveSource.unsettledBefore(near.from, policy)
  const [before, within] = [yield* settling(near), yield* settling(range)]
  return {
    from: before.from < near.from ? Math.max(before.from - wide, 0) : near.from,
    to: Math.min(Math.max(near.to, within.to + wide), Number.MAX_SAFE_INTEGER),
    believed: known.filter(({ operation }) => operation === "deposits"),
    unsettled
  }
})

/** Tells in the summary of a run, which is made after all of its outcomes, which decisions were followed, and which were not. */
const decided =
  (overlaid: Archive.Overlaid, accepting: ReturnType<typeof Accepting.make>) =>
  (summary: Report.Summary): Report.Summary => {
    const { head } = overlaid
    const applied = overlaid.applied + accepting.applied()
    const faults = [...overlaid.faults, ...accepting.faults()]
    return head.number + applied + faults.length === 0 ? summary : {
      ...summary,
      clean: summary.clean && faults.length === 0,
      decisions: { head, applied, faults },
      warnings: [...summary.warnings, ...faults.map(({ text }) => text)]
    }
  }

/** An acceptance of an outcome that is longer than this is held against what a run reads, ms. */
const LONGEST = 31 * 86_400_000

/**
 * Widens a range to the entries of what was accepted of it, because only a run that reads all of them can tell whether it is as it was.
 * Gives nothing where it has all of them.
 */
const spanOf = (range: Coverage.Interval, accepted: Archive.Overlaid["accepted"]): Coverage.Interval | undefined => {
  const isInside = ({ at }: Decision.Subject): boolean => at >= range.from && at < range.to
  const times = accepted.flatMap(({ entries }) => entries.some(isInside) ? entries.map(({ at }) => at) : [])
  const span = {
    from: times.reduce((least, at) => Math.min(least, at), range.from),
    to: times.reduce((most, at) => Math.max(most, at + 1), range.to)
  }
  const isLonger = span.from < range.from || span.to > range.to
  return isLonger && range.from - span.from < LONGEST && span.to - range.to < LONGEST ? span : undefined
}

/**
 * Gives what is read for a range, and the policy with what people decided on that. All of it is read after the last row of the ledger
 * that the run follows: whatever made that row did not know more.
 */
const followed = (
  range: Coverage.Interval,
  policy: Policy.Resolved,
  proposed: ReadonlyArray<Decision.Body> | undefined,
  times: number
) =>
  Effect.gen(function*() {
    const { ledgerEnd, overlay } = yield* Archive.Archive
    const end = yield* ledgerEnd
    const reading = Effect.fnUntraced(function*(range: Coverage.Interval) {
      const read = yield* around(range, policy, times)
      const reach = "unsettled" in read ? { ...read, also: read.unsettled } : read
      return { read, overlaid: yield* overlay(policy, reach, proposed) }
    })
    const first = yield* reading(range)
    const whole = spanOf(range, first.overlaid.accepted)
    const { overlaid, read } = whole === undefined ? first : yield* reading(whole)
    return { read, overlaid, hasMoved: end.number < overlaid.head.number }
  }).pipe(Effect.repeat({ while: ({ hasMoved }) => hasMoved }))

const sources = Effect.fnUntraced(function*(options: Options, times: number) {
  const { accounts, addresses, policy: written, ...checked } = yield* Reconciliation.check(options)
  const range = yield* Effect.fromResult(TimeRange.make(options.range))
  const { overlaid, read } = yield* followed(range, written, options.proposed, times)
  const { policy } = overlaid
  // Open outcomes are aged up to the last reading, however old the range is.
  const asOf = (yield* Effect.flatMap(Archive.Archive, ({ lastReading }) => lastReading)) ?? checked.asOf
  const asked: Order.Asked = {
    reading: { ...read, ...(options.batch === undefined ? {} : { batch: options.batch }) },
    policy,
    accounts,
    ...(addresses === undefined ? {} : { addresses }),
    range,
    ...(asOf === undefined ? {} : { asOf }),
    accepted: overlaid.accepted
  }
  return { range, read, asked, overlaid }
})

/** Says in how many parts a run is decided. */
const partsOf = Effect.fnUntraced(function*({ parts = 1, workers }: Options, { reading }: Order.Asked) {
  if (workers === undefined) return parts
  const { size } = yield* Archive.Archive
  return workers.count === 1 ? 1 : Math.min(workers.count, Math.floor((yield* size(reading)) / workers.least))
})

const attempt = Effect.fnUntraced(function*(options: Options, times: number) {
  const { asked, overlaid, range, read } = yield* sources(options, times)
  const { onProgress: tell, workers } = options
  const { outcomes, ...summary } = yield* InParts.report(asked, {
    parts: yield* partsOf(options, asked),
    workers,
    tell
  })
  // What became of an acceptance is told by all outcomes in their order, and parts see some of them, in an order of their own.
  const accepting = Accepting.make(overlaid.accepted, range)
  for (const outcome of outcomes) accepting.accepted(outcome)
  return { read, report: { ...decided(overlaid, accepting)(summary), outcomes } satisfies Report.Report }
})

/** Reading begins twice as far around the range as the policy looks where it goes on. */
const FIRST = 2

/** It goes on up to so many records unless another number is given. */
const MOST = 1_500_000

/** What the archive has around a range of which `times` as much as the policy looks was read on both sides. */
const readingAround = Effect.fnUntraced(function*(range: Coverage.Interval, policy: Policy.Resolved, times: number) {
  const { coverage, coveredTo } = yield* Archive.Archive
  const horizon = Policy.horizon(policy)
  const [read, next] = [wider(range, times * horizon), wider(range, 2 * times * horizon)]
  return { coverage: yield* coverage(next), end: (yield* coveredTo) ?? 0, next, reach: FIRST * horizon, read }
})

/** Looks whether outcomes come near to where reading ended. It may have ended later than asked for: deposits settle. */
const edgesOf = Effect.fnUntraced(function*(read: Coverage.Interval, policy: Policy.Resolved) {
  const { coverage } = yield* Archive.Archive
  const edge = { read, horizon: Policy.horizon(policy) }
  return Edges.watch({ ...edge, coverage: yield* coverage(Edges.around(edge)) })
})

/** Says in a summary, without a warning, that its run may know an outcome in part. */
const partial = <S extends Report.Summary>(summary: S): S => ({ ...summary, mayChange: true })

/** Says in a summary that its run ended before all was read that may change an outcome, and why it did. */
const cut = <S extends Report.Summary>(summary: S, why: string): S => ({
  ...partial(summary),
  warnings: [...summary.warnings, `What is not final may come out otherwise where more of the archive is read: ${why}.`]
})

/**
 * Reads on until no time that the archive has would make more of what is said of the range final. It may be that not all of a class is
 * read then: the archive ends soon behind it, or has a hole, so that it would not become final by that.
 */
const settled = Effect.fnUntraced(function*(options: Options) {
  const { size } = yield* Archive.Archive
  const { most = MOST } = options
  for (let times = FIRST;; times *= 2) {
    const { read, report } = yield* attempt(options, times)
    const { policy, range } = report
    if (range === null) return report
    const reading = yield* readingAround(range, policy, times)
    if (!Further.mayChange(reading, report)) {
      const edges = yield* edgesOf(read, policy)
      for (const outcome of report.outcomes) edges.add(outcome)
      return edges.isAnyCut() ? partial(report) : report
    }
    if ((yield* size(reading.next)) > most) {
      return cut(report, `a run does not read on beyond ${most.toLocaleString("en-US")} records`)
    }
  }
})

/**
 * Reads what is kept around the range, as far as the policy looks, and reconciles it, following what people decided. Where the
 * archive has no complete coverage, outcomes that depend on it end as `coverage-gap`.
 */
export const run = (
  options: Options
): Effect.Effect<Report.Report, SlicesError | InvalidRange | PolicyError, Archive.Archive> =>
  (options.readOn === true ? settled(options) : Effect.map(attempt(options, 1), ({ report }) => report)).pipe(
    Effect.catchTag("InvalidSlice", Effect.die),
    Span.within("ArchiveReconciliation.run")
  )

/** Reconciles as a stream: it gives every outcome as soon as no later record can change it, in memory that does not grow. */
export const events = (
  options: Options
): Stream.Stream<Reconciliation.Event, SlicesError | InvalidRange | PolicyError | Unordered, Archive.Archive> =>
  Stream.unwrap(
    Effect.gen(function*() {
      const { asked, overlaid, range, read } = yield* sources(options, options.readOn === true ? FIRST : 1)
      const { deposits, transfers } = Deciding.sides(asked)
      const accepting = Accepting.make(overlaid.accepted, range)
      const further = options.readOn === true
        ? Further.watch(yield* readingAround(range, asked.policy, FIRST))
        : undefined
      const edges = options.readOn === true ? yield* edgesOf(read, asked.policy) : undefined
      const ended = (summary: Report.Summary): Report.Summary => {
        if (further?.mayChange(summary.unread) === true) {
          return cut(summary, "a report that is written while it is made does not read on")
        }
        return edges?.isAnyCut() === true ? partial(summary) : summary
      }
      return Reconciliation.events(
        Stream.buffer(deposits, { capacity: AHEAD }),
        Stream.buffer(transfers, { capacity: AHEAD }),
        {
          ...Deciding.options(asked),
          ...(overlaid.accepted.length === 0 ? {} : { accepted: accepting.accepted })
        }
      ).pipe(
        Stream.map((event): Reconciliation.Event => {
          if (event._tag === "Summary") {
            return { _tag: "Summary", summary: ended(decided(overlaid, accepting)(event.summary)) }
          }
          further?.add(event.outcome)
          edges?.add(event.outcome)
          return event
        })
      )
    })
  ).pipe(Stream.catchTag("InvalidSlice", Stream.die))

const holds = <Record>(history: Archive.History<Record>, range: Coverage.Interval) =>
  history.slices({ ...range, batch: 1 }).pipe(
    Stream.filter(({ bad, records }) => bad.length + records.length > 0),
    Stream.runHead,
    Effect.map(Option.isSome)
  )

/** Time of which only this is known was not read. */
const UNREAD: ReadonlySet<string | undefined> = new Set(["not-read", "retention"])

/**
 * Tells whether anything of a range was ever read or imported. A run over the future, or over time that nobody asked for, would
 * record that nothing is known of it.
 */
export const wasRead = Effect.fnUntraced(function*(
  range: Coverage.Interval
): Effect.fn.Return<boolean, SlicesError | InvalidRange, Archive.Archive> {
  const { coverage, deposits, transfers } = yield* Archive.Archive
  const parts = yield* coverage(range)
  if (parts.some(({ gap, state }) => state !== "incomplete" || !UNREAD.has(gap?.code))) return true
  return (yield* holds(deposits, range)) || (yield* holds(transfers, range))
})

/** This is a report together with the run as which it was recorded. */
export interface Recorded extends Runs.Recording {
  /** The report that was recorded. */
  readonly report: Report.Report
}

/** Reconciles as `run` does, and records the result; a run over the same data is recorded once. */
export const record = Effect.fnUntraced(function*(
  options: Omit<Options, "proposed">
): Effect.fn.Return<Recorded, SlicesError | InvalidRange | PolicyError, Archive.Archive | Runs.Runs> {
  const runs = yield* Runs.Runs
  const report = yield* run(options)
  return { report, ...(yield* runs.save(report)) }
})

/**
 * This is a report, the run as which it was recorded, and the execution by which the books were brought forward. The report tells in
 * `books` what became of them by that, which is no part of the run.
 */
export interface Booked extends Recorded {
  readonly execution: Execution.Execution
}

/** So often a run is made once more, because somebody decided or reconciled meanwhile. */
const AGAIN = 4

/** Tells whether the ledger went on while a run was made, which another run of the same question mends. */
const hasMoved = (failure: { readonly _tag: string }): boolean =>
  failure instanceof BookError && failure.reason._tag === "LedgerMoved"

/**
 * Makes the runs over earlier time that is due together with a run of which this is the summary (`Books.due`). `options` says what each
 * of them is about: accounts may have come and gone since.
 */
export const carry = Effect.fnUntraced(function*<E, R>(
  standing: Books.Standing,
  summary: Report.Summary,
  options: (range: Coverage.Interval) => Effect.Effect<Omit<Options, "proposed">, E, R>
): Effect.fn.Return<
  ReadonlyArray<Books.Ran>,
  E | SlicesError | InvalidRange | PolicyError,
  R | Archive.Archive | Books.Books | Runs.Runs
> {
  const { due } = yield* Books.Books
  return yield* Effect.forEach(
    yield* due(standing, summary),
    Effect.fnUntraced(function*(range) {
      const { report: { outcomes: _, ...summary }, run } = yield* record({
        ...yield* options(range),
        range,
        readOn: true
      })
      return { run, summary }
    })
  )
})

export interface BookOptions
  extends Pick<Books.Options, "author" | "declare" | "job" | "mayBook" | "notify" | "prices">
{
  /** Judge earlier time again where something changed since. Default: true. */
  readonly carry?: boolean
}

/**
 * Reconciles and records as `record` does, and brings the books forward by the run (`Books.execute`), and by runs over earlier time
 * that is due. Where the ledger goes on meanwhile it does so again, five times at most.
 */
export const book = (
  options: Omit<Options, "proposed">,
  { carry: isCarried = true, ...how }: BookOptions
): Effect.Effect<
  Booked,
  SlicesError | OutcomesError | InvalidRange | PolicyError | BookError,
  Archive.Archive | Books.Books | OpenItems.OpenItems | Runs.Runs
> =>
  Effect.gen(function*() {
    const books = yield* Books.Books
    const { reported } = yield* OpenItems.OpenItems
    const standing = yield* books.standing
    const recorded = yield* record({ ...options, readOn: true })
    const { report, run } = recorded
    const carried = isCarried ? { carried: yield* carry(standing, report, () => Effect.succeed(options)) } : {}
    const execution = yield* books.execute(run, report, { ...how, ...carried, standing })
    return { ...recorded, report: { ...report, books: yield* reported(execution) }, execution }
  }).pipe(Effect.retry({ times: AGAIN, while: hasMoved }))
