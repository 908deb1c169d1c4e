/**
 * Turns rows into slices of entries as they are read, in order of time, for any number of rows.
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
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Entry from "./Entry.ts"
import * as EntryReader from "./EntryReader.ts"
import { append } from "./internal/engine/ledger/Column.ts"
import * as TimeOrder from "./internal/TimeOrder.ts"
import { Unordered } from "./Unordered.ts"

/** The number of rows that are held back by default. So many rows may come in any order. */
export const LIMIT = TimeOrder.LIMIT

interface Options extends EntryReader.Options {
  /** The number of rows that are held back; a row may be out of place by so many. Default `LIMIT`. */
  readonly limit?: number
  /**
   * Returns the coverage of an interval, given the time of the first entry of all. `isLast` is true when the rows have ended. The
   * interval of the first slice begins at 0, and that of the last ends after the last entry.
   */
  readonly coverage: (interval: Coverage.Interval, first: number | undefined, isLast: boolean) => {
    readonly to: number
    readonly coverage: ReadonlyArray<Coverage.Coverage>
  }
}

/** A row, or a text in the place of one that could not be read as a row. */
type Source = Result.Result<EntryReader.Row, BadRecord.BadRecord>

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

/**
 * Makes the slices of one side from its rows. Rows that cannot be read become bad records. The stream fails as `rows` does,
 * and with `Unordered` where a row is further out of place than `limit` allows.
 *
 * Before the stream fails as `rows` does, it gives the rows that it held to put them in order. They come in a slice that
 * ends where it begins and has no coverage: other rows of their time may not have been read, so their time has not passed.
 */
export const fromRows = <E, R>(
  side: Entry.Side,
  rows: Stream.Stream<Source, E, R>,
  options: Options
): Stream.Stream<Slice.Slice<Entry.Entry>, E | Unordered, R> => {
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
    const known = isBroken ? { to, coverage: [] } : options.coverage({ from, to }, first, isLast)
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
