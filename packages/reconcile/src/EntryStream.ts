/**
 * Slices of entries from rows as they are read, in order of time, whatever the number of rows.
 *
 * Rows that are out of place by no more than a limit are put in order; what cannot be read is a bad record beside the rows
 * that came before it.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Entry from "./Entry.ts"
import * as EntryReader from "./EntryReader.ts"
import * as TimeOrder from "./TimeOrder.ts"
import { Unordered } from "./Unordered.ts"

export interface Options extends EntryReader.Options {
  /** How many rows are held back, and so how far out of place one may be; default `TimeOrder.LIMIT`. */
  readonly limit?: number
  /**
   * What is known about the interval, given the time of the first entry of all; `isLast` when the rows have ended. The
   * interval of the first slice begins at 0, that of the last ends behind the last entry.
   */
  readonly coverage: (interval: Coverage.Interval, first: number | undefined, isLast: boolean) => {
    readonly to: number
    readonly coverage: ReadonlyArray<Coverage.Coverage>
  }
}

/** A row, or what stood in the place of one and could not be read as a row. */
export type Source = Result.Result<EntryReader.Row, BadRecord.BadRecord>

type Item =
  | { readonly at: number; readonly decoded: EntryReader.Decoded }
  | { readonly at: number; readonly bad: BadRecord.BadRecord }

interface State {
  /** Where the next slice begins, Unix ms. */
  readonly from: number
  readonly first: number | undefined
  /** Of the last millisecond, because more may come of it. */
  readonly held: ReadonlyArray<Item>
}

const end = Symbol.for("end")

const idOf = (item: Item): string => {
  if ("bad" in item) return item.bad.source
  return "entry" in item.decoded ? item.decoded.entry.id : item.decoded.record.txId
}

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
          const decoded = Result.flatMap(row, (row) => EntryReader.decode(side, row, options, now))
          if (Result.isFailure(decoded)) return { at: last, bad: decoded.failure }
          last = decoded.success.at
          return { at: last, decoded: decoded.success }
        })
        return [last, found]
      }))
  )

  const slice = Effect.fnUntraced(function*(
    { first, from }: State,
    items: ReadonlyArray<Item>,
    to: number,
    isLast: boolean
  ) {
    const known = options.coverage({ from, to }, first, isLast)
    return {
      from,
      to: known.to,
      records: yield* EntryReader.entries(items.flatMap((item) => ("decoded" in item ? [item.decoded] : [])), options),
      bad: items.flatMap((item) => ("bad" in item ? [item.bad] : [])),
      coverage: known.coverage
    } satisfies Slice.Slice<Entry.Entry>
  })

  return items.pipe(
    TimeOrder.sort({
      ...(options.limit === undefined ? {} : { limit: options.limit }),
      late: (item, watermark) => new Unordered({ side, id: idOf(item), at: item.at, watermark })
    }),
    Stream.map((item): Item | typeof end => item),
    Stream.concat(Stream.succeed<typeof end>(end)),
    Stream.mapAccumArrayEffect(
      (): State => ({ from: 0, first: undefined, held: [] }),
      Effect.fnUntraced(function*(state, chunk) {
        const items = [...state.held, ...chunk.filter((item) => item !== end)]
        const last = items.at(-1)?.at
        const first = state.first ?? items.find((item) => "decoded" in item)?.at
        if (chunk.at(-1) === end) {
          const to = last === undefined ? state.from : Math.max(last + 1, state.from)
          return [state, [yield* slice({ ...state, first }, items, to, true)]] as const
        }
        if (last === undefined || last <= state.from) return [{ ...state, first, held: items }, []] as const
        const made = yield* slice({ ...state, first }, items.filter(({ at }) => at < last), last, false)
        return [{ from: last, first, held: items.filter(({ at }) => at >= last) }, [made]] as const
      })
    )
  )
}
