/**
 * Defines the slice, the one currency between a source and its readers. It carries records, the knowledge about their
 * completeness, and the passing of time together.
 */
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as BadRecord from "./BadRecord.ts"
import * as Coverage from "./Coverage.ts"
import * as SourceEnd from "./SourceEnd.ts"

/**
 * All records of a source whose own time lies in `[from, to)`, in time order, with those that could not be read.
 *
 * Slices of one stream do not overlap and come in time order. `coverage` speaks about `[from, to)` only and may hold
 * several values: one a query, or a complete part and an open tail.
 */
export interface Slice<out Record> {
  /** First millisecond of record time (Unix, inclusive). */
  readonly from: number
  /** End of record time (Unix ms, exclusive). */
  readonly to: number
  /** The records whose own time lies in the slice, in order of time. */
  readonly records: ReadonlyArray<Record>
  /** The records of the slice that could not be read. */
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** The statements about completeness, of the slice's own time alone. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

/** All entries of some whole milliseconds. */
export interface Block<out Entry> {
  /** The entries of the block, in order of time. */
  readonly entries: ReadonlyArray<Entry>
  /** The time before which every entry has come, Unix ms; absent when the stream has ended by itself. */
  readonly next: number | undefined
}

interface Held<in out Entry> {
  /** The last time that has come, Unix ms. */
  readonly at: number
  /** The entries of that millisecond. */
  readonly held: Array<Entry>
}

/**
 * Cuts entries that come in order of time (`at`, Unix ms) into blocks of whole milliseconds. The last millisecond is held back,
 * because more entries may come of it. The last block, which may be empty, comes only when the stream ends by itself. An entry
 * whose `at` is no time stays beside those that it came with.
 */
export const blocks = <Entry extends { readonly at: number }, E, R>(
  entries: Stream.Stream<Entry, E, R>
): Stream.Stream<Block<Entry>, E, R> =>
  Stream.mapAccum(
    SourceEnd.chunks(entries),
    (): Held<Entry> => ({ at: Number.NEGATIVE_INFINITY, held: [] }),
    ({ at: before, held }, chunk): readonly [Held<Entry>, ReadonlyArray<Block<Entry>>] => {
      if (chunk.length === 0) return [{ at: before, held: [] }, [{ entries: held, next: undefined }]]
      const last = chunk.reduce((latest, { at }) => (Number.isSafeInteger(at) ? Math.max(latest, at) : latest), before)
      // Only new entries are looked at: a millisecond may fill very many chunks.
      const [past, next] = last > before ? [held, []] : [[], held]
      for (const entry of chunk) (entry.at < last ? past : next).push(entry)
      return [{ at: last, held: next }, past.length > 0 ? [{ entries: past, next: last }] : []]
    }
  )

/** Makes slices of entries that all have a time. */
const ofPlaced = <Entry extends { readonly at: number }, E, R>(
  entries: Stream.Stream<Entry, E, R>,
  coverage: ReadonlyArray<Coverage.Coverage>
): Stream.Stream<Slice<Entry>, E, R> => {
  const vouched = coverage.filter(Coverage.isInterval)
  const begin = Math.min(...vouched.map(({ from }) => from))
  const end = Math.max(...vouched.map(({ to }) => to))
  const slice = (from: number, to: number, records: ReadonlyArray<Entry>): Slice<Entry> => ({
    from,
    to,
    records,
    bad: [],
    coverage: Coverage.clip(vouched, { from, to })
  })
  const slices = Stream.mapAccum(
    blocks(entries),
    () => begin,
    (from, { entries, next }): readonly [number, ReadonlyArray<Slice<Entry>>] => {
      let [first, last] = [from, end]
      for (const { at } of entries) {
        first = Math.min(first, at)
        last = Math.max(last, at + 1)
      }
      // There is neither coverage nor an entry, so there is no slice.
      if (first === Number.POSITIVE_INFINITY) return [from, []]
      const to = next ?? Math.max(first, last)
      return [to, to > first || entries.length > 0 ? [slice(first, to, entries)] : []]
    }
  )
  const refused = coverage.filter((part): boolean => !Coverage.isInterval(part)).map((part): Slice<Entry> => ({
    from: part.from,
    to: part.to,
    records: [],
    bad: [],
    coverage: [part]
  }))
  return refused.length === 0 ? slices : Stream.concat(Stream.fromIterable(refused), slices)
}

type Side = BadRecord.BadRecord["side"]

/** Returns the side that an entry names. */
const named = ({ side }: { readonly side?: unknown }): Side => side === "transfer" ? "transfer" : "deposit"

/** Returns the side that a source is about: its coverage says it, or else its entries. */
const sideOf = ([first]: ReadonlyArray<Coverage.Coverage>, entry: object): Side => {
  if (first !== undefined) return first.operation === "transfers" ? "transfer" : "deposit"
  return Result.getOrElse(Result.try(() => named(Object(entry))), () => "deposit")
}

/** Returns why an entry cannot stand in any slice; undefined where it can. */
const unplaced = (entry: { readonly at?: unknown } | null | undefined): BadRecord.Unlike | undefined =>
  Number.isSafeInteger(entry?.at) ? undefined : { path: "at", wanted: "a time in whole Unix ms", came: entry?.at }

/** Returns the bad record for an entry without a time; undefined where it has one. */
const refused = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  entry: { readonly at: number }
): BadRecord.BadRecord | undefined => {
  const unlike = Result.getOrElse(
    Result.try(() => unplaced(entry)),
    () => ({ path: "", wanted: "an entry that can be read", came: entry })
  )
  if (unlike === undefined) return undefined
  return BadRecord.ofEntry(sideOf(coverage, entry), entry, unlike)
}

const slices = <Entry extends { readonly at: number }, E, R>(
  entries: Stream.Stream<Entry, E, R>,
  coverage: ReadonlyArray<Coverage.Coverage>
): Stream.Stream<Slice<Entry>, E, R> =>
  Stream.suspend(() => {
    const given: ReadonlyArray<Coverage.Coverage> = Array.isArray(coverage) ? coverage : [coverage]
    const vouched = given.flatMap((one) => Object(one) === one ? [one] : Coverage.believed([one], "deposits"))
    let bad: Array<BadRecord.BadRecord> = []
    let end = 0
    const placed = Stream.filter(entries, (entry) => {
      const record = refused(vouched, entry)
      if (record !== undefined) bad.push(record)
      return record === undefined
    })
    const withBad = (slice: Slice<Entry>): Slice<Entry> => {
      end = slice.to
      const waiting = bad
      bad = []
      return waiting.length === 0 ? slice : { ...slice, bad: waiting }
    }
    const rest = Stream.suspend(() =>
      bad.length === 0
        ? Stream.empty
        : Stream.make(withBad({ from: end, to: end, records: [], bad: [], coverage: [] }))
    )
    return Stream.concat(Stream.map(ofPlaced(placed, vouched), withBad), rest)
  })

/**
 * Makes slices of a user's own source from its entries, in order of time (`at`, Unix ms), and the coverage that its owner vouches
 * for. Entries of one millisecond never stand in two slices. The last slice, which reaches to the end of that coverage, comes
 * only when the source ends by itself. Coverage of no valid interval is passed on as it is, in a slice of its own, for the reader
 * to refuse. An entry whose `at` is no whole number is a bad record of the slice that comes next.
 */
export const fromEntries: {
  (coverage: ReadonlyArray<Coverage.Coverage>): <Entry extends { readonly at: number }, E, R>(
    entries: Stream.Stream<Entry, E, R>
  ) => Stream.Stream<Slice<Entry>, E, R>
  <Entry extends { readonly at: number }, E, R>(
    entries: Stream.Stream<Entry, E, R>,
    coverage: ReadonlyArray<Coverage.Coverage>
  ): Stream.Stream<Slice<Entry>, E, R>
} = /*#__PURE__*/ dual(2, slices)
