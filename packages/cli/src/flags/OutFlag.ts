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

/** A list that programs may read line by line, too. */
export type ListFormat = SheetFormat | "ndjson"

/** The forms of a list that a spreadsheet may open. */
export const sheetFormats = ["table", "json", "csv"] as const satisfies ReadonlyArray<SheetFormat>

/** The forms of a list that programs may read line by line, too. */
export const listFormats = ["table", "json", "ndjson", "csv"] as const satisfies ReadonlyArray<ListFormat>

const ofList = <Format extends ListFormat>(formats: ReadonlyArray<Format>) =>
  Flag.Literals("format", formats).pipe(
    Flag.withDescription(
      "For people, for programs, or for a spreadsheet. Default: as the name of --out ends, else a table"
    ),
    Flag.optional
  )

export const sheetFormat = ofList(sheetFormats)

export const listFormat = ofList(listFormats)

export const format = Flag.Literals("format", ["table", "json"]).pipe(
  Flag.withDescription("For people or for programs"),
  Fallback.value("table")
)
