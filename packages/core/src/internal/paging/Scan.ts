/** Cuts a range into slices, reads them in parallel, and says of each millisecond what is known about it. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import type * as BrokerError from "../../BrokerError.ts"
import type * as Coverage from "../../Coverage.ts"
import type * as Seen from "../../Seen.ts"
import type * as Slice from "../../Slice.ts"
import * as Span from "../../Span.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import * as Asking from "./Asking.ts"
import * as Latest from "./Latest.ts"
import * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"
import * as SliceReader from "./SliceReader.ts"
import * as Strays from "./Strays.ts"
import * as Vouching from "./Vouching.ts"

/** Callbacks that a scan calls while it runs. */
export interface Watch<in Record, out E = never> {
  /**
   * Runs after every response, before the next page of the same slice is requested. Slices are read in parallel, so calls may
   * overlap. The records are not proven yet, and may be shown again. A failed page is not shown. Where the callback fails, the
   * scan fails.
   */
  readonly onPage?: ((page: Seen.Seen<Record>) => Effect.Effect<void, E>) | undefined
  /** Runs once, before the first page is requested, with the number of planned slices. The scan may add slices later. */
  readonly onPlan?: ((slices: number) => Effect.Effect<void, E>) | undefined
}

export interface Options<Record, E = never> extends Watch<Record, E> {
  readonly source: Asking.Source<Record, BrokerError.RequestError>
  readonly lengths: PageLengths.PageLengths
  readonly clock: Pick<ServerClock.ServerClock, "now">
  /** Gives the failure of a page that would not be requested if a scan asked for it now. */
  readonly unasked: Effect.Effect<BrokerError.RequestError | undefined>
  /** The operation and the query that the coverage is about. */
  readonly scope: Pick<Coverage.Coverage, "operation" | "query">
  readonly from: number
  readonly to: number
  /** Coverage ends here at the latest, Unix ms; absent: `settle` before the scan's start. */
  readonly coverUntil?: number | undefined
  /** Longest slice, ms. */
  readonly sliceLength: number
  /**
   * Settled time at the end of the range that is no longer than this, ms, is asked for together with the time that is not settled
   * yet: one list instead of two. 0: never.
   */
  readonly joined: number
  /** Records younger than this may still be joined by others, ms. */
  readonly settle: number
  /** The age up to which the service certainly knows its records, ms. */
  readonly history: number
  readonly concurrency: number
}

/**
 * Cuts an interval at each of `borders`. Records that may still arrive, or may soon be forgotten, then lie in pieces of their own
 * and cannot disturb the proof of the others.
 */
const pieces = ({ from, to }: Coverage.Interval, borders: ReadonlyArray<number>): ReadonlyArray<Coverage.Interval> => {
  const inside = borders.filter((border) => border > from && border < to).toSorted((a, b) => a - b)
  const ends = [...new Set(inside), to]
  return ends.map((end, index) => ({ from: ends[index - 1] ?? from, to: end }))
}

interface Planned extends Coverage.Interval {
  /** The longest slice into which this part is cut, ms. */
  readonly length: number
}

/** Whether slices of this length end on whole minutes: a service may filter by whole minutes. */
const byMinutes = (length: number): boolean => length >= 2 * Asking.MINUTE

const minuteBefore = (time: number): number => Math.floor(time / Asking.MINUTE) * Asking.MINUTE

/**
 * Returns the end of the slice that begins at `start`. A service that filters by minutes shows nothing of a shorter slice, so
 * only a range that is itself shorter than a minute gives one.
 */
const endOf = (start: number, length: number, to: number): number => {
  if (start + length >= to) return to
  if (!byMinutes(length)) return start + length
  const end = minuteBefore(start + length)
  return to - end < Asking.MINUTE ? end - Asking.MINUTE : end
}

// A long range has very many slices, so they are made one at a time.
function* slicesOf(parts: ReadonlyArray<Planned>): Iterable<Coverage.Interval> {
  for (const { from, length, to } of parts) {
    for (let start = from; start < to;) {
      const end = endOf(start, length, to)
      yield { from: start, to: end }
      start = end
    }
  }
}

const count = (parts: ReadonlyArray<Planned>): number =>
  parts.reduce((sum, { from, length, to }) => {
    const first = endOf(from, length, to)
    return sum + 1 + Math.ceil((to - first) / Math.max(1, endOf(first, length, to) - first))
  }, 0)

/** How often a piece is read again because the service forgot a part of it during the reading. */
const REREADINGS = 2

/** Whether an error makes every further request pointless. Any other error is a gap in one slice. */
const isFatal = (error: BrokerError.RequestError): boolean =>
  error.category === "request" || error.category === "credentials" || error.category === "account"

const failedPage = ({ message }: BrokerError.RequestError): Coverage.Gap => ({ code: "failed-page", detail: message })

/** Annotates a span with counts and the code of a gap. The detail of a gap may quote records, so it is left out. */
const describe = (span: Tracer.Span, { bad, gap, records }: Reading.Reading<unknown>) =>
  Effect.sync(() => {
    span.attribute("tallystick.records", records.length)
    span.attribute("tallystick.bad_records", bad.length)
    if (gap !== undefined) span.attribute("tallystick.gap", gap.code)
  })

export const scan = <Record, E = never>(
  options: Options<Record, E>
): Stream.Stream<Slice.Slice<Record>, BrokerError.RequestError | E> => {
  const { lengths, history, onPage, scope, settle, source } = options

  /**
   * Requests a page. A failed page becomes a gap in its slice, and so does the refusal of a time that lies too far back. The
   * slice keeps the records of its other pages.
   */
  const answered: typeof source.page = (startTime, endTime, wanted) =>
    source.page(startTime, endTime, wanted).pipe(
      Span.within("Broker.scan.page", { attributes: { "tallystick.page": wanted.page ?? 1 } }),
      Effect.catch((error) =>
        Effect.flatMap(options.clock.now, (at) => {
          const isRefused = error.reason._tag === "InvalidRequest" || error.reason._tag === "InvalidParameter"
          const asksTooFarBack = isRefused && startTime < at.latest - history
          return isFatal(error) && !asksTooFarBack
            ? Effect.fail(error)
            : Effect.succeed({ page: { records: [], bad: [] }, at, failed: failedPage(error) })
        })
      )
    )
  const latest = Latest.make(source.identity)
  const strays = Strays.make(source)
  /** Shows each page to `onPage` after it was accepted: a failing `onPage` is the caller's error, and no gap. */
  const page: Asking.Source<Record, BrokerError.RequestError | E>["page"] = (startTime, endTime, wanted) =>
    Effect.tap(
      answered(startTime, endTime, wanted),
      ({ at, failed, page: { bad, records } }) => {
        strays.show(startTime, endTime, records)
        if (onPage === undefined) return Effect.void
        latest.show(records)
        if (failed !== undefined) return Effect.void
        const asked = { from: startTime + 1, to: Math.max(endTime, startTime + 2) }
        return onPage({ records, bad, readAt: at.earliest, asked })
      }
    )
  const { check, read, readPages } = SliceReader.make({ ...source, page }, lengths)

  const compareIdentity = (a: Record, b: Record): number => {
    const [left, right] = [source.identity(a), source.identity(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }
  const compare = (a: Record, b: Record): number => source.time(a) - source.time(b) || compareIdentity(a, b)

  const retention = (detail: string): Coverage.Gap => ({ code: "retention", detail })

  /**
   * Returns the time before which the service may soon forget records (`fading`), and the time before which no more records
   * arrive (`settled`). Where slices end on whole minutes both are whole minutes, unless `settled` ends the range or is
   * `coverUntil`.
   */
  const borders = (now: ServerClock.Moment, until = Number.POSITIVE_INFINITY) => {
    const fading = now.latest - history + settle
    const settled = Math.min(now.earliest - settle, until)
    return byMinutes(options.sliceLength)
      ? {
        fading: minuteBefore(fading + Asking.MINUTE - 1),
        settled: settled < options.to && settled !== options.coverUntil ? minuteBefore(settled) : settled
      }
      : { fading, settled }
  }

  const FADED = retention("the service forgot parts of it while it was read")

  /**
   * Returns the coverage of `[from, to)` in order of time: the forgotten part, the part that is complete or has a gap, and the
   * part that is still open.
   */
  const coverage = (slice: Coverage.Interval, reading: Reading.Reading<Record>, settled: number) => {
    const forgotten = Math.min(Math.max(reading.at.latest - history, slice.from), slice.to)
    const open = Math.max(forgotten, Math.min(Math.max(settled, slice.from), slice.to))
    const about = { ...scope, readAt: reading.at.earliest }
    const parts: Array<Coverage.Coverage> = []
    if (forgotten > slice.from) {
      const gap = retention(`older than the ${history / 3_600_000} hours that the service certainly keeps`)
      parts.push({ ...about, from: slice.from, to: forgotten, state: "incomplete", gap })
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

  /**
   * Whether the service forgot records of `[from, to)` between the first answer and the last. Pages shift then, and nothing shows
   * it.
   */
  const fadedDuring = ({ from, to }: Coverage.Interval, { earliest, latest }: ServerClock.Moment): boolean =>
    latest > earliest && latest - history >= from && earliest - history < to

  const spanned = (slice: Coverage.Interval, shown?: Reading.Shown<Record>) =>
    Span.use("Broker.scan.slice", {
      attributes: { "tallystick.slice.from": slice.from, "tallystick.slice.to": slice.to }
    }, (span) => Effect.tap(read(slice.from, slice.to, shown), (reading) => describe(span, reading)))

  /**
   * Whether a reading proves the settled part of its slice although its last records may still be joined by others or go. One
   * response that shows all of it does; between two of them a record that goes would push a settled one out of sight.
   */
  const provesBoth = ({ gap, listing }: Reading.Reading<Record>): boolean => gap === undefined && listing.pages <= 1

  const isAnswered = ({ gap }: Reading.Reading<Record>): boolean => gap?.code !== "failed-page"

  /**
   * Reads a slice in pieces, so that neither records that are about to be forgotten nor records that may still arrive disturb the
   * proof of the rest. A piece of which the service forgot a part during the reading is read again, with a new border.
   */
  const readPieces = Effect.fnUntraced(function*(
    slice: Coverage.Interval,
    settledAtStart: number,
    rereadings: number,
    shown?: Reading.Shown<Record>
  ): Effect.fn.Return<ReadonlyArray<Vouching.Piece<Record>>, BrokerError.RequestError | E> {
    const { fading, settled } = borders(yield* options.clock.now, settledAtStart)
    const done: Array<Vouching.Piece<Record>> = []
    const isJoined = shown === undefined && slice.from >= fading && settled > slice.from && settled < slice.to &&
      settled - slice.from <= options.joined && lengths.isTrusted()
    const whole = isJoined ? yield* spanned(slice) : undefined
    if (whole !== undefined && !fadedDuring(slice, whole.at) && (provesBoth(whole) || !isAnswered(whole))) {
      return [{ ...slice, reading: whole, settled: Math.min(settled, whole.at.earliest - settle), isAgreed: false }]
    }
    const before = shown ?? whole
    for (const piece of pieces(slice, [fading, settled])) {
      const known = before && Reading.within(source, before, piece)
      const isAgreed = !lengths.isTrusted()
      const reading = yield* spanned(piece, known)
      const faded = fadedDuring(piece, reading.at)
      if (faded && isAnswered(reading) && piece.to > fading && rereadings > 0) {
        done.push(...yield* readPieces(piece, settledAtStart, rereadings - 1, reading))
        continue
      }
      const gap = reading.gap ?? (faded ? FADED : undefined)
      done.push({
        ...piece,
        reading: { ...reading, gap },
        settled: Math.min(settled, reading.at.earliest - settle),
        isAgreed
      })
    }
    return done
  })

  const deliver = ({ from, reading, settled, to }: Vouching.Piece<Record>): Slice.Slice<Record> => ({
    from,
    to,
    records: (onPage === undefined ? reading.records : latest.take(reading.records)).toSorted(compare),
    bad: reading.bad,
    coverage: coverage({ from, to }, reading, settled)
  })

  const vouch = Vouching.make<Record, BrokerError.RequestError | E>({
    lengths,
    ...source,
    twins: source.twins === "several" ? source.identity : undefined,
    floor: Effect.map(options.clock.now, ({ latest }) => latest - history + settle),
    check: (interval, reading, settled, others) =>
      check(interval, reading, settled, others).pipe(
        Span.within("Broker.scan.check", {
          attributes: { "tallystick.slice.from": interval.from, "tallystick.slice.to": interval.to }
        })
      ),
    readPages,
    readAgain: (piece) =>
      Effect.map(spanned(piece, piece.reading), (reading) => {
        const gap = reading.gap ?? (fadedDuring(piece, reading.at) ? FADED : undefined)
        const settled = Math.min(piece.settled, reading.at.earliest - settle)
        return { ...piece, reading: { ...reading, gap }, settled, isAgreed: true }
      })
  })

  const joined = (piece: Vouching.Piece<Record>): Vouching.Piece<Record> => {
    const reading = strays.join(piece, piece.reading)
    if (reading === piece.reading) return piece
    if (piece.from < piece.settled) lengths.sawDisagreement()
    return { ...piece, reading }
  }

  /**
   * `held` holds the pieces that wait for a second reading. `last` is the last piece before them, which waits because the next
   * one may show records of its time.
   */
  interface Waiting {
    readonly held: Vouching.Held<Record>
    readonly last: Vouching.Held<Record>
  }

  const pass = ({ held, last }: Waiting, piece: Vouching.Piece<Record> | undefined) =>
    Effect.map(vouch(held, piece), ([waiting, vouched]) => {
      const all = [...last, ...vouched]
      const kept = piece === undefined ? all.length : Math.max(0, all.length - 1)
      return [{ held: waiting, last: all.slice(kept) }, all.slice(0, kept).map(joined)] as const
    })

  /** The whole range as one slice of which nothing was read. */
  const unread = (now: ServerClock.Moment, error: BrokerError.RequestError): Slice.Slice<Record> =>
    deliver({
      from: options.from,
      to: options.to,
      reading: { records: [], bad: [], gap: failedPage(error), at: now, listing: PageLengths.NOTHING },
      settled: borders(now, options.coverUntil).settled,
      isAgreed: false
    })

  return Stream.unwrap(Effect.gen(function*() {
    const now = yield* options.clock.now
    const unasked = yield* options.unasked
    const plan = options.onPlan ?? (() => Effect.void)
    if (unasked !== undefined) return Stream.fromEffect(Effect.as(plan(1), unread(now, unasked)))
    const { latest } = now
    const { fading, settled } = borders(now, options.coverUntil)
    // The future is one slice, however long it is.
    const isJoined = settled - Math.max(options.from, fading) <= options.joined && lengths.isTrusted()
    const parts = pieces(options, isJoined ? [fading, latest] : [fading, settled, latest]).map((
      { from, to }
    ): Planned => ({
      from,
      to,
      length: from >= latest ? to - from : options.sliceLength
    }))
    yield* plan(count(parts))
    return Stream.fromIterable(slicesOf(parts)).pipe(
      Stream.mapEffect((slice) => readPieces(slice, settled, REREADINGS), { concurrency: options.concurrency }),
      Stream.flattenIterable,
      Stream.concat(Stream.succeed(undefined)),
      Stream.mapAccumEffect((): Waiting => ({ held: [], last: [] }), pass),
      Stream.map(deliver)
    )
  }))
}
