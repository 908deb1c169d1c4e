/** Makes rows of lines of JSON and of tables: each with its place and its text, whether it can be read or not. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Result from "effect/Result"
import type * as Entry from "../Entry.ts"
import type * as EntryReader from "../EntryReader.ts"
import * as JsonText from "./JsonText.ts"
import * as RecordShape from "./RecordShape.ts"

/** Something that stands in a source and could not be read as a row. */
export interface Refused {
  readonly source: string
  readonly reason: string
  readonly raw: string
}

/** Returns the bad record for a row that could not be read. */
export const bad = (side: Entry.Side) => ({ raw, reason, source }: Refused): BadRecord.BadRecord => ({
  side,
  source,
  path: "",
  reason,
  raw
})

/** Reads a line of JSON as a row. */
export const fromJson = (
  { source, text }: { readonly source: string; readonly text: string }
): Result.Result<EntryReader.Row, Refused> => {
  const parsed = JsonText.parse(text)
  return Result.isSuccess(parsed)
    ? Result.succeed({ value: parsed.success, source, raw: text })
    : Result.fail({ source, reason: parsed.failure, raw: text })
}

/** Cells in which nothing is a value: the master account. */
const ends = new Set(["fromAccount", "toAccount"])

type Cells = Readonly<Record<string, string>>

/** Gives the cells of a row of the service's own records the types that the service writes; those of a ledger stay text. */
export const cells = (columns: ReadonlyArray<string>): (value: Cells) => Readonly<Record<string, string | number>> => {
  const shape = RecordShape.ofRecord(columns)
  if (shape === undefined) return (value) => value
  const told = shape.one === "transfer" ? columns.filter((name) => ends.has(name)) : []
  const empty = Object.fromEntries(told.map((name) => [name, ""]))
  return (value) =>
    Object.fromEntries(
      Object.entries({ ...empty, ...value }).map((
        [key, cell]
      ) => [key, shape.numeric.has(key) && /^\d{1,15}$/.test(cell) ? Number(cell) : cell])
    )
}
