/** Makes values that an `EntryReader` can read from the rows of a database. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import * as Formatter from "effect/Formatter"
import type { Row } from "effect/sql/SqlConnection"
import type * as Entry from "../../Entry.ts"
import * as EntryReader from "../../EntryReader.ts"
import * as RecordShape from "../../rows/RecordShape.ts"
import type * as Keyset from "./Keyset.ts"

/** PostgreSQL folds names that are not quoted, and clients may rename columns. */
const folded = (name: string): string => name.replaceAll("_", "").toLowerCase()

const fields = new Map([...EntryReader.fields, ...RecordShape.claims].map((field) => [folded(field), field]))

const isWhole = (cell: unknown): cell is number | bigint => typeof cell === "bigint" || Number.isSafeInteger(cell)

/** Drivers give 64-bit integers as bigints, which are numbers elsewhere. */
const plain = (cell: unknown): unknown =>
  typeof cell === "bigint" && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell

const cellsOf = (columns: Row): Readonly<Record<string, unknown>> => {
  const cells: Record<string, unknown> = {}
  for (const [name, cell] of Object.entries(columns)) {
    const field = fields.get(folded(name))
    // The reader refuses an unknown name that is nearly one of a field.
    if (cell !== null && cell !== undefined) cells[field ?? name] = plain(cell)
  }
  return cells
}

const rawOf = (columns: Row): string =>
  JSON.stringify(columns, (_, cell: unknown) => typeof cell === "bigint" ? String(cell) : cell)

/** Makes the value of a row. An absent column and NULL are the same. */
export const make = (name: string, { columns, key }: Keyset.Placed): EntryReader.Row => {
  const { id, ...cells } = cellsOf(columns)
  return {
    value: { ...cells, id: isWhole(id) ? String(id) : id, at: key.at },
    source: `${name}, id ${String(id)}, at ${key.at}`,
    raw: rawOf(columns)
  }
}

const shown = (cell: unknown): string => cell === undefined ? "NULL" : Formatter.format(cell)

const ID = "text or a whole number is wanted"
const AT = "whole Unix milliseconds, as a number, are wanted"

/** Makes the bad record of a row that has no place; `now` is the Unix time in ms. */
export const unplaced = (side: Entry.Side, name: string, columns: Row, now: number): BadRecord.BadRecord => {
  const { at, id } = cellsOf(columns)
  const isNamed = typeof id === "string" || isWhole(id)
  const [path, reason] = isNamed
    ? ["at", (isWhole(at) ? InvalidRange.recordProblem(Number(at), now) : undefined) ?? `${AT}, ${shown(at)} came`]
    : ["id", `${ID}, ${shown(id)} came`]
  return {
    side,
    source: isNamed ? `${name}, id ${id}` : `${name}, a row without an id`,
    path,
    reason,
    raw: rawOf(columns)
  }
}
