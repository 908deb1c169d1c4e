/** CSV as rows with their lines; a row that cannot be read costs itself and no other. */
import * as Effect from "effect/Effect"
import * as Csv from "effect/encoding/Csv"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

export interface Row {
  /** By column; empty cells are absent. */
  readonly value: Readonly<Record<string, string>>
  /** Of the first line of the row, from 1. */
  readonly line: number
  readonly text: string
}

export interface Refused {
  readonly line: number
  readonly reason: string
  readonly text: string
}

export interface Table {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  readonly refused: ReadonlyArray<Refused>
}

const delimiters = [",", ";", "\t"] as const

/** The one that the first line has most of. */
export const delimiterOf = (header: string): string =>
  delimiters.reduce((best, one) => header.split(one).length > header.split(best).length ? one : best)

const LINE_BREAK = /\r\n|\n|\r/

/** Lines with the breaks that end them: a cell may hold any of them, and keeps it. */
const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []

/** How a table is read. */
export interface Options {
  /** The names of the columns; absent: the first row that is not blank names them. */
  readonly columns?: ReadonlyArray<string>
  /** Absent: the one that the first line has most of. */
  readonly delimiter?: string
  /** The number of the first line; 1 unless given. */
  readonly line?: number
  /** Told how many characters were read, now and then. */
  readonly onRead?: (end: number) => Effect.Effect<void>
}

const withoutBreak = (line: string): string => line.replace(/(?:\r\n|\n|\r)$/, "")

const breaksIn = (cells: ReadonlyArray<string>): number =>
  cells.reduce((sum, cell) => sum + cell.split(LINE_BREAK).length - 1, 0)

/** Lines that are given to the parser at once: what it read of a chunk that fails is read again. */
const CHUNK = 512

/** Rows that are made of cells before others have their turn. */
const AT_ONCE = 4096

interface Parsed {
  readonly rows: Array<{ readonly cells: ReadonlyArray<string>; readonly line: number }>
  /** Where the parser stopped: the row that begins in this line is no CSV. */
  readonly broken: { readonly line: number; readonly reason: string } | undefined
}

const chunks = (lines: ReadonlyArray<string>, from: number, to: number): Stream.Stream<string> =>
  Stream.unfold(from, (at) =>
    Effect.succeed(
      at < to ? [lines.slice(at, Math.min(at + CHUNK, to)).join(""), at + CHUNK] as const : undefined
    ))

/** Reads the lines from position `from` up to `to`, or up to the first row that is no CSV. */
const parse = Effect.fnUntraced(function*(
  lines: ReadonlyArray<string>,
  delimiter: string,
  from: number,
  to: number,
  onRead: (lines: number) => Effect.Effect<void>
): Effect.fn.Return<Parsed> {
  const rows: Parsed["rows"] = []
  let line = from + 1
  let taken = from
  const ended = yield* chunks(lines, from, to).pipe(
    Stream.tap(() => {
      taken = Math.min(taken + CHUNK, to)
      return Effect.andThen(onRead(taken), Effect.yieldNow)
    }),
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter })),
    Stream.runForEachArray((read) =>
      Effect.sync(() => {
        for (const cells of read) {
          rows.push({ cells, line })
          line += 1 + breaksIn(cells)
        }
      })
    ),
    Effect.result
  )
  if (Result.isSuccess(ended)) return { rows, broken: undefined }
  const stopped = from + ended.failure.line
  const rest = line < stopped ? yield* parse(lines, delimiter, line - 1, stopped - 1, () => Effect.void) : undefined
  return {
    rows: rest === undefined ? rows : [...rows, ...rest.rows],
    broken: { line: stopped, reason: ended.failure.message }
  }
})

/** Reads a table. */
export const read = Effect.fnUntraced(function*(
  text: string,
  { columns: given, delimiter: separator, line: first = 1, onRead = () => Effect.void }: Options = {}
): Effect.fn.Return<Table> {
  const lines = linesOf(text.replace(/^\uFEFF/, ""))
  const delimiter = separator ?? delimiterOf(lines[0] ?? "")
  const refused: Array<Refused> = []
  const rows: Array<Row> = []
  let columns = given

  const take = (cells: ReadonlyArray<string>, line: number): void => {
    if (cells.length === 1 && cells[0]?.trim() === "") return
    if (columns === undefined) {
      columns = cells.map((name) => name.trim())
      return
    }
    const names = columns
    const source = withoutBreak(lines.slice(line - 1, line + breaksIn(cells)).join(""))
    if (cells.length === names.length) {
      const filled = cells.flatMap((cell, index) => cell === "" ? [] : [[names[index] ?? "", cell] as const])
      rows.push({ value: Object.fromEntries(filled), line: line + first - 1, text: source })
      return
    }
    const reason = `${cells.length} ${cells.length === 1 ? "cell" : "cells"} where the header has ${names.length}`
    refused.push({ line: line + first - 1, reason, text: source })
  }

  for (let from = 0; from < lines.length;) {
    const { broken, rows: parsed } = yield* parse(
      lines,
      delimiter,
      from,
      lines.length,
      (read) => onRead(Math.round((text.length * read) / lines.length))
    )
    for (const [index, { cells, line }] of parsed.entries()) {
      take(cells, line)
      if ((index + 1) % AT_ONCE === 0) yield* Effect.yieldNow
    }
    if (broken === undefined) break
    refused.push({
      reason: broken.reason,
      line: broken.line + first - 1,
      text: withoutBreak(lines[broken.line - 1] ?? "")
    })
    from = broken.line
  }
  return { columns: columns ?? [], rows, refused }
})
