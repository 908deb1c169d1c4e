/**
 * The shapes that the rows of a file may have. This table is the only place of the command that knows them: a shape says by which columns
 * it is told, and how a row of it becomes one that the reader of entries takes.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryReader from "@tallystick/reconcile/EntryReader"
import * as ColumnNames from "@tallystick/reconcile/rows/ColumnNames"
import * as Excerpt from "@tallystick/reconcile/rows/Excerpt"
import * as FieldNames from "@tallystick/reconcile/rows/FieldNames"
import * as Header from "@tallystick/reconcile/rows/Header"
import * as RecordShape from "@tallystick/reconcile/rows/RecordShape"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as FieldMap from "../config/FieldMap.ts"
import * as Failure from "../Failure.ts"
import * as LocalTime from "../text/LocalTime.ts"

type Value = Readonly<Record<string, unknown>>

interface Shape {
  readonly name: string
  /** Whether a row with these columns is of this shape. */
  readonly fits: (columns: ReadonlyArray<string>) => boolean
  /** Why a table whose header has these columns cannot be read. */
  readonly problem: (columns: ReadonlyArray<string>) => string | undefined
  /** The row by the names of fields, or why it cannot be read. */
  readonly entry: (value: Value) => Result.Result<Value, string>
}

const hasAll = (columns: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  wanted.every((column) => columns.includes(column))

/** What is read as it is named. */
const asNamed = (side: Entry.Side) => ({
  problem: (columns: ReadonlyArray<string>) => Header.problem(side, columns),
  entry: (value: Value) => Result.succeed(value)
})

/** The service's own records. */
const records = (side: Entry.Side): Shape => ({
  name: `${side} records of the service`,
  fits: (columns) => hasAll(columns, RecordShape.of[side].marks),
  ...asNamed(side)
})

/** The entries of a ledger whose columns have the names of fields. */
const entries = (side: Entry.Side): Shape => ({ name: "entries of a ledger", fits: () => true, ...asNamed(side) })

/** A column that would not be read, and has nearly the name of a field that no column is said to hold. */
const unread = (columns: ReadonlyArray<string>): string | undefined => {
  for (const column of columns) {
    const field = EntryReader.fields.includes(column)
      ? undefined
      : ColumnNames.meanings(column, EntryReader.fields).find((field) => !columns.includes(field))
    if (field === undefined) continue
    const name = Excerpt.of(column)
    return `the column "${name}" would not be read; add ${field}="${name}" to --map if that is what it holds, and ` +
      `ignore="${name}" if not`
  }
  return undefined
}

const isField = (name: string): boolean => RecordShape.claims.includes(name) || EntryReader.fields.includes(name)

/** A column that `--map` mentions, and as what: `"TxID", which --map names as id`. */
interface Mention {
  readonly column: string
  readonly told: string
}

const mentions = ({ ignored, names }: FieldMap.FieldMap): ReadonlyArray<Mention> => [
  ...Object.entries(names).map(([field, column]) => ({ column, told: `"${column}", which --map names as ${field}` })),
  ...ignored.map((column) => ({ column, told: `"${column}", which --map ignores` }))
]

const MAPPED = "rows as --map says"

/** So many sets of columns are remembered. */
const SETS = 1000

/** Rows of anybody, by what was said of their columns. */
const mapped = (map: FieldMap.FieldMap): Shape => {
  const { ignored, names, zone } = map
  const rename = FieldNames.renaming(names)
  const renamed = (columns: ReadonlyArray<string>): ReadonlyArray<string> =>
    columns.filter((column) => !ignored.includes(column)).map(rename)
  const needed = Object.entries(names).filter(([field]) => RecordShape.entry.includes(field)).map(([, name]) => name)
  /** Rows of one source have the same columns, most of the time. */
  const judged = new Map<string, string | undefined>()
  const judge = (columns: ReadonlyArray<string>): string | undefined => {
    const key = columns.join("\n")
    if (!judged.has(key)) {
      if (judged.size >= SETS) judged.clear()
      judged.set(key, unread(renamed(columns)))
    }
    return judged.get(key)
  }
  return {
    name: MAPPED,
    fits: (columns) => needed.length > 0 && hasAll(columns, needed),
    problem: (columns) => {
      const absent = mentions(map).find(({ column }) => !columns.includes(column))
      if (absent !== undefined) {
        const near = ColumnNames.meanings(absent.column, columns)[0]
        return `the header lacks ${absent.told}${near === undefined ? "" : `; did you mean "${near}"?`}`
      }
      const lacking = RecordShape.entry.filter((field) => !renamed(columns).includes(field))
      if (lacking.length > 0) return `nothing says which column holds ${lacking.join(", ")}: add it to --map`
      const twice = columns.find((column, index) => columns.indexOf(column) !== index)
      return twice === undefined ? judge(columns) : `two columns are named "${Excerpt.of(twice)}"`
    },
    entry: (value) => {
      const problem = judge(Object.keys(value))
      if (problem !== undefined) return Result.fail(problem)
      const fields = Object.fromEntries(
        Object.entries(value)
          .flatMap(([column, cell]): ReadonlyArray<readonly [string, unknown]> =>
            ignored.includes(column) ? [] : [[rename(column), cell]]
          )
          .filter(([field]) => isField(field))
      )
      const { at } = fields
      const moment = typeof at === "string" && zone !== undefined ? LocalTime.millis(at.trim(), zone) : undefined
      return Result.succeed(moment === undefined ? fields : { ...fields, at: moment })
    }
  }
}

/**
 * The shapes of a side in the order in which they are tried; the last one takes what is left. What was said of this file's columns goes
 * before what they look like; what was said of both files' goes after it.
 */
const table = (side: Entry.Side, map: FieldMap.FieldMap | undefined): ReadonlyArray<Shape> => {
  if (map === undefined) return [records(side), entries(side)]
  const said = mapped(map)
  const own = records(side)
  const rest = { ...said, fits: () => true }
  if (map.isOwn) return [said, own, rest]
  const problem = (columns: ReadonlyArray<string>): string | undefined => {
    const found = own.problem(columns)
    return found && `${found}; if these are not the exchange's own records, say ${side}s.id=… and so on in --map`
  }
  return [{ ...own, problem }, rest]
}

const isRecord = (value: unknown): value is Value =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads the rows of one file. */
export interface Reader {
  /** Fails for a table whose header cannot be meant for this side. */
  readonly header: (columns: ReadonlyArray<string>) => Effect.Effect<void, Failure.Failure>
  /** A row as the reader of entries takes it. */
  readonly row: (row: EntryReader.Row) => Result.Result<EntryReader.Row, BadRecord.BadRecord>
  /** A bad record with the name that its file has for what is wrong. */
  readonly told: (bad: BadRecord.BadRecord) => BadRecord.BadRecord
  /** Fails where no row had a column that was said to hold something, or to be ignored; to be asked when all rows have been read. */
  readonly ended: Effect.Effect<void, Failure.Failure>
}

/** `name`: the file, as messages call it. */
export const reader = (name: string, side: Entry.Side, map: FieldMap.FieldMap | undefined): Reader => {
  const shapes = table(side, map)
  const of = (columns: ReadonlyArray<string>): Shape | undefined => shapes.find(({ fits }) => fits(columns))
  const columns = new Map<string, string>(Object.entries(map?.names ?? {}))
  /** What was said of columns that no row has had yet. */
  const unseen = new Map((map === undefined ? [] : mentions(map)).map(({ column, told }) => [column, told]))
  let isMapped = false
  const see = (columns: ReadonlyArray<string>): void => {
    isMapped = true
    if (unseen.size > 0) { for (const column of columns) unseen.delete(column) }
  }
  return {
    header: (columns) => {
      const problem = of(columns)?.problem(columns)
      if (problem === undefined) { for (const column of columns) unseen.delete(column) }
      return problem === undefined ? Effect.void : Effect.fail(Failure.usage(`${name}, line 1: ${problem}`))
    },
    row: (row) => {
      const { raw, source, value } = row
      if (map === undefined || !isRecord(value)) return Result.succeed(row)
      const columns = Object.keys(value)
      const shape = of(columns)
      if (shape === undefined) return Result.succeed(row)
      if (shape.name === MAPPED) see(columns)
      return Result.mapBoth(shape.entry(value), {
        onFailure: (reason) => ({ side, source, path: "", reason, raw }),
        onSuccess: (value) => ({ ...row, value })
      })
    },
    told: (bad) => (isMapped ? { ...bad, path: columns.get(bad.path) ?? bad.path } : bad),
    ended: Effect.suspend(() => {
      const [told] = unseen.values()
      return told === undefined || !isMapped
        ? Effect.void
        : Effect.fail(Failure.usage(`${name}: no record has ${told}`))
    })
  }
}
