/** A file of rows in any of its forms: NDJSON, a JSON array (bare or as `result`), or CSV with a header. */
import type * as EntryReader from "@tallystick/reconcile/EntryReader"
import * as CsvText from "@tallystick/reconcile/rows/CsvText"
import * as JsonText from "@tallystick/reconcile/rows/JsonText"
import * as Rows from "@tallystick/reconcile/rows/Rows"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"

/** Some rows that follow one another. */
export interface Batch {
  readonly rows: ReadonlyArray<EntryReader.Row>
  readonly refused: ReadonlyArray<Rows.Refused>
  /** Where the text was read to, in characters. */
  readonly end: number
}

/** The rows of a file, some at a time: between two of them something else may be done, and the work be given up. */
export interface Batches {
  readonly batches: Iterable<Batch>
  /** CSV: the names of the columns. */
  readonly columns?: ReadonlyArray<string>
}

export interface Whole extends Pick<Batches, "columns"> {
  readonly rows: ReadonlyArray<EntryReader.Row>
  readonly refused: ReadonlyArray<Rows.Refused>
}

interface Named {
  readonly name: string
  readonly text: string
}

/** Told how many characters were read, now and then. */
type OnRead = (end: number) => Effect.Effect<void>

/** Rows that are read at once: some milliseconds. */
const BATCH = 1000

interface Line {
  readonly source: string
  readonly text: string
}

interface PlacedLine extends Line {
  readonly end: number
}

function* fromJson(lines: Iterable<PlacedLine>): Generator<Batch, void> {
  for (const some of Iterable.chunksOf(lines, BATCH)) {
    const [rows, refused] = Array.separate(some.map(Rows.fromJson))
    yield { rows, refused, end: some.at(-1)?.end ?? 0 }
  }
}

function* linesOf({ name, text }: Named): Generator<PlacedLine, void> {
  let number = 0
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start)
    const line = text.slice(start, end < 0 ? text.length : end).trim()
    number++
    start = end < 0 ? text.length : end + 1
    if (line !== "") yield { source: `${name}, line ${number}`, text: line, end: start }
  }
}

function* fromArray({ name, text }: Named, start: number): Generator<Batch, void> {
  const { elements, problem } = JsonText.elements(text, start)
  const share = text.length / elements.length
  yield* fromJson(Iterable.map(elements, ({ line, text }, index) => ({
    source: `${name}, line ${line}, record ${index + 1}`,
    text,
    end: Math.round(share * (index + 1))
  })))
  if (problem === undefined) return
  const refused = [{ source: `${name}, line ${problem.line}`, reason: problem.reason, raw: problem.text }]
  yield { rows: [], refused, end: text.length }
}

const fromCsv = Effect.fnUntraced(function*({ name, text }: Named, onRead: OnRead): Effect.fn.Return<Batches> {
  const { columns, refused, rows } = yield* CsvText.read(text, { onRead })
  const typed = Rows.cells(columns)
  const end = text.length
  const made = Iterable.map(Iterable.chunksOf(rows, BATCH), (some): Batch => ({
    rows: some.map(({ line, text, value }) => ({ value: typed(value), source: `${name}, line ${line}`, raw: text })),
    refused: [],
    end
  }))
  const unread = refused.map(({ line, reason, text }) => ({ source: `${name}, line ${line}`, reason, raw: text }))
  return { columns, batches: Iterable.append(made, { rows: [], refused: unread, end }) }
})

/** A response of the service as it was saved: `{"result": [...], "totalCount": N}`. */
const wrapped = /^\s*\{\s*(?:"totalCount"\s*:[^,{}[\]]*,\s*)?"result"\s*:\s*\[/

/** Whether a file that begins so is one list, whose records may share a line. */
export const isList = (begin: string): boolean => {
  const plain = begin.replace(/^\uFEFF/, "")
  return /^\s*\[/.test(plain) || wrapped.test(plain)
}

/** Whether a file that begins so has a record of its own on each line, so that it can be read line by line. */
export const isLines = (begin: string): boolean =>
  /^\uFEFF?\s*\{/.test(begin) && !wrapped.test(begin.replace(/^\uFEFF/, ""))

const nobody: OnRead = () => Effect.void

/** The form is told by the content: `[` or `{` begins JSON, everything else is CSV. */
export const batches = (file: Named, onRead: OnRead = nobody): Effect.Effect<Batches> => {
  const text = file.text.startsWith("\uFEFF") ? file.text.slice(1) : file.text
  const plain = { ...file, text }
  const first = /\S/.exec(text)
  if (first === null) return Effect.succeed({ batches: [] })
  const listing = wrapped.exec(text)
  if (listing !== null) return Effect.sync(() => ({ batches: fromArray(plain, listing[0].length - 1) }))
  if (first[0] === "[") return Effect.sync(() => ({ batches: fromArray(plain, first.index) }))
  if (first[0] === "{") return Effect.sync(() => ({ batches: fromJson(linesOf(plain)) }))
  return fromCsv(plain, onRead)
}

/** Goes through all of them; others have their turn between two. */
export const forEach = Effect.fnUntraced(function*(
  batches: Iterable<Batch>,
  visit: (batch: Batch) => Effect.Effect<void>
) {
  for (const batch of batches) {
    yield* visit(batch)
    yield* Effect.yieldNow
  }
})

/** All of a file that is not long. */
export const read = Effect.fnUntraced(function*(file: Named): Effect.fn.Return<Whole> {
  const { batches: some, columns } = yield* batches(file)
  const all = Array.fromIterable(some)
  const rows = all.flatMap(({ rows }) => rows)
  const refused = all.flatMap(({ refused }) => refused)
  return columns === undefined ? { rows, refused } : { rows, refused, columns }
})
