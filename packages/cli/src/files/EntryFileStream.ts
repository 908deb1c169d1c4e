/** One side of the books from a file as it is read: a file of lines of any length, any other form as a whole. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Lines from "@tallystick/reconcile/rows/Lines"
import * as Rows from "@tallystick/reconcile/rows/Rows"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Failure from "../Failure.ts"
import * as EntryFile from "./EntryFile.ts"
import * as FileCoverage from "./FileCoverage.ts"
import * as FileLimit from "./FileLimit.ts"
import * as InputFile from "./InputFile.ts"
import * as LineStream from "./LineStream.ts"
import * as RowFile from "./RowFile.ts"
import * as Shape from "./Shape.ts"

export interface EntryFileStream {
  readonly name: string
  /** Whether somebody vouches for what lies behind its last record. */
  readonly isVouched: boolean
  readonly slices: Stream.Stream<
    Slice.Slice<Entry.Entry>,
    Failure.Failure | Unordered,
    InputFile.Sources
  >
}

const fromLines = <E, R>(
  side: Entry.Side,
  name: string,
  text: Stream.Stream<string, E, R>,
  options: EntryFile.Options,
  now: number
) => {
  const toBad = Rows.bad(side)
  const reader = Shape.reader(name, side, options.maps[side])
  const rows = Lines.lines(text).pipe(
    Stream.map(({ number, text }) =>
      Result.flatMap(
        Result.mapError(Rows.fromJson({ source: `${name}, line ${number}`, text }), toBad),
        reader.row
      )
    ),
    Stream.concat(Stream.fromEffectDrain(reader.ended))
  )
  const vouched = options.complete ? FileCoverage.END_OF_TIME : options.to ?? 0
  const slices = EntryStream.fromRows(rows, {
    ...options,
    side,
    coverage: (interval, first, isLast) => {
      const own = first === undefined ? undefined : { from: first, to: interval.to }
      const to = isLast ? Math.max(interval.to, own === undefined ? FileCoverage.END_OF_TIME : vouched) : interval.to
      return {
        to,
        coverage: Coverage.clip(FileCoverage.of({ name, operation: `${side}s`, own }, options, now), {
          from: interval.from,
          to
        })
      }
    }
  })
  return Stream.map(slices, (slice) => ({ ...slice, bad: slice.bad.map(reader.told) }))
}

/** Reads the file of one side as it is asked for. */
export const make = (side: Entry.Side, path: string, options: EntryFile.Options): EntryFileStream => {
  const name = InputFile.nameOf(path)
  const slices = Effect.gen(function*() {
    const { begin, text } = yield* LineStream.opened(path)
    if (RowFile.isLines(begin)) return fromLines(side, name, text, options, yield* Clock.currentTimeMillis)
    const whole = yield* Stream.mkString(FileLimit.whole(path)(text))
    return Stream.make((yield* EntryFile.of(side, { name, text: whole }, options)).slice)
  })
  return { name, isVouched: options.complete || options.to !== undefined, slices: Stream.unwrap(slices) }
}
