/** A file of the service's own records (NDJSON, JSON array or CSV) as they are read, with the lines that could not be. */
import * as InvalidRange from "@tallystick/core/InvalidRange"
import * as ColumnNames from "@tallystick/reconcile/rows/ColumnNames"
import * as CsvPieces from "@tallystick/reconcile/rows/CsvPieces"
import * as CsvText from "@tallystick/reconcile/rows/CsvText"
import * as Excerpt from "@tallystick/reconcile/rows/Excerpt"
import * as JsonText from "@tallystick/reconcile/rows/JsonText"
import * as Lines from "@tallystick/reconcile/rows/Lines"
import * as RecordShape from "@tallystick/reconcile/rows/RecordShape"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileBytes from "../files/FileBytes.ts"
import * as FileLimit from "../files/FileLimit.ts"
import * as InputFile from "../files/InputFile.ts"
import * as LineStream from "../files/LineStream.ts"
import * as RowFile from "../files/RowFile.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ExactCells from "./ExactCells.ts"
import type * as RecordKind from "./RecordKind.ts"

/** Where something stands in a file. */
interface Place {
  /** From 1. */
  readonly line: number
  /** Its number in an array of JSON, from 1: many records may share a line. */
  readonly record?: number
}

/** A row of a file that is no record of its kind. */
export interface Reject extends Place {
  readonly reason: string
  /** The field that is wrong; empty where the whole is. */
  readonly path: string
  /** As it stands in the file. */
  readonly raw: string
}

export type Read<Record> = Result.Result<Record, Reject>

interface Row {
  readonly value: unknown
  readonly place: Place
  readonly raw: string
}

type Parsed = Result.Result<Row, Reject>

const reject = (place: Place, raw: string, reason: string, path = ""): Result.Result<never, Reject> =>
  Result.fail({ ...place, reason, path, raw })

const fromJson = (place: Place, raw: string): Parsed =>
  Result.match(JsonText.parse(raw), {
    onSuccess: (value): Parsed => Result.succeed({ value, place, raw }),
    onFailure: (problem) => reject(place, raw, problem)
  })

// One record after another, so that the work can be given up between two.
function* fromArray(text: string): Generator<Parsed, void> {
  const plain = text.replace(/^\uFEFF/, "")
  const { elements, problem } = JsonText.elements(plain, plain.indexOf("["))
  for (const [index, { line, text }] of elements.entries()) yield fromJson({ line, record: index + 1 }, text)
  if (problem === undefined) return
  yield reject({ line: problem.line, record: elements.length + 1 }, problem.text, problem.reason)
}

/** The cells of a row as the service would write them: empty ones too, numbers as numbers. */
const cellsOf = (
  value: Readonly<Record<string, string>>,
  columns: ReadonlyArray<string>,
  numeric: ReadonlySet<string>
): Result.Result<Readonly<Record<string, string | number>>, string> => {
  const cells = columns.map((name): readonly [string, string | number] => {
    const cell = value[name] ?? ""
    return [name, numeric.has(name) && /^-?\d{1,16}$/.test(cell) ? Number(cell) : cell]
  })
  return Result.map(ExactCells.read(value, columns), (exact) => ({ ...Object.fromEntries(cells), ...exact }))
}

/** A header that cannot mean this kind refuses the whole file. */
const checkHeader = (name: string, kind: RecordShape.RecordShape, columns: ReadonlyArray<string>) =>
  Effect.andThen(
    checkForm(name, kind, columns, true),
    refusedHeader(name, ColumnNames.problem(columns, [...kind.columns, ExactCells.COLUMN]))
  )

const refusedHeader = (name: string, problem: string | undefined) =>
  problem === undefined ? Effect.void : Effect.fail(Failure.usage(`${name}, line 1: ${problem}`))

/** The first row that can be read tells what the file is of. */
const checkForm = (
  name: string,
  kind: RecordShape.RecordShape,
  fields: ReadonlyArray<string>,
  isStrict: boolean
): Effect.Effect<void, Failure.Failure> => {
  const form = RecordShape.formOf(fields)
  if (form === kind.one || (form === undefined && !isStrict)) return Effect.void
  const found = form === "entry"
    ? "plain entries of a ledger (id, asset, amount, at); reconcile reads them from a file, with --deposits or --transfers"
    : form === undefined
    ? `something else: ${Excerpt.of(fields.slice(0, kind.columns.length).join(","))}`
    : `${form} records`
  return Effect.fail(Failure.usage(
    `${name}: the archive keeps the service's own ${kind.one} records (${
      kind.columns.join(",")
    }), and this file holds ${found}`
  ))
}

/** Told what a header lacks. */
type OnLack = (name: string, columns: ReadonlyArray<string>) => Effect.Effect<void>

const sayLack: OnLack = (name, columns) =>
  columns.length === 0
    ? Effect.void
    : Stderr.say(`${name}: the header lacks ${columns.join(", ")}; what it lacks counts as empty in every record`)

const fromCsv = Effect.fnUntraced(function*<E, R>(
  name: string,
  kind: RecordShape.RecordShape,
  { begin, rest }: { readonly begin: string; readonly rest: Stream.Stream<string, E, R> },
  onLack: OnLack
) {
  const { line: next, rest: behind, row } = CsvPieces.header(begin)
  const { columns } = yield* CsvText.read(row)
  yield* checkHeader(name, kind, columns)
  yield* onLack(name, kind.columns.filter((column) => !columns.includes(column)))
  const delimiter = CsvText.delimiterOf(row)
  const piece = Effect.fnUntraced(function*({ line, text }: CsvPieces.Piece) {
    const table = yield* CsvText.read(text, { columns, delimiter, line })
    const rows = table.rows.map(({ line, text, value }): Parsed =>
      Result.match(cellsOf(value, columns, kind.numeric), {
        onFailure: (reason) => reject({ line }, text, reason, ExactCells.COLUMN),
        onSuccess: (cells): Parsed => Result.succeed({ value: cells, place: { line }, raw: text })
      })
    )
    return [...rows, ...table.refused.map(({ line, reason, text }) => reject({ line }, text, reason))]
  })
  return Stream.concat(Stream.succeed(behind), rest).pipe(
    CsvPieces.pieces(delimiter, next),
    Stream.mapEffect(piece),
    Stream.flattenIterable
  )
})

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toRecord =
  <Record>(kind: RecordKind.RecordKind<Record>, now: number) => ({ place, raw, value }: Row): Read<Record> => {
    const form = isObject(value) ? RecordShape.formOf(Object.keys(value)) : undefined
    if (form !== undefined && form !== kind.one) {
      return reject(
        place,
        raw,
        `${form === "entry" ? "an entry of a ledger" : `a ${form} record`} among the ${kind.operation}`
      )
    }
    const decoded = kind.decode(value)
    if (Result.isFailure(decoded)) return reject(place, raw, decoded.failure.reason, decoded.failure.path)
    const problem = InvalidRange.recordProblem(kind.at(decoded.success), now)
    return problem === undefined ? Result.succeed(decoded.success) : reject(place, raw, problem, kind.time)
  }

/** Fails where the first row that can be read shows that the file is of something else. */
const checked = (name: string, kind: RecordShape.RecordShape) => <E, R>(rows: Stream.Stream<Parsed, E, R>) => {
  let isKnown = false
  return Stream.tap(rows, (row) => {
    if (isKnown || Result.isFailure(row) || !isObject(row.success.value)) return Effect.void
    isKnown = true
    return checkForm(name, kind, Object.keys(row.success.value), false)
  })
}

const records = <Record>(kind: RecordKind.RecordKind<Record>, path: string, onLack: OnLack) =>
  Stream.unwrap(Effect.gen(function*() {
    const name = InputFile.nameOf(path)
    const now = yield* Clock.currentTimeMillis
    const opened = yield* LineStream.opened(path)
    const first = /[^\s\uFEFF]/.exec(opened.begin)?.[0]
    const rows = first === undefined
      ? Stream.empty
      : RowFile.isLines(opened.begin)
      ? Stream.map(
        Lines.lines(opened.text),
        ({ number, text }) => fromJson({ line: number }, text.replace(/^\uFEFF/, ""))
      )
      : first === "{" || first === "["
      ? Stream.fromIterable(fromArray(yield* Stream.mkString(FileLimit.whole(path)(opened.text))))
      : yield* fromCsv(name, kind, opened, onLack)
    const decoded = toRecord(kind, now)
    return rows.pipe(checked(name, kind), Stream.map((row) => Result.flatMap(row, decoded)))
  }))

/**
 * Everything in the file, in its order: CSV and lines of JSON as they are read, an array of JSON as a whole. Says which columns
 * a CSV file lacks.
 */
export const read = <Record>(kind: RecordKind.RecordKind<Record>, path: string) => records(kind, path, sayLack)

/**
 * Fails where a file shows at its first record that it is of something else. What can be read only once, stdin or a pipe,
 * is left alone.
 */
export const check = Effect.fnUntraced(function*<Record>(kind: RecordKind.RecordKind<Record>, path: string) {
  if ((yield* FileBytes.lengthOf(path)) === undefined) return
  yield* Stream.runDrain(Stream.takeUntil(records(kind, path, () => Effect.void), Result.isSuccess))
})
