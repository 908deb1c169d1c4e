/** `tallystick import`: old exports of the service's records, into the archive. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const time = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("TIME"), Flag.withDescription(description), Flag.optional)

const flags = {
  deposits: InputFlags.file("deposits", "Deposit records (NDJSON, JSON array or CSV; - is stdin)"),
  transfers: InputFlags.file("transfers", "Transfer records"),
  coversFrom: time("covers-from", "You vouch that every record from here on is in the file; goes with --covers-to"),
  coversTo: time("covers-to", "… up to here, not included"),
  seen: time(
    "seen",
    "When the file was exported: then what it says replaces what older files say, and never what the service showed"
  ),
  rejects: FileFlag.written("rejects").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Where lines go that are no records (default: the input's name and .rejects.ndjson)"),
    Flag.optional
  ),
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("import", flags, Telemetry.command("import", () => import("../handlers/Import.ts")))
  .pipe(
    Command.withDescription(
      "Put old exports of the service's records (NDJSON, JSON or CSV) into the archive. They count as complete only where you " +
        "vouch for it with --covers-from and --covers-to. Lines that are no records go to a file of their own. Exits with 1 " +
        "when there were any, or when what you vouched for could not be recorded."
    ),
    Command.withExamples([
      {
        command: "tallystick import --deposits deposits-2026-11.csv --covers-from 2026-11-01 --covers-to 2026-12-01",
        description: "A month that was exported whole"
      },
      {
        command: "tallystick import --transfers transfers.ndjson",
        description: "Records, and no claim that they are all"
      }
    ])
  )
