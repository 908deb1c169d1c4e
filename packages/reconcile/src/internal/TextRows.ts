/** Reads bytes as rows of one side, with their lines; what cannot be read is a bad record. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Entry from "../Entry.ts"
import type * as EntryReader from "../EntryReader.ts"
import { InvalidHeader } from "../InvalidHeader.ts"
import * as CsvPieces from "../rows/CsvPieces.ts"
import * as CsvText from "../rows/CsvText.ts"
import * as FieldNames from "../rows/FieldNames.ts"
import * as Header from "../rows/Header.ts"
import * as Lines from "../rows/Lines.ts"
import * as Rows from "../rows/Rows.ts"
import * as Utf8 from "../rows/Utf8.ts"

interface Options {
  readonly side: Entry.Side
  readonly name?: string
  readonly names?: FieldNames.FieldNames
  readonly maxLine?: number
}

interface CsvOptions extends Options {
  readonly delimiter?: string
}

type Source = Result.Result<EntryReader.Row, BadRecord.BadRecord>

/** The longest line unless another is named: Effect's CSV reads no longer record. */
const LONGEST = 1_048_576

/** What a bad record repeats of a line that is too long. */
const EXCERPT = 1000

interface Place {
  readonly line: number
  readonly text: string
}

const reading = ({ maxLine = LONGEST, name, side }: Options) => {
  const toBad = Rows.bad(side)
  const sourceOf = (line: number): string => (name === undefined ? `line ${line}` : `${name}, line ${line}`)
  return {
    sourceOf,
    text: <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) => Utf8.capped(maxLine)(Utf8.text(bytes)),
    bad: toBad,
    refuse: ({ line, text }: Place, reason: string): Source => {
      const raw = Utf8.plain(text.slice(0, maxLine))
      return Result.fail(
        toBad({ source: sourceOf(line), reason, raw: text.length > maxLine ? `${raw.slice(0, EXCERPT)}…` : raw })
      )
    },
    problem: (text: string) => Utf8.problem(text, maxLine)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads lines of JSON. */
export const ndjson = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, options: Options): Stream.Stream<Source, E, R> => {
  const { bad, problem, refuse, sourceOf, text } = reading(options)
  const { names } = options
  const rename = names === undefined ? undefined : FieldNames.renaming(names)
  const renamed = (row: EntryReader.Row): EntryReader.Row =>
    rename !== undefined && isRecord(row.value)
      ? { ...row, value: Record.mapKeys(row.value, rename) }
      : row
  return Stream.map(Lines.lines(text(bytes)), ({ number, text }): Source => {
    const reason = problem(text)
    if (reason !== undefined) return refuse({ line: number, text }, reason)
    return Result.mapBoth(Rows.fromJson({ source: sourceOf(number), text }), { onFailure: bad, onSuccess: renamed })
  })
}

/** Returns why the names cannot be meant for these columns. */
const absent = (names: FieldNames.FieldNames, columns: ReadonlyArray<string>): string | undefined => {
  const [field, name] = FieldNames.absent(names, columns) ?? []
  return columns.length === 0 || name === undefined
    ? undefined
    : `the header lacks ${name}, which is named as the ${field}`
}

/** Reads a table with a header. */
export const csv = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  options: CsvOptions
): Stream.Stream<Source, E | InvalidHeader, R> => {
  const { problem, refuse, sourceOf, text } = reading(options)
  const { name = "the table", names = {}, side } = options
  const invalid = (problem: string) => new InvalidHeader({ side, source: name, problem })
  return Stream.unwrap(Effect.gen(function*() {
    const { begin, rest } = yield* CsvPieces.opened(text(bytes))
    const { line, rest: behind, row } = CsvPieces.header(begin)
    const delimiter = options.delimiter ?? CsvText.delimiterOf(row)
    const table = yield* CsvText.read(row, { delimiter })
    const columns = table.columns.map(FieldNames.renaming(names))
    const reason = problem(row) ?? table.refused[0]?.reason ?? absent(names, table.columns) ??
      (columns.length === 0
        ? "it has no header, so that it may be cut off; a header was wanted"
        : Header.problem(side, columns))
    if (reason !== undefined) return yield* invalid(reason)
    const typed = Rows.cells(columns)
    const rows = Effect.fnUntraced(function*(piece: CsvPieces.Piece) {
      const table = yield* CsvText.read(piece.text, { columns, delimiter, line: piece.line })
      const read = table.rows.map((place): Source => {
        const reason = problem(place.text)
        return reason === undefined
          ? Result.succeed({ value: typed(place.value), source: sourceOf(place.line), raw: place.text })
          : refuse(place, reason)
      })
      const refused = table.refused.map((place) => refuse(place, problem(place.text) ?? place.reason))
      if (refused.length === 0) return read
      const lines = [...table.rows, ...table.refused].map(({ line }) => line)
      return [...read, ...refused].map((row, index) => ({ row, line: lines[index] ?? 0 }))
        .toSorted((left, right) => left.line - right.line).map(({ row }) => row)
    })
    return Stream.concat(Stream.succeed(behind), rest).pipe(
      CsvPieces.pieces(delimiter, line),
      Stream.mapEffect(rows),
      Stream.flattenIterable
    )
  }))
}
