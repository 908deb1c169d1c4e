/** Does the whole job: it takes two sides and makes one report. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Span from "@tallystick/core/Span"
import * as TimeRange from "@tallystick/core/TimeRange"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Census from "./internal/Census.ts"
import * as Admission from "./internal/engine/ledger/Admission.ts"
import { append } from "./internal/engine/ledger/Column.ts"
import * as Work from "./internal/engine/stream/Work.ts"
import * as Merging from "./internal/Merging.ts"
import * as OutcomeStream from "./internal/OutcomeStream.ts"
import * as Promised from "./internal/Promised.ts"
import * as QuestionDigest from "./internal/report/QuestionDigest.ts"
import * as Sums from "./internal/report/Sums.ts"
import * as Share from "./internal/Share.ts"
import * as Steps from "./internal/Steps.ts"
import * as Times from "./internal/Times.ts"
import { InvalidSlice } from "./InvalidSlice.ts"
import * as Matching from "./Matching.ts"
import type { NotParts } from "./NotParts.ts"
import type * as Outcome from "./Outcome.ts"
import type * as Partition from "./Partition.ts"
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
  readonly bad: Array<BadRecord.BadRecord>
  readonly coverage: Array<Coverage.Coverage>
}

/** Reads a side to its end, and hands over its entries. */
const gather = <E, R>(
  side: Entry.Side,
  slices: Side<E, R>,
  take: (entries: ReadonlyArray<Entry.Entry>) => void
): Effect.Effect<Gathered, E | InvalidSlice, R> =>
  Stream.runFoldEffect(
    slices,
    (): Gathered => ({ watermark: Number.NEGATIVE_INFINITY, bad: [], coverage: [] }),
    (gathered, given) => {
      const invalid = InvalidSlice.of(side, given) ?? InvalidSlice.early(side, given, gathered.watermark)
      if (invalid !== undefined) return Effect.fail(invalid)
      return Effect.map(
        Effect.andThen(Effect.yieldNow, Steps.effect(Admission.slice(side, given))),
        ({ bad, coverage, records, to }) => {
          take(records)
          append(gathered.bad, bad)
          append(gathered.coverage, coverage)
          return { ...gathered, watermark: to }
        }
      )
    }
  )

/** Reads both sides at once. */
const gatherBoth = <E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  take: (side: Entry.Side) => (entries: ReadonlyArray<Entry.Entry>) => void
) =>
  Effect.map(
    Effect.all([gather("deposit", deposits, take("deposit")), gather("transfer", transfers, take("transfer"))], {
      concurrency: 2
    }),
    ([left, right]) => ({ coverage: [...left.coverage, ...right.coverage], bad: [...left.bad, ...right.bad] })
  )

/** Decides a part in steps, and tells how far it has come. */
const decide = Effect.fnUntraced(function*(sides: Merging.Part, checked: Checked, { onProgress }: Watched) {
  const work = Work.make()
  const tell = onProgress === undefined ? Effect.void : Effect.suspend(() => onProgress(work.progress()))
  work.expect("summed", sides.deposits.length + sides.transfers.length)
  const decided = yield* Steps.effect(Merging.decide(sides, checked, work), tell)
  const { of } = work.progress()
  if (onProgress !== undefined) yield* onProgress({ done: of, of })
  return decided
})

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
  const checked = yield* check(options)
  const entries: Record<Entry.Side, Array<Entry.Entry>> = { deposit: [], transfer: [] }
  const { bad, coverage } = yield* gatherBoth(deposits, transfers, (side) => (more) => append(entries[side], more))
  const sides = { deposits: entries.deposit, transfers: entries.transfer }
  yield* Effect.fromResult(Matching.check({ ...checked, ...sides }))
  const part = yield* decide({ ...sides, coverage, bad: Merging.countOf(bad) }, checked, options)
  return Merging.report([part], checked, { coverage, bad })
}, Span.within("Reconciliation.reconcile"))

/** What parts and their merge have to know of a run. */
export interface Survey {
  readonly whole: Partition.Whole
  /** The records that could not be used: those of deposits, then those of transfers. */
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
}

/**
 * Reads both sides, decides nothing, and says what `part` and `merge` have to know. It keeps the ids of the entries, and no entries. It
 * fails as `reconcile` does while that reads.
 */
export const survey = Effect.fnUntraced(function*<E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  options: Options = {}
): Effect.fn.Return<Survey, E1 | E2 | InvalidRange | InvalidSlice | PolicyError, R1 | R2> {
  const checked = yield* check(options)
  const census = Census.make(checked.policy, checked.accounts)
  const { bad, coverage } = yield* gatherBoth(deposits, transfers, () => census.add)
  const rules = QuestionDigest.ofRules(checked)
  return { whole: { coverage, rules, families: census.families(), bad: Merging.countOf(bad) }, bad }
}, Span.within("Reconciliation.survey"))

/** The settings of a part of a run. All but `assets` and `times` are the same for each part. */
export interface PartOptions extends Watched {
  /** The assets of the part, as records write them. An entry of another asset is left out. */
  readonly assets: ReadonlyArray<string>
  /** The times of the part: one or several stretches of the family of its assets. An entry outside is left out. Default: all times. */
  readonly times?: Partition.Times
  readonly whole: Partition.Whole
}

/**
 * Decides the entries of some assets as a part of a run. The parts of a run are decided anywhere and in any order, and `merge` makes of
 * them the report that `reconcile` would make. An asset stands in the same part as all assets that its entries may be compared with.
 *
 * Both sides give the records that `survey` read: numbers of entries are compared, and contents are not. `accepted` has to be the same for all
 * parts and their merge. What both sides say of their coverage and their bad records does not count, because `whole` says it. It fails as `reconcile` does, but
 * for links between different assets, which `merge` finds; and with `NotParts` where it reads more bad records than the run has.
 */
export const part = Effect.fnUntraced(function*<E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  options: PartOptions
): Effect.fn.Return<Report.Part, E1 | E2 | InvalidRange | InvalidSlice | NotParts | PolicyError, R1 | R2> {
  const checked = yield* check(options)
  const { whole } = options
  const otherwise = Merging.surveyedOtherwise(checked, whole)
  if (otherwise !== undefined) return yield* otherwise
  const share = {
    assets: Array.from(new Set(options.assets)).toSorted(),
    times: Share.times(options.times?.from, options.times?.to)
  }
  const isOwn = Share.holds(share)
  const entries: Record<Entry.Side, Array<Entry.Entry>> = { deposit: [], transfer: [] }
  const { bad } = yield* gatherBoth(
    deposits,
    transfers,
    (side) => (more) => append(entries[side], more.filter(isOwn))
  )
  const invalid = Merging.unforeseen(bad, whole)
  if (invalid !== undefined) return yield* invalid
  const { coverage } = runOf({ whole, bad })
  const { outcomes, sums } = yield* decide(
    { deposits: entries.deposit, transfers: entries.transfer, coverage, bad: whole.bad },
    checked,
    options
  )
  return {
    sums: {
      version: Sums.VERSION,
      question: QuestionDigest.of(checked, whole),
      ...share,
      ...sums
    },
    outcomes
  }
}, Span.within("Reconciliation.part"))

/** The settings of a run whose parts are decided. */
export interface MergeOptions extends Options {
  readonly whole: Partition.Whole
  /** The records that could not be used, each once: those of deposits, then those of transfers. */
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
}

const runOf = ({ bad, whole }: Pick<MergeOptions, "bad" | "whole">) => ({
  bad,
  coverage: Coverage.believed(whole.coverage, "deposits")
})

const checkParts = (sums: ReadonlyArray<Report.Sums>, options: MergeOptions) =>
  Effect.flatMap(check(options), (checked) => {
    const { bad, whole } = options
    const question = QuestionDigest.of(checked, whole)
    const invalid = Merging.surveyedOtherwise(checked, whole) ??
      Merging.invalid(sums, question, checked.policy, { bad, whole })
    return invalid === undefined ? Effect.succeed(checked) : Effect.fail(invalid)
  })

/**
 * Adds the sums of all parts up to the summary that `merge` would give. The outcomes are those of the bad records: they come last in a
 * report, and no part has them.
 */
export const mergeSums = (
  parts: Iterable<Report.Sums>,
  options: MergeOptions
): Effect.Effect<
  { readonly summary: Report.Summary; readonly outcomes: ReadonlyArray<Outcome.Outcome> },
  InvalidRange | NotParts | PolicyError
> => {
  const sums = Array.from(parts)
  return Effect.map(checkParts(sums, options), (checked) => Merging.summed(sums, checked, runOf(options)))
}

/**
 * Makes the report of a run from its parts, in whatever order they come: the one that `reconcile` makes of the same entries. It fails
 * with `NotParts` where these are not all parts of the run, each once, and with `PolicyError` where a link of the policy joins entries of
 * different assets.
 */
export const merge = (
  parts: Iterable<Report.Part>,
  options: MergeOptions
): Effect.Effect<Report.Report, InvalidRange | NotParts | PolicyError> => {
  const all = Array.from(parts)
  return Effect.flatMap(checkParts(all.map(({ sums }) => sums), options), (checked) => {
    const foreign = Merging.foreign(all)
    return foreign === undefined ? Effect.succeed(Merging.report(all, checked, runOf(options))) : Effect.fail(foreign)
  })
}

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
