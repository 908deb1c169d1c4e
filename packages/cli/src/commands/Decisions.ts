/** `tallystick decisions`: what was decided, by whom and why; and `undo`, which takes one's own last decision back. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  of: Flag.String("of").pipe(
    Flag.withMetavar("ENTRY"),
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Those on one entry: a transfer's id, or a deposit's id or transaction"),
    Flag.optional
  ),
  format,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make(
  "decisions",
  flags,
  Telemetry.command("decisions", () => import("../handlers/Decisions.ts"))
).pipe(
  Command.withDescription(
    "List what was decided about entries of the archive, the first decision first: by whom, when, why, and whether it was revoked. " +
      "Tells the head of the ledger; whoever keeps that elsewhere can tell later whether anything up to it was changed " +
      "(archive check --head)."
  ),
  Command.withExamples([
    { command: "tallystick decisions --zone Europe/Berlin", description: "All of them" },
    { command: "tallystick decisions --of 1374112877", description: "Those on one entry" }
  ])
)
