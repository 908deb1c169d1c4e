/** `tallystick periods`: what was closed, and whether it still stands. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  close: Argument.Int("close").pipe(
    Argument.withSchema(Schema.Int.check(Schema.isGreaterThan(0))),
    Argument.withDescription("The number of one close, to tell all of it: its totals, and each entry that it carried"),
    Argument.optional
  ),
  format,
  out,
  zone: RangeFlags.zoneOfPeriods("Zone of times in the report"),
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make(
  "periods",
  flags,
  Telemetry.command("periods", () => import("../handlers/Periods.ts"))
).pipe(
  Command.withDescription(
    "List the periods that were closed, the first one first: by whom, when, and what each carried forward. Where entries of a period " +
      "do not stand any more as they did when it was closed it is broken, and each is named with the cause. Exits with 1 when a " +
      "period is broken."
  ),
  Command.withExamples([
    { command: "tallystick periods", description: "All of them" },
    { command: "tallystick periods 41", description: "All of close 41" }
  ])
)
