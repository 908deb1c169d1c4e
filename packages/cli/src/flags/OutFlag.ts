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

export const format = Flag.Literals("format", ["table", "json"]).pipe(
  Flag.withDescription("For people or for programs"),
  Fallback.value("table")
)
