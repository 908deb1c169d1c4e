/** Cuts a range into slices, reads them in parallel, and says of each millisecond what is known about it. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import type * as BrokerError from "../BrokerError.ts"
import type * as Coverage from "../Coverage.ts"
import type * as Slice from "../Slice.ts"
import * as Span from "../Span.ts"
import type * as Evidence from "./Evidence.ts"
import type * as ServerClock from "./ServerClock.ts"
import * as SliceReader from "./SliceReader.ts"

export interface Options<Record> {
  readonly source: SliceReader.Source<Record, BrokerError.BrokerError>
  readonly evidence: Evidence.Evidence
  readonly clock: Pick<ServerClock.ServerClock, "now">
  /** What the coverage is about. */
  readonly scope: Pick<Coverage.Coverage, "operation" | "query">
  readonly from: number
  readonly to: number
  /** Coverage ends here at the latest, Unix ms; absent: `settle` before the scan's start. */
  readonly coverUntil?: number | undefined
  /** Longest slice, ms. */
  readonly sliceLength: number
  /** Records younger than this may still be joined by others, ms. */
  readonly settle: number
  /** The age up to which the service certainly knows its records, ms. */
  readonly history: number
  readonly concurrency: number
}

/**
 * Slices of at most `length`, cut once more at each of `borders`, so that what still moves, or may be forgotten, disturbs no
 * proof of what is neither.
 */
const cut = (
  { from, to }: Coverage.Interval,
  length: number,
  borders: ReadonlyArray<number>
): ReadonlyArray<Coverage.Interval> => {
  const slices: Array<Coverage.Interval> = []
  for (let start = from; start < to;) {
    const end = Math.min(start + length, to, ...borders.filter((border) => border > start))
    slices.push({ from: start, to: end })
    start = end
  }
  return slices
}

/** Trouble that makes every further request pointless; other trouble, or a refusal of old times, is a gap in one slice. */
const isFatal = (error: BrokerError.BrokerError): boolean =>
  error.category === "request" || error.category === "credentials" || error.category === "account"

/** What a span may say of a slice: counts, and the kind of a gap, whose words may quote records. */
const describe = (span: Tracer.Span, { bad, gap, records }: SliceReader.Reading<unknown>) =>
  Effect.sync(() => {
    span.attribute("tallystick.records", records.length)
    span.attribute("tallystick.bad_records", bad.length)
    if (gap !== undefined) span.attribute("tallystick.gap", gap.code)
  })

export const scan = <Record>(options: Options<Record>): Stream.Stream<Slice.Slice<Record>, BrokerError.BrokerError> => {
  const { history, scope, source } = options

  /** Trouble with one page is a gap in its slice, which keeps what other pages showed. */
  const page: typeof source.page = (startTime, endTime, number) =>
    source.page(startTime, endTime, number).pipe(
      Span.within("Broker.scan.page", { attributes: { "tallystick.page": number } }),
      Effect.catch((error) =>
        Effect.flatMap(options.clock.now, (at) => {
          const asksTooFarBack = error.reason._tag === "InvalidRequest" && startTime < at.latest - history
          return isFatal(error) && !asksTooFarBack ? Effect.fail(error) : Effect.succeed({
            page: { records: [], bad: [] },
            at,
            failed: { code: "failed-page" as const, detail: error.message }
          })
        })
      )
    )
  const read = SliceReader.make({ ...source, page }, options.evidence)

  /** What is said about `[from, to)`: forgotten, then proven or not, then still open. */
  const coverage = (slice: Coverage.Interval, reading: SliceReader.Reading<Record>, settledAtStart: number) => {
    // The clock may have been put right since the start: an answer is no witness for what came after it.
    const settled = Math.min(settledAtStart, reading.at.earliest - options.settle)
    const forgotten = Math.min(Math.max(reading.at.latest - history, slice.from), slice.to)
    const open = Math.max(forgotten, Math.min(Math.max(settled, slice.from), slice.to))
    const about = { ...scope, readAt: reading.at.earliest }
    const parts: Array<Coverage.Coverage> = []
    if (forgotten > slice.from) {
      const detail = `older than the ${history / 3_600_000} hours that the service certainly keeps`
      parts.push({ ...about, from: slice.from, to: forgotten, state: "incomplete", gap: { code: "retention", detail } })
    }
    if (open > forgotten) {
      const state = reading.gap === undefined ? { state: "complete" as const } : {
        state: "incomplete" as const,
        gap: reading.gap
      }
      parts.push({ ...about, from: forgotten, to: open, ...state })
    }
    if (slice.to > open) {
      const failed = reading.gap?.code === "failed-page"
      parts.push({
        ...about,
        from: open,
        to: slice.to,
        ...(failed ? { state: "incomplete" as const, gap: reading.gap } : { state: "open" as const })
      })
    }
    return parts
  }

  const compareIdentity = (a: Record, b: Record): number => {
    const [left, right] = [source.identity(a), source.identity(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }
  const compare = (a: Record, b: Record): number => source.time(a) - source.time(b) || compareIdentity(a, b)

  return Stream.unwrap(Effect.map(options.clock.now, ({ earliest, latest }) => {
    const settled = Math.min(earliest - options.settle, options.coverUntil ?? Number.POSITIVE_INFINITY)
    return Stream.fromIterable(cut(options, options.sliceLength, [latest - history, settled])).pipe(
      Stream.mapEffect((slice) =>
        Span.use("Broker.scan.slice", {
          attributes: { "tallystick.slice.from": slice.from, "tallystick.slice.to": slice.to }
        }, (span) => Effect.tap(read(slice.from, slice.to), (reading) => describe(span, reading))).pipe(
          Effect.map((reading): Slice.Slice<Record> => ({
            from: slice.from,
            to: slice.to,
            records: reading.records.toSorted(compare),
            bad: reading.bad,
            coverage: coverage(slice, reading, settled)
          }))
        ), { concurrency: options.concurrency })
    )
  }))
}
