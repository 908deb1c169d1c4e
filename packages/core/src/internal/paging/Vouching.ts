/**
 * Holds slices back until another reading vouches for the way in which they were read.
 *
 * A slice is delivered at once when a longer list was read twice and was the same, and when ranges as long as the slice are known
 * to be answered from end to end. Other slices wait, at most twenty together. Of those the ones with the most records are read a
 * second time, until none is longer than the lists that were checked. Every twentieth slice with records is read twice in any
 * case. Where two readings differ, all slices that wait, and all that follow, are read by agreement. In later rounds a few of
 * them are read in the ordinary way as well, to see whether lists may be believed again.
 */
import * as Effect from "effect/Effect"
import type * as Coverage from "../../Coverage.ts"
import * as Timeline from "../../Timeline.ts"
import type * as MethodCheck from "./MethodCheck.ts"
import type * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"

export interface Piece<Record> extends Coverage.Interval {
  readonly reading: Reading.Reading<Record>
  /** The time up to which the piece is settled, Unix ms. */
  readonly settled: number
  /** Whether the piece was read by agreement. */
  readonly isAgreed: boolean
}

export interface Options<Record, E> extends Reading.Contents<Record> {
  readonly lengths: PageLengths.PageLengths
  readonly time: (record: Record) => number
  /** Tells equal records apart; absent where equal identities are one record. */
  readonly twins: ((record: Record) => string) | undefined
  /** The first moment whose records the service certainly still knows, and will know for a while. */
  readonly floor: Effect.Effect<number>
  readonly check: (
    interval: Coverage.Interval,
    reading: Reading.Reading<Record>,
    settled: Coverage.Interval,
    others: ReadonlyArray<MethodCheck.Known<Record>>
  ) => Effect.Effect<MethodCheck.Result, E>
  /** Reads an interval in the ordinary way, although lists are not believed. */
  readonly readPages: (interval: Coverage.Interval) => Effect.Effect<Reading.Reading<Record>, E>
  /** Reads a piece again, by agreement, and keeps the records that it showed before. */
  readonly readAgain: (piece: Piece<Record>) => Effect.Effect<Piece<Record>, E>
}

/** The most slices that wait together, and the most records that they hold. */
const MOST = 20
const MOST_RECORDS = 20_000

export type Held<Record> = ReadonlyArray<Piece<Record>>

const count = (held: Held<unknown>): number => held.reduce((sum, { reading }) => sum + reading.records.length, 0)

const withGap = <Record>(piece: Piece<Record>, gap: Coverage.Gap): Piece<Record> => ({
  ...piece,
  reading: { ...piece.reading, gap }
})

export const make = <Record, E>(
  { check, content, lengths, floor, identity, readAgain, readPages, time, twins }: Options<Record, E>
) => {
  /** Returns the part of a piece that is settled and certainly known, and nothing where a gap leaves the piece unproven. */
  const provable = ({ from, reading, settled, to }: Piece<Record>, floor: number): Coverage.Interval | undefined =>
    reading.gap === undefined ? Timeline.common({ from, to }, { from: floor, to: settled }) : undefined

  /** Whether a reading of settled time lacks a record that was shown before. */
  const contradictsItself = ({ from, isAgreed, reading, settled, to }: Piece<Record>, floor: number): boolean =>
    !isAgreed && reading.gap === Reading.SHOWN_ONCE && from >= floor && to <= settled

  const counts = ({ reading }: Piece<Record>) => twins && Reading.counted(reading.records, twins)

  const needsVouching = (piece: Piece<Record>, floor: number): boolean =>
    provable(piece, floor) !== undefined && !piece.isAgreed && (
        !lengths.isTrusted() || lengths.isBeyond(piece.reading.listing) || !lengths.answers(piece.to - piece.from)
      ) || standsTwice(piece) || contradictsItself(piece, floor)

  const standsTwice = (piece: Piece<Record>): boolean =>
    !lengths.countsRecords() && Array.from(counts(piece)?.values() ?? []).some((count) => count > 1)

  const learnSingles = (piece: Piece<Record>): void => {
    if (piece.reading.gap === undefined && !lengths.countsRecords()) {
      if (Array.from(counts(piece)?.values() ?? []).some((count) => count === 1)) lengths.sawSingle()
    }
  }

  /**
   * Keeps one of several equal records, and adds a gap: as long as the service shows every record twice, nobody knows their
   * number.
   */
  const counted = (piece: Piece<Record>): Piece<Record> => {
    if (twins === undefined || !standsTwice(piece)) return piece
    const once = new Map(piece.reading.records.map((record) => [twins(record), record]))
    const reading = { ...piece.reading, records: Array.from(once.values()) }
    const gap = Reading.gap(
      "unproven",
      "every record came more than once in one response: how many there are is not known"
    )
    return withGap({ ...piece, reading }, reading.gap ?? gap)
  }

  /**
   * Returns the part of a list that was compared. Neighbouring records were listed too, but not compared, nor were pages that
   * hold only neighbours.
   */
  const compared = (
    { reading: { listing, records } }: Piece<Record>,
    { from, to }: Coverage.Interval
  ): PageLengths.Listing => {
    const compared = records.filter((record) => time(record) >= from && time(record) < to).length
    const pages = Math.min(listing.within, Math.ceil(compared / Math.max(1, listing.length)))
    return { ...listing, listed: Math.min(listing.listed, compared), pages }
  }

  const judged = Effect.fnUntraced(function*(
    piece: Piece<Record>,
    interval: Coverage.Interval,
    floor: number,
    held: Held<Record>
  ): Effect.fn.Return<Piece<Record>, E> {
    const others = held.flatMap((other) => {
      const part = other === piece ? undefined : provable(other, floor)
      return part === undefined ? [] : [{ ...part, records: other.reading.records }]
    })
    const verdict = yield* check(interval, piece.reading, { from: floor, to: piece.settled }, others)
    if (verdict === "differs") lengths.sawDisagreement()
    else if (verdict === "same") lengths.sawAgreement(compared(piece, interval))
    else if (verdict === "undecided") {
      return withGap(piece, Reading.fullMillisecond(piece.from, piece.reading.records.length))
    } else {
      if (verdict.failed.code === "source-conflict") lengths.sawDisagreement()
      return withGap(piece, verdict.failed)
    }
    return piece
  })

  const vouched = Effect.fnUntraced(function*(held: Held<Record>, isDue: boolean): Effect.fn.Return<Held<Record>, E> {
    const known = yield* floor
    held.forEach(learnSingles)
    if (held.some((piece) => contradictsItself(piece, known))) lengths.sawDisagreement()
    const pieces = Array.from(held)
    const checked = new Set<number>()
    const weight = ({ reading: { listing }, from, to }: Piece<Record>) => [listing.listed, to - from] as const
    for (let isForced = isDue;; isForced = false) {
      if (!lengths.isTrusted()) break
      let best: number | undefined
      for (const [index, piece] of pieces.entries()) {
        if (checked.has(index) || provable(piece, known) === undefined || piece.isAgreed) continue
        if (!isForced && !lengths.isBeyond(piece.reading.listing) && lengths.answers(piece.to - piece.from)) continue
        const other = best === undefined ? undefined : pieces[best]
        const [listed, length] = weight(piece)
        const [most, longest] = other === undefined ? [-1, -1] : weight(other)
        if (listed > most || (listed === most && length > longest)) best = index
      }
      const piece = best === undefined ? undefined : pieces[best]
      const interval = piece && provable(piece, known)
      if (best === undefined || piece === undefined || interval === undefined) break
      checked.add(best)
      pieces[best] = yield* judged(piece, interval, known, pieces)
    }
    const believed = lengths.isTrusted()
      ? pieces
      : yield* Effect.forEach(
        pieces,
        (piece) =>
          piece.isAgreed || piece.reading.gap?.code === "failed-page" || piece.reading.gap?.code === "source-conflict"
            ? Effect.succeed(piece)
            : readAgain(piece)
      )
    believed.forEach(learnSingles)
    return believed.map(counted)
  })

  /** Reads a piece that was read by agreement in the ordinary way as well, and checks that reading as any other. */
  const tried = Effect.fnUntraced(function*(
    piece: Piece<Record>,
    floor: number
  ): Effect.fn.Return<Piece<Record>, E> {
    const interval = provable(piece, floor)
    if (interval === undefined || !lengths.isDue(piece.reading.records.length)) return piece
    const isIn = (record: Record): boolean => time(record) >= interval.from && time(record) < interval.to
    const counts = (records: ReadonlyArray<Record>) => Reading.counted(records.filter(isIn), content ?? identity)
    const reading = yield* readPages(interval)
    if (reading.gap?.code === "failed-page") return piece
    if (reading.gap !== undefined || !Reading.sameCounts(counts(reading.records), counts(piece.reading.records))) {
      lengths.sawDisagreement()
    } else {
      const verdict = yield* check(interval, reading, { from: floor, to: piece.settled }, [])
      if (verdict === "differs") lengths.sawDisagreement()
      else if (verdict === "same") lengths.sawAgreement(compared({ ...piece, reading }, interval))
    }
    return { ...piece, reading: Reading.holding({ content, identity })(piece.reading, reading) }
  })

  /** Takes one more piece, or undefined at the end. Returns the pieces that wait and the pieces that are delivered. */
  return Effect.fnUntraced(function*(
    held: Held<Record>,
    piece: Piece<Record> | undefined
  ): Effect.fn.Return<readonly [Held<Record>, Held<Record>], E> {
    if (piece === undefined) return [[], yield* vouched(held, false)]
    if (held.length === 0) {
      learnSingles(piece)
      const known = yield* floor
      if (!needsVouching(piece, known)) {
        if (piece.reading.gap !== undefined) return [[], [piece]]
        if (!lengths.isTrusted()) return [[], [yield* tried(piece, known)]]
        return [[], lengths.isDue(piece.reading.records.length) ? yield* vouched([piece], true) : [piece]]
      }
    }
    const all = [...held, piece]
    return all.length < MOST && count(all) < MOST_RECORDS ? [all, []] : [[], yield* vouched(all, false)]
  })
}
