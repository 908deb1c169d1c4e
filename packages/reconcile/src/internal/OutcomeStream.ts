/**
 * Gives outcomes as they are decided, and the summary in the end.
 *
 * Both sides are read in order of time, the side that is behind first, and no faster than the outcomes are taken. An outcome
 * is given as soon as nothing that is still to come can change it. So memory holds the entries that window and lateness of
 * the policy reach over, and the longest chain of entries that compete for each other, however many are read.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Accounts from "../Accounts.ts"
import type * as AddressBook from "../AddressBook.ts"
import type * as Entry from "../Entry.ts"
import { InvalidSlice } from "../InvalidSlice.ts"
import type * as Outcome from "../Outcome.ts"
import type * as Policy from "../Policy.ts"
import { PolicyError } from "../PolicyError.ts"
import type * as Report from "../Report.ts"
import { Unordered } from "../Unordered.ts"
import * as Accepting from "./Accepting.ts"
import * as Admission from "./engine/ledger/Admission.ts"
import { append } from "./engine/ledger/Column.ts"
import * as Asides from "./engine/outcomes/Asides.ts"
import * as Outcomes from "./engine/outcomes/Outcomes.ts"
import * as Unusable from "./engine/outcomes/Unusable.ts"
import * as Driver from "./engine/stream/Driver.ts"
import * as Spoken from "./engine/stream/Spoken.ts"
import * as Links from "./engine/tiers/Links.ts"
import * as Promised from "./Promised.ts"
import * as Collector from "./report/Collector.ts"
import * as Seen from "./report/Seen.ts"
import * as Steps from "./Steps.ts"
import * as Times from "./Times.ts"

/** A stream of slices of entries, in order of time: one side of the books. */
export type Side<E = never, R = never> = Stream.Stream<Slice.Slice<Entry.Entry>, E, R>

export interface Options {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
  /** `[from, to)` in Unix ms. Entries outside serve as candidates only. */
  readonly range?: Coverage.Interval | undefined
  /** The time of the last reading, Unix ms; default: that of the slices. */
  readonly asOf?: number | undefined
  /** Tells which breaks a person accepted; default: none. */
  readonly accepted?: Accepting.Accepting | undefined
}

/** An outcome, or the summary after the last of them. */
export type Event =
  | { readonly _tag: "Outcome"; readonly outcome: Outcome.Outcome }
  | { readonly _tag: "Summary"; readonly summary: Report.Summary }

/** The number of entries that are gathered before they are decided together. */
const STEP = 8192

/** One side while it is read. */
interface Reading<E> {
  readonly side: Entry.Side
  readonly pull: Pull.Pull<Arr.NonEmptyReadonlyArray<Slice.Slice<Entry.Entry>>, E>
  /** All entries before it have come, Unix ms. */
  watermark: number
  readonly spoken: Spoken.Spoken
  /** Whether the side has ended. */
  ended: boolean
  entries: Array<Entry.Entry>
}

const run = <E1, E2>(
  deposits: Reading<E1>["pull"],
  transfers: Reading<E2>["pull"],
  options: Options
): Pull.Pull<Arr.NonEmptyReadonlyArray<Event>, E1 | E2 | InvalidSlice | PolicyError | Unordered> => {
  const { policy } = options
  const driver = Driver.make(options)
  const report = Collector.make(options)
  const seen = Seen.make(options)
  const begun = { watermark: Number.NEGATIVE_INFINITY, ended: false }
  const left: Reading<E1> = { side: "deposit", pull: deposits, ...begun, spoken: Spoken.make("deposits"), entries: [] }
  const right: Reading<E2> = {
    side: "transfer",
    pull: transfers,
    ...begun,
    spoken: Spoken.make("transfers"),
    entries: []
  }
  let bad: Array<BadRecord.BadRecord> = []
  const badOutcome = Asides.numbering()
  let unusable = Unusable.none
  let countOfBad = 0
  let coverage: ReadonlyArray<Coverage.Coverage> = []
  /** The coverage of the slices since then. */
  let fresh: Array<Coverage.Coverage> = []
  let lastReading: number | undefined
  let isDone = false
  /** What is being decided. */
  let steps: Steps.Steps<void, ReadonlyArray<Outcome.Outcome>> | undefined
  /** Whether that is the last of it. */
  let isEnd = false

  const take = <E>(
    reading: Reading<E>,
    given: Slice.Slice<Entry.Entry>
  ): Effect.Effect<void, InvalidSlice | Unordered> => {
    const invalid = InvalidSlice.of(reading.side, given)
    if (invalid !== undefined) return Effect.fail(invalid)
    const slice = Steps.run(Admission.slice(reading.side, given))
    const late = slice.records.find(({ at }) => at < reading.watermark)
    if (late !== undefined) {
      const { at, id, side } = late
      return Effect.fail(new Unordered({ side, id, at, watermark: reading.watermark }))
    }
    const early = InvalidSlice.early(reading.side, slice, reading.watermark)
    if (early !== undefined) return Effect.fail(early)
    append(reading.entries, slice.records)
    append(bad, slice.bad)
    append(fresh, slice.coverage)
    for (const { readAt } of slice.coverage) lastReading = Math.max(lastReading ?? readAt, readAt)
    seen.add(reading.side, slice.records)
    reading.spoken.add(slice.coverage)
    reading.watermark = slice.to
    return Effect.void
  }
  const read = <E>(reading: Reading<E>): Effect.Effect<void, E | InvalidSlice | Unordered> =>
    Pull.matchEffect(reading.pull, {
      onSuccess: (slices) =>
        Effect.forEach(slices, (slice) => Effect.andThen(take(reading, slice), Effect.yieldNow), { discard: true }),
      onFailure: Effect.failCause,
      onDone: () => Effect.sync(() => (reading.ended = true))
    })
  const isOver = (): boolean => left.ended && right.ended
  /** No entry of either side before it is still to come. */
  const reach = <E>({ ended, spoken, watermark }: Reading<E>): number =>
    ended ? Number.POSITIVE_INFINITY : Math.min(watermark, spoken.until())
  const watermark = (): number => Math.min(reach(left), reach(right))
  const isLeftBehind = (): boolean => !left.ended && (right.ended || left.watermark <= right.watermark)

  // Decides what came since the last time. The bad records among it are told last.
  const advance = function*(): Steps.Steps<void, ReadonlyArray<Outcome.Outcome>> {
    coverage = Coverage.merge([...coverage, ...fresh])
    unusable = Unusable.and(unusable, bad)
    countOfBad += bad.length
    const [came, told] = [{ deposits: left.entries, transfers: right.entries }, bad]
    left.entries = []
    right.entries = []
    bad = []
    fresh = []
    yield* driver.advance({ ...came, unusable, coverage, watermark: watermark(), ended: isOver() })
    yield Outcomes.inOrder(told.map(badOutcome))
  }
  const summary = (): Report.Summary =>
    Collector.summary([report.sums()], {
      ...options,
      coverage,
      asOf: options.asOf ?? lastReading,
      warnings: Seen.warnings(policy, seen.seen(driver.repeated()), countOfBad)
    })

  return Effect.gen(function*() {
    if (isDone) return yield* Cause.done()
    while (true) {
      const step = steps?.next()
      if (step !== undefined && step.done !== true) {
        const outcomes = Accepting.marked(step.value, options.accepted)
        for (const outcome of outcomes) report.add(outcome)
        const [first, ...rest] = outcomes.map((outcome): Event => ({ _tag: "Outcome", outcome }))
        yield* Effect.yieldNow
        if (first !== undefined) return [first, ...rest]
        continue
      }
      if (isEnd) break
      while (!isOver() && left.entries.length + right.entries.length < STEP) {
        yield* isLeftBehind() ? read(left) : read(right)
      }
      if (isOver()) {
        const issues = Links.issues(policy, seen.linked("deposit"), seen.linked("transfer"))
        if (issues.length > 0) return yield* new PolicyError({ issues })
        isEnd = true
      }
      steps = advance()
    }
    isDone = true
    return [{ _tag: "Summary", summary: summary() }]
  })
}

/**
 * Matches two sides as they are read.
 *
 * Before it reads, it fails with `InvalidRange` for an invalid `range` or `asOf`. Later it fails with the error of a side that
 * fails; with `InvalidSlice` where the ends of a slice or of its coverage are no interval, or a slice comes out of order; with
 * `Unordered` where an entry comes after its time was taken as complete; and, in the end, with `PolicyError` where a link of
 * the policy joins entries of different assets.
 *
 * Duplicates and conflicting versions are seen while the first of them is kept.
 */
export const make = <E1, R1, E2, R2>(
  deposits: Side<E1, R1>,
  transfers: Side<E2, R2>,
  options: Options
): Stream.Stream<Event, E1 | E2 | InvalidRange | InvalidSlice | PolicyError | Unordered, R1 | R2> => {
  const invalid = Times.invalid(options) ?? Promised.invalid(options)
  if (invalid !== undefined) return Stream.fail(invalid)
  return Stream.transformPull(
    deposits,
    (pull, scope) => Effect.map(Scope.provide(Stream.toPull(transfers), scope), (other) => run(pull, other, options))
  )
}

/** Gives the outcomes alone. */
export const outcomes = <E, R>(events: Stream.Stream<Event, E, R>): Stream.Stream<Outcome.Outcome, E, R> =>
  events.pipe(Stream.filter((event) => event._tag === "Outcome"), Stream.map(({ outcome }) => outcome))
