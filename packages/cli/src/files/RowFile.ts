/** A file of rows in any of its forms: NDJSON, a JSON array (bare or as `result`), or CSV with a header. */
import type * as EntryReader from "@tallystick/reconcile/EntryReader"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CsvText from "./CsvText.ts"
import type { InputFile } from "./InputFile.ts"
import * as JsonText from "./JsonText.ts"

/** Something that stands in the file and could not be read as a row. */
export interface Refused {
  readonly source: string
  readonly reason: string
  readonly raw: string
}

export interface Rows {
  readonly rows: ReadonlyArray<EntryReader.Row>
  readonly refused: ReadonlyArray<Refused>
  /** CSV: the names of the columns. */
  readonly columns?: ReadonlyArray<string>
}

interface Line {
  readonly source: string
  readonly text: string
}

/** A line of JSON as a row, or as what could not be read. */
export const fromLine = ({ source, text }: Line): Result.Result<EntryReader.Row, Refused> =>
  Result.mapBoth(JsonText.parse(text), {
    onSuccess: (value) => ({ value, source, raw: text }),
    onFailure: (problem) => ({ source, reason: `not valid JSON: ${problem}`, raw: text })
  })

const fromJson = (lines: Iterable<Line>): { rows: Array<EntryReader.Row>; refused: Array<Refused> } => {
  const rows: Array<EntryReader.Row> = []
  const refused: Array<Refused> = []
  for (const line of lines) {
    const row = fromLine(line)
    if (Result.isSuccess(row)) rows.push(row.success)
    else refused.push(row.failure)
  }
  return { rows, refused }
}

function* linesOf({ name, text }: InputFile): Generator<Line, void> {
  let number = 0
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start)
    const line = text.slice(start, end < 0 ? text.length : end).trim()
    number++
    start = end < 0 ? text.length : end + 1
    if (line !== "") yield { source: `${name}, line ${number}`, text: line }
  }
}

const fromArray = ({ name, text }: InputFile, start: number): Rows => {
  const { elements, problem } = JsonText.elements(text, start)
  const { refused, rows } = fromJson(
    elements.map(({ line, text }, index) => ({ source: `${name}, line ${line}, record ${index + 1}`, text }))
  )
  if (problem !== undefined) {
    refused.push({ source: `${name}, line ${problem.line}`, reason: problem.reason, raw: problem.text })
  }
  return { rows, refused }
}

/** Columns of the service's records whose values are numbers there. */
const numeric = {
  deposit: new Set(["insertTime", "status"]),
  transfer: new Set(["timestamp"]),
  plain: new Set<string>()
}

const kindOf = (columns: ReadonlyArray<string>): keyof typeof numeric => {
  if (columns.includes("tranId")) return "transfer"
  return columns.includes("insertTime") && columns.includes("coin") ? "deposit" : "plain"
}

/** Cells in which nothing is a value: the master account. */
const ends = new Set(["fromAccount", "toAccount"])

const fromCsv = Effect.fnUntraced(function*({ name, text }: InputFile): Effect.fn.Return<Rows> {
  const { columns, refused, rows } = yield* CsvText.read(text)
  const numbers = numeric[kindOf(columns)]
  const told = numbers === numeric.transfer ? columns.filter((name) => ends.has(name)) : []
  const empty = Object.fromEntries(told.map((name) => [name, ""]))
  const typed = (value: Readonly<Record<string, string>>): Readonly<Record<string, string | number>> =>
    numbers.size === 0
      ? value
      : Object.fromEntries(
        Object.entries({ ...empty, ...value }).map((
          [key, cell]
        ) => [key, numbers.has(key) && /^\d{1,15}$/.test(cell) ? Number(cell) : cell])
      )
  return {
    columns,
    rows: rows.map(({ line, text, value }) => ({ value: typed(value), source: `${name}, line ${line}`, raw: text })),
    refused: refused.map(({ line, reason, text }) => ({ source: `${name}, line ${line}`, reason, raw: text }))
  }
})

/** A response of the service as it was saved: `{"result": [...], "totalCount": N}`. */
const wrapped = /^\s*\{\s*(?:"totalCount"\s*:\s*[^,{}[\]]*,\s*)?"result"\s*:\s*\[/

/** Whether a file that begins so has a record of its own on each line, so that it can be read line by line. */
export const isLines = (begin: string): boolean =>
  /^\uFEFF?\s*\{/.test(begin) && !wrapped.test(begin.replace(/^\uFEFF/, ""))

/** The form is told by the content: `[` or `{` begins JSON, everything else is CSV. */
export const read = (file: InputFile): Effect.Effect<Rows> => {
  const text = file.text.startsWith("\uFEFF") ? file.text.slice(1) : file.text
  const plain = { ...file, text }
  const first = /\S/.exec(text)
  if (first === null) return Effect.succeed({ rows: [], refused: [] })
  const listing = wrapped.exec(text)
  if (listing !== null) return Effect.sync(() => fromArray(plain, listing[0].length - 1))
  if (first[0] === "[") return Effect.sync(() => fromArray(plain, first.index))
  if (first[0] === "{") return Effect.sync(() => fromJson(linesOf(plain)))
  return fromCsv(plain)
}
