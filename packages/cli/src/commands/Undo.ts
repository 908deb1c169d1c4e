/** `tallystick undo`: takes one's own last decision back. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  by: AuthorFlags.flag,
  words: Flag.String("words").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription("Why, in your words"),
    Flag.withDefault("undone")
  ),
  format,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("undo", flags, Telemetry.command("undo", () => import("../handlers/Undo.ts"))).pipe(
  Command.withDescription(
    "Take the last decision back that you made and nobody revoked: it revokes that one, and no other. Run it again for the one before."
  ),
  Command.withExamples([{ command: "tallystick undo", description: "Your own last decision" }])
)
