/** A file of deposits or transfers: how much of it can be read, from when to when, and in which order. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryReader from "@tallystick/reconcile/EntryReader"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Lines from "@tallystick/reconcile/rows/Lines"
import * as Rows from "@tallystick/reconcile/rows/Rows"
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as EntryFile from "../files/EntryFile.ts"
import * as InputFile from "../files/InputFile.ts"
import * as LineStream from "../files/LineStream.ts"
import * as RowFile from "../files/RowFile.ts"
import * as Shape from "../files/Shape.ts"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as Check from "./Check.ts"

type Read = Result.Result<EntryReader.Row, Rows.Refused>

/** The rows of a file, of lines as they come, of any other form at once. */
const rowsOf = (path: string, reader: Shape.Reader) =>
  Stream.unwrap(Effect.gen(function*() {
    const name = InputFile.nameOf(path)
    const { begin, text } = yield* LineStream.opened(path)
    if (RowFile.isLines(begin)) {
      return Stream.map(
        Lines.lines(text),
        ({ number, text }): Read => Rows.fromJson({ source: `${name}, line ${number}`, text })
      )
    }
    const { columns, refused, rows } = yield* RowFile.read({ name, text: yield* Stream.mkString(text) })
    if (columns !== undefined) yield* reader.header(columns)
    return Stream.concat(
      Stream.map(Stream.fromIterable(rows), (row): Read => Result.succeed(row)),
      Stream.map(Stream.fromIterable(refused), (refused): Read => Result.fail(refused))
    )
  }))

interface Tally {
  readonly entries: number
  readonly bad: number
  readonly firstBad: BadRecord.BadRecord | undefined
  /** Unix ms. */
  readonly earliest: number
  readonly latest: number
  /** Of the last entry. */
  readonly last: number
  /** How often an entry is younger than the one before it, and how often older. */
  readonly rises: number
  readonly falls: number
}

const nothing: Tally = {
  entries: 0,
  bad: 0,
  firstBad: undefined,
  earliest: Number.POSITIVE_INFINITY,
  latest: Number.NEGATIVE_INFINITY,
  last: Number.NaN,
  rises: 0,
  falls: 0
}

const counted = (tally: Tally, row: Result.Result<EntryReader.Decoded, BadRecord.BadRecord>): Tally => {
  if (Result.isFailure(row)) return { ...tally, bad: tally.bad + 1, firstBad: tally.firstBad ?? row.failure }
  const { at } = row.success
  return {
    ...tally,
    entries: tally.entries + 1,
    earliest: Math.min(tally.earliest, at),
    latest: Math.max(tally.latest, at),
    last: at,
    rises: tally.rises + (at > tally.last ? 1 : 0),
    falls: tally.falls + (at < tally.last ? 1 : 0)
  }
}

const order = ({ falls, rises }: Tally): string => {
  if (falls === 0) return "in order of time"
  return rises === 0 ? "youngest first" : "not in order of time"
}

const told = (
  what: "deposits" | "transfers",
  name: string,
  tally: Tally,
  { stretch }: ZonedTimes
): ReadonlyArray<Check.Check> => {
  const { bad, earliest, entries, falls, firstBad, latest } = tally
  if (entries === 0 && bad === 0) {
    return [Check.warning(what, `${name} holds no record`, "Look whether it is the file that was meant.")]
  }
  const span = `${stretch({ from: earliest, to: latest })}, ${order(tally)}`
  const first = firstBad === undefined
    ? ""
    : `the first is ${firstBad.source}: ${firstBad.path === "" ? "" : `${firstBad.path}: `}${firstBad.reason}`
  if (entries === 0) {
    return [Check.failed(
      what,
      `nothing of ${name} can be read, ${Text.counted(bad, "record")}; ${first}`,
      "Look whether --deposits and --transfers are swapped, and whether the file is NDJSON, a JSON array, or CSV with a " +
        "header, of the service's records or of plain entries (README)."
    )]
  }
  const summary = `${name}: ${Text.counted(entries, "record")}, ${span}`
  const unread = bad === 0 ? [] : [Check.warning(
    what,
    `${Text.counted(bad, "record")} of ${name} cannot be read; ${first}`,
    "Each will be a bad-record in the report, and the report not clean: correct them at their source."
  )]
  const isLong = falls > 0 && entries > EntryStream.LIMIT
  return [
    isLong
      ? Check.warning(
        what,
        summary,
        `--format ndjson needs rows that are out of place by no more than ${
          Text.count(EntryStream.LIMIT)
        }: sort the file ` +
          "by time, or use another format, which reads everything first."
      )
      : Check.ok(what, summary),
    ...unread
  ]
}

/** Nothing without a file. */
export const look = (
  side: Entry.Side,
  path: Option.Option<string>,
  options: EntryReader.Options & Pick<EntryFile.Options, "maps">,
  times: ZonedTimes
) => {
  const what = `${side}s` as const
  return Option.match(path, {
    onNone: () => Effect.succeed<ReadonlyArray<Check.Check>>([]),
    onSome: (path) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        const bad = Rows.bad(side)
        const reader = Shape.reader(InputFile.nameOf(path), side, options.maps[side])
        const tally = yield* rowsOf(path, reader).pipe(
          Stream.map((row) =>
            Result.mapError(
              Result.flatMap(
                Result.flatMap(Result.mapError(row, bad), reader.row),
                (row) => EntryReader.decode(side, row, options, now)
              ),
              reader.told
            )
          ),
          Stream.runFold(() => nothing, counted)
        )
        yield* reader.ended
        return told(what, InputFile.nameOf(path), tally, times)
      }).pipe(
        Effect.catchTag("Failure", ({ message }) =>
          Effect.succeed([
            Check.failed(what, message, "Give a file that can be read: NDJSON, a JSON array, or CSV with a header.")
          ]))
      )
  })
}
