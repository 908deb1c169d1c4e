/** `--archive-file`: the archive of a command that another setting does not name. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FileFlag from "./FileFlag.ts"

export const flag = FileFlag.archive("archive-file").pipe(
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withDescription(
    "The archive's file (else the PostgreSQL of TALLYSTICK_DATABASE_URL, else TALLYSTICK_ARCHIVE, else tallystick.db here)"
  ),
  Flag.optional
)

export interface Flags {
  readonly archiveFile: Option.Option<string>
}
