/** `--out FILE` and `--format`: where a result goes, and how it is written. */
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"

export const out = Flag.String("out").pipe(
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withMetavar("FILE"),
  Flag.withDescription("Write the result to a file, whole or not at all, instead of stdout"),
  Flag.optional
)

export type Format = "table" | "json"

export const format = Flag.Literals("format", ["table", "json"]).pipe(
  Flag.withDescription("For people or for programs"),
  Flag.withDefault("table")
)

/** The forms of a report: the last one is written line by line, as the outcomes are decided. */
export type ReportFormat = Format | "ndjson"

export const reportFormat = Flag.Literals("format", ["table", "json", "ndjson"]).pipe(
  Flag.withDescription(
    "For people, for programs, or a line an outcome as soon as it is decided: ndjson, in memory that does not grow"
  ),
  Flag.withDefault("table")
)
