/** `tallystick show`: a recorded run as its report was, or one outcome and the runs that came to it. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  id: Argument.String("id").pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription("Of a run (r…) or of an outcome, or how one begins")
  ),
  ...ReportFlags.flags,
  accounts: InputFlags.configured("accounts", "With --mask-accounts: the accounts of the run, which number the names"),
  addresses: InputFlags.configured("addresses", "With --mask-accounts: the addresses of the run, in the same way"),
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("show", flags, Telemetry.command("show", () => import("../handlers/Show.ts"))).pipe(
  Command.withDescription(
    "Print the report of a recorded run again, or one outcome with its entries, everything that was considered, and the runs " +
      "that came to it. Ids may be shortened to where no other begins so."
  ),
  Command.withExamples([
    { command: "tallystick show r3f2a", description: "A run, by the beginning of its id" },
    { command: "tallystick show r3f2a --out report.html", description: "The same, as a page to open and to mail" },
    { command: "tallystick show 9c41d0 --format json", description: "An outcome, for a program" }
  ])
)
