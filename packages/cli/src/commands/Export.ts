/** `tallystick export`: what the archive keeps, as records of the service. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as Fallback from "../flags/Fallback.ts"
import { out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  side: Flag.Literals("side", ["deposits", "transfers"]).pipe(Flag.withDescription("Which records")),
  ...RangeFlags.flags,
  format: Flag.Literals("format", ["ndjson", "csv", "json"]).pipe(
    Flag.withDescription(
      "One JSON object a line, an array, or CSV: there a spreadsheet sees no formula, and the column exact keeps what it changes"
    ),
    Fallback.value("ndjson")
  ),
  out,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("export", flags, Telemetry.command("export", () => import("../handlers/Export.ts")))
  .pipe(
    Command.withDescription(
      "Print the records that the archive keeps, in order of time, all of them unless a range is given: the latest version of " +
        "each, as the service showed it. What is printed can be imported again."
    ),
    Command.withExamples([
      {
        command: "tallystick export --side deposits --out deposits.ndjson",
        description: "The latest version of each, all of them"
      },
      {
        command: "tallystick export --side transfers --day 2026-11-19 --zone Europe/Berlin --format csv --out day.csv",
        description: "A business day for a spreadsheet"
      }
    ])
  )
