/**
 * Every question and every record is checked before it reaches the database: a value that is not a time fails with an error
 * that names it, and a slice is believed only about itself.
 */
import * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ArchiveError } from "../../ArchiveError.ts"
import * as Scope from "../coverage/Scope.ts"
import type { History, SlicesOptions } from "./History.ts"

/** Fails with the first problem, as an error of the archive. */
export const refused = (
  ...problems: ReadonlyArray<InvalidRange | undefined>
): Effect.Effect<void, ArchiveError<InvalidRange>> => {
  const reason = problems.find((problem) => problem !== undefined)
  return reason === undefined ? Effect.void : Effect.fail(ArchiveError.of(reason))
}

/** Checks a moment, which a program without types may leave out. */
export const moment = (option: string, time: number): InvalidRange | undefined =>
  InvalidRange.ofMoment(option, time ?? null)

/** Checks that a file was not exported later than now: its word would stand above everything that the service has shown. */
const notLater = (option: string, time: number, now: number): InvalidRange | undefined =>
  time > now ? new InvalidRange({ from: time, to: time, problem: "lies in the future", option }) : undefined

/** Checks a number of records: slices without records would never end. */
const positive = (option: string, count: number | undefined): InvalidRange | undefined =>
  count === undefined || (Number.isSafeInteger(count) && count > 0)
    ? undefined
    : new InvalidRange({ from: count, to: count, problem: "is no number of records: 1 or more are wanted", option })

/** A record belongs to this operation and tells its time in this field. */
interface Told<Record> {
  readonly operation: Coverage.Coverage["operation"]
  readonly field: string
  readonly at: (record: Record) => number
}

export const history = <Record>(
  { at, field, operation }: Told<Record>,
  { importRecords, ofAssets, saveGaps, savePage, saveSlice, slices, ...rest }: History<Record>
): History<Record> => {
  const untimed = (records: ReadonlyArray<Record>): InvalidRange | undefined => {
    const record = records.find((record) => !Number.isSafeInteger(at(record)) || at(record) < 0)
    return record === undefined ? undefined : moment(field, at(record))
  }

  const readings = (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<InvalidRange | undefined> =>
    coverage.flatMap((part) => [
      Coverage.isInterval(part) ? undefined : InvalidRange.of(part),
      moment("readAt", part.readAt)
    ])

  /** Keeps only the coverage that a slice gives of its own operation, query and time. */
  const own = (slice: Slice.Slice<Record>, query: Coverage.TransferQuery | undefined): Slice.Slice<Record> => {
    const mine = Scope.about(Scope.of(operation, query))(slice.coverage)
    return { ...slice, coverage: Coverage.clip(mine, slice) }
  }

  const asked = (options: SlicesOptions) => refused(InvalidRange.of(options), positive("batch", options.batch))

  return {
    ...rest,
    savePage: (page, query) =>
      Effect.andThen(
        refused(
          moment("readAt", page.readAt),
          page.asked === undefined ? undefined : InvalidRange.of(page.asked),
          untimed(page.records)
        ),
        savePage(page, query)
      ),
    saveSlice: (slice, query) =>
      Effect.andThen(
        refused(InvalidRange.of(slice), ...readings(slice.coverage), untimed(slice.records)),
        Effect.suspend(() => saveSlice(own(slice, query), query))
      ),
    saveGaps: (gaps) =>
      Effect.andThen(
        refused(...readings(gaps)),
        Effect.suspend(() => saveGaps(gaps.filter((gap) => gap.operation === operation && gap.state === "incomplete")))
      ),
    importRecords: Effect.fnUntraced(function*(records, seenAt) {
      if (seenAt !== undefined) {
        yield* refused(moment("seenAt", seenAt), notLater("seenAt", seenAt, yield* Clock.currentTimeMillis))
      }
      yield* refused(untimed(records))
      return yield* importRecords(records, seenAt)
    }),
    slices: (options) => Stream.unwrap(Effect.map(asked(options), () => slices(options))),
    ofAssets: (assets, options) => Stream.unwrap(Effect.map(asked(options), () => ofAssets(assets, options)))
  }
}
