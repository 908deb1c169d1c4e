/** Reads what monitoring wants to know of an archive at one moment. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Archive from "./Archive.ts"
import type * as ArchiveError from "./ArchiveError.ts"
import type * as Covered from "./internal/coverage/Covered.ts"
import * as Metrics from "./Metrics.ts"
import * as Notices from "./Notices.ts"
import type * as OpenItem from "./OpenItem.ts"
import * as OpenItems from "./OpenItems.ts"
import * as Status from "./Status.ts"

/** The facts of an archive. */
export interface Reading {
  /** The exchange forgets the first deposit that may be unread at this time, Unix ms; absent as long as nothing was read. */
  readonly forgets?: number
  /** The exchange was read last at this time, Unix ms; absent as long as nothing was. */
  readonly lastReading?: number
  /** What waits in the books; absent before the first execution. */
  readonly books?: OpenItem.Totals
  readonly notices: Notices.Unsent
}

/** An attempt that came to nothing leaves a gap, and a person's word is no reading. */
const lastReading = (coverage: ReadonlyArray<Covered.Covered>): number | undefined =>
  coverage.reduce<number | undefined>(
    (last, { readAt, state, vouched }) => state === "incomplete" || vouched ? last : Math.max(last ?? readAt, readAt),
    undefined
  )

/**
 * Tells when the exchange was read last, and when it forgets the first deposit that may be unread: neither as long as nothing was read.
 * `depositHistory` says how long the exchange shows deposits (`Conventions.depositHistory`).
 */
export const readings = Effect.fnUntraced(function*(
  depositHistory: Duration.Input
): Effect.fn.Return<Pick<Reading, "forgets" | "lastReading">, ArchiveError.IntervalError, Archive.Archive> {
  const coverage = yield* Archive.Archive.use((archive) => archive.coverage())
  const last = lastReading(coverage)
  if (last === undefined) return {}
  const now = Math.max(yield* Clock.currentTimeMillis, last)
  return { lastReading: last, forgets: Status.deadline(coverage, now, Duration.toMillis(depositHistory)) }
})

/** A read of the archive's facts. */
export type Read = Effect.Effect<
  Reading,
  ArchiveError.IntervalError,
  Archive.Archive | Notices.Notices | OpenItems.OpenItems
>

/**
 * Makes a read of the facts of one archive. It counts what waits in the books when the ledger went on since, and not again before
 * that; everything else is two queries, of coverage and of notices that wait. `depositHistory` says how long the exchange shows deposits
 * (`Conventions.depositHistory`).
 */
export const make = (depositHistory: Duration.Input): Read => {
  let known: { readonly head: string; readonly books: Option.Option<OpenItem.Totals> } | undefined

  /** The head is read first: what is written meanwhile is read again next time. */
  const books = Effect.gen(function*() {
    const { id } = yield* Archive.Archive.use(({ ledgerEnd }) => ledgerEnd)
    if (known?.head !== id) known = { head: id, books: yield* OpenItems.OpenItems.use(({ totals }) => totals) }
    return known.books
  })

  return Effect.gen(function*() {
    const read = yield* readings(depositHistory)
    const found = yield* books
    return {
      ...read,
      ...(Option.isSome(found) ? { books: found.value } : {}),
      notices: yield* Notices.Notices.use(({ waiting }) => waiting)
    }
  })
}

const seconds = (millis: number): number => millis / 1000

const length = (parts: ReadonlyArray<Coverage.Interval>): number =>
  Timeline.union(parts).reduce((sum, { from, to }) => sum + to - from, 0)

const ofBooks = Effect.fnUntraced(function*({ executedAt, items, unread, worth }: OpenItem.Totals) {
  yield* Metric.update(Metrics.lastExecution, seconds(executedAt))
  yield* Metric.update(Metrics.unread, seconds(length(unread)))
  for (const [state, counts] of Map.groupBy(items, ({ state }) => state)) {
    const earliest = counts.reduce((least, count) => Math.min(least, count.earliest), Number.POSITIVE_INFINITY)
    yield* Metric.update(Metric.withAttributes(Metrics.oldestItem, { state }), seconds(earliest))
    for (const { code, items } of counts) {
      yield* Metric.update(Metric.withAttributes(Metrics.items, { state, code }), items)
    }
  }
  const currency = worth?.currency === undefined ? {} : { currency: worth.currency }
  for (const { side, state, unpriced, worth: exact } of worth?.totals ?? []) {
    yield* Metric.update(Metric.withAttributes(Metrics.unpriced, { side, state }), unpriced)
    if (exact === undefined) continue
    yield* Metric.update(Metric.withAttributes(Metrics.worth, { side, state, ...currency }), Number(exact))
  }
})

/**
 * Sets the gauges of `Metrics` by a reading; without one, they say no more than that there is none. A gauge of which the reading has no
 * fact is left as it was, so that `Prometheus` sets them in a registry that is empty.
 */
export const set = Effect.fnUntraced(function*(reading: Reading | undefined) {
  yield* Metric.update(Metrics.archiveRead, reading === undefined ? 0 : 1)
  if (reading === undefined) return
  const { books, forgets, lastReading, notices } = reading
  if (forgets !== undefined) yield* Metric.update(Metrics.forgets, seconds(forgets))
  if (lastReading !== undefined) yield* Metric.update(Metrics.lastReading, seconds(lastReading))
  if (books !== undefined) yield* ofBooks(books)
  yield* Metric.update(Metrics.noticesWaiting, notices.notices)
  if (notices.since !== null) yield* Metric.update(Metrics.oldestNotice, seconds(notices.since))
})
