/** `tallystick doctor`: what is wrong with configuration, service, key and files, and what to do. */
import * as Command from "effect/cli/Command"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  accounts: InputFlags.accountsOrService,
  addresses: InputFlags.flags.addresses,
  policy: InputFlags.flags.policy,
  deposits: InputFlags.file("deposits", "Deposits as a report would read them (- is stdin)"),
  transfers: InputFlags.file("transfers", "Transfers as a report would read them"),
  map: InputFlags.map,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag,
  warnHours: WarnHoursFlag.flag,
  format,
  out
}

export const command = Command.make("doctor", flags, Telemetry.command("doctor", () => import("../handlers/Doctor.ts")))
  .pipe(
    Command.withDescription(
      "Look at the configuration, ask the service for its time and for one record of each history, and look at the files that " +
        "are named. Nothing is changed, and no key is made. Exits with 0 when nothing failed, 2 when configuration or files " +
        "did, 3 when the service could not be reached or refused or is forgetting deposits that were never read, 1 when it soon " +
        "will (--warn-hours)."
    ),
    Command.withExamples([
      { command: "tallystick doctor", description: "Configuration, service and key" },
      {
        command: "tallystick doctor --accounts accounts.json --addresses addresses.csv --format json",
        description: "With the files of a report, for monitoring"
      }
    ])
  )
