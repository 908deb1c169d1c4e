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
