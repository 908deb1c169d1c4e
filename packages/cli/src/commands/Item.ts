/** `tallystick item`: what the books say of an item or an entry, from its first execution on. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  name: Argument.String("name").pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription(
      "An item (i…, or u… of what has no entries), a transfer's id, a deposit's id or transaction, or an outcome, or how one of them begins"
    )
  ),
  format,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("item", flags, Telemetry.command("item", () => import("../handlers/Item.ts"))).pipe(
  Command.withDescription(
    "Tell what the books say of the entries of an item: where each stands, what became of it after each execution that changed it, " +
      "what was decided on it, and why it waits."
  ),
  Command.withExamples([
    { command: "tallystick item i3f2a", description: "An item of tallystick open, by the beginning of its id" },
    { command: "tallystick item 1374112877", description: "A transfer" }
  ])
)
