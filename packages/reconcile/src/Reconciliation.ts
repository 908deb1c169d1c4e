/** Does the whole job: it takes two sides and makes one report. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Span from "@tallystick/core/Span"
import * as TimeRange from "@tallystick/core/TimeRange"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Accepting from "./internal/Accepting.ts"
import * as Admission from "./internal/engine/ledger/Admission.ts"
import { append } from "./internal/engine/ledger/Column.ts"
import * as Asides from "./internal/engine/outcomes/Asides.ts"
import * as Unusable from "./internal/engine/outcomes/Unusable.ts"
import * as Seen from "./internal/engine/stream/Seen.ts"
import * as Whole from "./internal/engine/stream/Whole.ts"
import * as Work from "./internal/engine/stream/Work.ts"
import * as OutcomeStream from "./internal/OutcomeStream.ts"
import * as Promised from "./internal/Promised.ts"
import * as Collector from "./internal/report/Collector.ts"
import * as Steps from "./internal/Steps.ts"
import * as Times from "./internal/Times.ts"
import { InvalidSlice } from "./InvalidSlice.ts"
import * as Matching from "./Matching.ts"
import type * as Outcome from "./Outcome.ts"
import * as Policy from "./Policy.ts"
import type { PolicyError } from "./PolicyError.ts"
import type * as Report from "./Report.ts"
import type { Unordered } from "./Unordered.ts"

/** The settings of a run. Every key may be left out. */
export interface Options {
  /** The policy: which entries may belong together; default `Policy.defaults`. */
  readonly policy?: Policy.Resolved
  /** Default: the accounts of the address book, not vouched complete. */
  readonly accounts?: Accounts.Accounts
  /** Names the sub-account of a deposit's address. */
  readonly addresses?: AddressBook.AddressBook
  /** The range `[from, to)`. Entries outside serve as candidates only. Default: everything that was read. */
  readonly range?: TimeRange.Input
  /** The time of the last reading. The ages of open items count to it. Default: as the coverage says. */
  readonly asOf?: DateTime.DateTime.Input
  /**
   * Tells of an outcome whether a person accepted it. It is asked once of each outcome, after that was decided. A break of
   * which it tells so is marked, and counts as set aside; nothing else changes. Default: nothing is accepted.
   */
  readonly accepted?: (outcome: Outcome.Outcome) => Outcome.Accepted | undefined
}

/** The settings of a run that makes one report. */
interface Watched extends Options {
  /**
   * Learns how far the matching has come, again and again once both sides were read. `done` grows up to `of`, and `of` grows
   * where more work is found on the way; both are 0 where there is nothing to match. The share of the two is about the share of
   * the time. Streams do not call it.
   */
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => Effect.Effect<void>
}

/** A stream of slices of entries, in order of time: one side of the books. */
export type Side<E = never, R = never> = OutcomeStream.Side<E, R>

/** An outcome, or after the last of them the summary. */
export type Event = OutcomeStream.Event

interface Gathered {
  /** All entries before it have come, Unix ms. */
  readonly watermark: number
  readonly entries: Array<Entry.Entry>
  readonly bad: Array<BadRecord.BadRecord>
  readonly coverage: Array<Coverage.Coverage>
}

const gather = <E, R>(side: Entry.Side, slices: Side<E, R>): Effect.Effect<Gathered, E | InvalidSlice, R> =>
  Stream.runFoldEffect(
    slices,
    (): Gathered => ({ watermark: Number.NEGATIVE_INFINITY, entries: [], bad: [], coverage: [] }),
    (gathered, given) => {
      const invalid = InvalidSlice.of(side, given) ?? InvalidSlice.early(side, given, gathered.watermark)
      if (invalid !== undefined) return Effect.fail(invalid)
      return Effect.map(
        Effect.andThen(Effect.yieldNow, Steps.effect(Admission.slice(side, given))),
        ({ bad, coverage, records, to }) => {
          append(gathered.entries, records)
          append(gathered.bad, bad)
          append(gathered.coverage, coverage)
          return { ...gathered, watermark: to }
        }
      )
    }
  )

/** Returns the accounts that a run is about: those given, else the accounts of the address book, not vouched complete. */
const accountsOf = ({ accounts, addresses }: Pick<Options, "accounts" | "addresses">): Accounts.Accounts =>
  accounts ?? { list: Array.from(new Set((addresses ?? []).map(({ account }) => account))), complete: false }

/** Options that were checked: the defaults are filled in, and times are Unix ms. */
export interface Checked extends Omit<Options, "range" | "asOf"> {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  /** The range that is reported, `[from, to)` in Unix ms. */
  readonly range?: Coverage.Interval
  /** The time at which the report is made, Unix ms. */
  readonly asOf?: number
}

/**
 * Fails as a run would before it reads: with `InvalidRange` for invalid times, and with `PolicyError` for accounts or addresses that
 * are not as their types promise.
 */
export const check = (options: Options): Effect.Effect<Checked, InvalidRange | PolicyError> => {
  const invalid = Times.invalid(options) ?? Promised.invalid(options)
  if (invalid !== undefined) return Effect.fail(invalid)
  const { accepted, addresses, asOf, policy = Policy.defaults, range } = options
  return Effect.succeed({
    policy,
    accounts: accountsOf(options),
    ...(accepted === undefined ? {} : { accepted }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(range === undefined ? {} : { range: { from: TimeRange.millis(range.from), to: TimeRange.millis(range.to) } }),
    ...(asOf === undefined ? {} : { asOf: TimeRange.millis(asOf) })
  })
}

/**
 * Matches two sides from any source. Both streams are read at once, and the outcomes are decided when both have ended.
 *
 * Before it reads, it fails with `InvalidRange` for an invalid `range` or `asOf`, and with `PolicyError` for `accounts` or
 * `addresses` that are not as their types promise. Later it fails with the error of a stream that fails; with `InvalidSlice`
 * where the ends of a slice or of its coverage are no interval, or a slice comes out of order; and with `PolicyError` where a
 * link of the policy joins entries of different assets.
 */
export const reconcile = Effect.fnUntraced(function*<E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  options: Watched = {}
): Effect.fn.Return<Report.Report, E1 | E2 | InvalidRange | InvalidSlice | PolicyError, R1 | R2> {
  const { accounts, addresses, asOf, policy, range } = yield* check(options)
  const [left, right] = yield* Effect.all([gather("deposit", deposits), gather("transfer", transfers)], {
    concurrency: 2
  })
  const about = {
    policy,
    accounts,
    coverage: [...left.coverage, ...right.coverage],
    ...(addresses === undefined ? {} : { addresses }),
    ...(range === undefined ? {} : { range })
  }
  const bad = [...left.bad, ...right.bad]
  const unusable = Unusable.and(Unusable.none, bad)
  const sides = { ...about, deposits: left.entries, transfers: right.entries, unusable }
  yield* Effect.fromResult(Matching.check(sides))
  const { onProgress } = options
  const work = Work.make()
  const tell = onProgress === undefined ? Effect.void : Effect.suspend(() => onProgress(work.progress()))
  work.expect("summed", left.entries.length + right.entries.length)
  const { outcomes: decided, seen } = yield* Steps.effect(Whole.match(sides, work), tell)
  const outcomes = Accepting.marked([...decided, ...Asides.ofBad(bad)], options.accepted)
  const collector = Collector.make(about)
  const add = (outcome: Outcome.Outcome): void => {
    collector.add(outcome)
    work.finish("summed", outcome.deposits.length + outcome.transfers.length)
  }
  yield* Steps.effect(Steps.forEach(outcomes, add), tell)
  const { of } = work.progress()
  if (onProgress !== undefined) yield* onProgress({ done: of, of })
  const summary = Collector.summary([collector.sums()], {
    ...about,
    asOf,
    warnings: Seen.warnings(policy, seen, bad.length)
  })
  return { ...summary, outcomes }
}, Span.within("Reconciliation.reconcile"))

/**
 * The same as a stream, in memory that does not grow: each outcome comes as soon as nothing that is still to come can change
 * it, and the summary comes last. It also fails with `Unordered` where an entry comes after its time was taken as complete.
 */
export const events = <E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  options: Options = {}
): Stream.Stream<Event, E1 | E2 | InvalidRange | InvalidSlice | PolicyError | Unordered, R1 | R2> =>
  Stream.unwrap(Effect.map(check(options), (checked) => OutcomeStream.make(deposits, transfers, checked)))

/** Gives the outcomes of `events` alone. */
export const outcomes = <E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  options: Options = {}
): Stream.Stream<Outcome.Outcome, E1 | E2 | InvalidRange | InvalidSlice | PolicyError | Unordered, R1 | R2> =>
  OutcomeStream.outcomes(events(deposits, transfers, options))

/** The options of a run over histories that reach beyond its range, as those of a service or an archive do. */
export type Asked = Watched & { readonly range: TimeRange.Input }
