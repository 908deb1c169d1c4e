/** `--out FILE` and `--format`: where a result goes, and how it is written. */
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as Fallback from "./Fallback.ts"
import * as FileFlag from "./FileFlag.ts"

export const out = FileFlag.written("out").pipe(
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withDescription("Write the result to a file, whole or not at all, instead of stdout"),
  Flag.optional
)

export type Format = "table" | "json"

/** A list that a spreadsheet may open, too. */
export type SheetFormat = Format | "csv"

export const sheetFormat = Flag.Literals("format", ["table", "json", "csv"]).pipe(
  Flag.withDescription("For people, for programs, or for a spreadsheet"),
  Fallback.value("table")
)

/** A list that programs may read line by line, too. */
export const listFormat = Flag.Literals("format", ["table", "json", "ndjson", "csv"]).pipe(
  Flag.withDescription("For people, for programs, or for a spreadsheet"),
  Fallback.value("table")
)

export const format = Flag.Literals("format", ["table", "json"]).pipe(
  Flag.withDescription("For people or for programs"),
  Fallback.value("table")
)
