/**
 * Turns rows, lines of JSON and CSV into slices of entries as they are read, in order of time, for any number of rows.
 *
 * Rows that are out of place by no more than a limit are put in order. A row that cannot be read becomes a bad record beside
 * the rows that came before it.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Entry from "./Entry.ts"
import * as EntryReader from "./EntryReader.ts"
import { append } from "./internal/engine/ledger/Column.ts"
import * as TextRows from "./internal/TextRows.ts"
import * as TimeOrder from "./internal/TimeOrder.ts"
import type { InvalidHeader } from "./InvalidHeader.ts"
import { Unordered } from "./Unordered.ts"

/** The number of rows that are held back by default. So many rows may come in any order. */
export const LIMIT = TimeOrder.LIMIT

/** The coverage of an interval, and the end of the slice that it belongs to, Unix ms. */
export interface Covered {
  /** The end of the slice that the coverage belongs to, exclusive, Unix ms. */
  readonly to: number
  /** The coverage of the interval. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

/** These options say of which side rows are, how they are read, and what is known about their completeness. */
export interface Options extends EntryReader.Options {
  /** The side of the books that the rows are of. */
  readonly side: Entry.Side
  /** The number of rows that are held back; a row may be out of place by so many. Default `LIMIT`. */
  readonly limit?: number
  /**
   * The coverage that the owner of the rows vouches for once all of them have come. Where it depends on the rows, it is a function
   * of an interval and the time of the first entry of all. `isLast` is true when the rows have ended. The interval of the first
   * slice begins at 0, and that of the last ends after the last entry.
   */
  readonly coverage:
    | ReadonlyArray<Coverage.Coverage>
    | ((interval: Coverage.Interval, first: number | undefined, isLast: boolean) => Covered)
}

/** How bytes are read as rows. */
export interface TextOptions extends Options {
  /** The name of the source, which bad records tell with their line: `ledger.csv`. Absent: bad records tell the line alone. */
  readonly name?: string
  /** The names that the source has for fields of a plain entry; each other field has its own name. */
  readonly names?: { readonly [Field in EntryReader.Field]?: string }
  /**
   * The longest line, in UTF-16 units; default 1,048,576. What is longer is a bad record with the beginning of the line, and no
   * more of a line than this is held.
   */
  readonly maxLine?: number
}

/** These options say how a CSV becomes entries. */
export interface CsvOptions extends TextOptions {
  /** One character between cells. Absent: the one of comma, semicolon and tab that the header has most of. */
  readonly delimiter?: string
}

/** A row, or the bad record of something that could not be read as a row. */
export type Source = Result.Result<EntryReader.Row, BadRecord.BadRecord>

type Item = EntryReader.Decoded | { readonly at: number; readonly bad: BadRecord.BadRecord }

interface State {
  /** The beginning of the next slice, Unix ms. */
  readonly from: number
  readonly first: number | undefined
}

/** The items that become a slice; it holds whole milliseconds only. */
interface Block extends State {
  readonly to: number
  readonly items: ReadonlyArray<Item>
  readonly isLast: boolean
  /** Whether the rows have failed; they may have held other rows of these times. */
  readonly isBroken: boolean
}

const isDecoded = (item: Item): item is EntryReader.Decoded => !("bad" in item)

const idOf = (item: Item): string => {
  if ("bad" in item) return item.bad.source
  return "entry" in item ? item.entry.id : item.record.txId
}

type Covering = Exclude<Options["coverage"], ReadonlyArray<unknown>>

const covering = (coverage: Options["coverage"]): Covering => {
  if (typeof coverage === "function") return coverage
  const end = Math.max(0, ...coverage.filter(Coverage.isInterval).map(({ to }) => to))
  return ({ to }, _, isLast) => ({ to: isLast ? Math.max(to, end) : to, coverage })
}

const slices = <E, R>(
  rows: Stream.Stream<Source, E, R>,
  options: Options
): Stream.Stream<Slice.Slice<Entry.Entry>, E | Unordered, R> => {
  const { side } = options
  const coverage = covering(options.coverage)
  const items = Stream.unwrap(
    Effect.map(Clock.currentTimeMillis, (now) =>
      Stream.mapAccumArray(rows, () => 0, (before, chunk) => {
        let last = before
        const found = chunk.map((row): Item => {
          if (Result.isFailure(row)) return { at: last, bad: row.failure }
          const decoded = EntryReader.decode(side, row.success, options, now)
          if (Result.isFailure(decoded)) return { at: last, bad: decoded.failure }
          last = decoded.success.at
          return decoded.success
        })
        return [last, found]
      }))
  )

  const slice = Effect.fnUntraced(function*({ first, from, isBroken, isLast, items, to }: Block) {
    const known = isBroken ? { to, coverage: [] } : coverage({ from, to }, first, isLast)
    // More rows come after a slice that is not the last: nobody can vouch for the time after it.
    const end = isLast ? known.to : to
    return {
      from,
      to: end,
      records: yield* EntryReader.entries(items.filter(isDecoded), options),
      bad: items.flatMap((item) => ("bad" in item ? [item.bad] : [])),
      coverage: known.coverage.flatMap((part) =>
        Coverage.isInterval(part) ? Coverage.clip([part], { from, to: end }) : [part]
      )
    } satisfies Slice.Slice<Entry.Entry>
  })

  return Stream.suspend(() => {
    let broken: Cause.Cause<E> | undefined
    /** Gives the rows that were held when the rows broke. */
    const rest: Array<Item> = []
    return items.pipe(
      Stream.catchCause((cause) => {
        broken = cause
        return Stream.empty
      }),
      TimeOrder.sort({
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        late: (item, watermark) => new Unordered({ side, id: idOf(item), at: item.at, watermark })
      }),
      Stream.mapAccumArray(() => undefined, (state, chunk) => {
        if (broken === undefined) return [state, chunk]
        append(rest, chunk)
        return [state, []]
      }),
      Slice.blocks,
      Stream.mapAccum(
        (): State => ({ from: 0, first: undefined }),
        ({ first: known, from }, { entries, next }): readonly [State, ReadonlyArray<Block>] => {
          const isBroken = next === undefined && broken !== undefined
          const isLast = next === undefined && broken === undefined
          const items = isBroken ? [...entries, ...rest] : entries
          const first = known ?? items.find(isDecoded)?.at
          const to = isBroken ? from : next ?? Math.max(from, (items.at(-1)?.at ?? from - 1) + 1)
          const isNothing = isBroken && items.length === 0
          return [{ from: to, first }, isNothing ? [] : [{ from, to, first, items, isLast, isBroken }]]
        }
      ),
      Stream.mapEffect(slice),
      Stream.concat(Stream.suspend(() => broken === undefined ? Stream.empty : Stream.failCause(broken))),
      // Held rows may be out of order because the rows broke.
      Stream.catchCause((cause): Stream.Stream<never, E | Unordered> => Stream.failCause(broken ?? cause))
    )
  })
}

/**
 * Makes the slices of one side from its rows. Rows that cannot be read become bad records. The stream fails as `rows` does,
 * and with `Unordered` where a row is further out of place than `limit` allows.
 *
 * Before the stream fails as `rows` does, it gives the rows that it held to put them in order. They come in a slice that
 * ends where it begins and has no coverage: other rows of their time may not have been read, so their time has not passed.
 */
export const fromRows: {
  (options: Options): <E, R>(
    rows: Stream.Stream<Source, E, R>
  ) => Stream.Stream<Slice.Slice<Entry.Entry>, E | Unordered, R>
  <E, R>(
    rows: Stream.Stream<Source, E, R>,
    options: Options
  ): Stream.Stream<Slice.Slice<Entry.Entry>, E | Unordered, R>
} = /*#__PURE__*/ dual(2, slices)

/**
 * Makes the slices of one side from lines of JSON, of the service's own records or of plain entries, in UTF-8. Lines end with LF, CRLF
 * or CR, the last one need not, and blank ones and a byte order mark are left out.
 *
 * A line that is no JSON, no UTF-8 or longer than `maxLine` becomes a bad record with its number and its text. The stream fails
 * and vouches for time as `fromRows` does.
 */
export const fromNdjson: {
  (options: TextOptions): <E, R>(
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Stream.Stream<Slice.Slice<Entry.Entry>, E | Unordered, R>
  <E, R>(
    bytes: Stream.Stream<Uint8Array, E, R>,
    options: TextOptions
  ): Stream.Stream<Slice.Slice<Entry.Entry>, E | Unordered, R>
} = /*#__PURE__*/ dual(
  2,
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, options: TextOptions) =>
    slices(TextRows.ndjson(bytes, options), options)
)

/**
 * Makes the slices of one side from CSV (RFC 4180) with a header, in UTF-8. The columns have the names of the service's own
 * records, or of a plain entry, or those that `names` gives them; other columns are not read.
 *
 * A row that is no CSV, whose cells are more or fewer than the header's, that is no UTF-8 or longer than `maxLine` becomes a bad
 * record with the number of its first line and its text; the row after it is read. The last line need not end, so that nobody
 * can tell whether its last cell is whole: where the bytes may be cut off, compare their number with what was sent.
 *
 * The stream fails with `InvalidHeader` where nothing stands in it, a needed column is absent, two have one name, or one is nearly
 * that of another. Else it fails and vouches for time as `fromRows` does. Rows are read some 256 KiB at a time; those of them that
 * had come when the bytes fail are not given.
 */
export const fromCsv: {
  (options: CsvOptions): <E, R>(
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Stream.Stream<Slice.Slice<Entry.Entry>, E | InvalidHeader | Unordered, R>
  <E, R>(
    bytes: Stream.Stream<Uint8Array, E, R>,
    options: CsvOptions
  ): Stream.Stream<Slice.Slice<Entry.Entry>, E | InvalidHeader | Unordered, R>
} = /*#__PURE__*/ dual(
  2,
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, options: CsvOptions) => slices(TextRows.csv(bytes, options), options)
)
