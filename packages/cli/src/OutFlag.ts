/** `--out FILE`, for every command that has a result. */
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"

export const out = Flag.String("out").pipe(
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withMetavar("FILE"),
  Flag.withDescription("Write the result to a file, whole or not at all, instead of stdout"),
  Flag.optional
)
