/** `tallystick reconcile`: the report, from the service, the archive, or two files. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as BookFlags from "../flags/BookFlags.ts"
import * as FailOnFlag from "../flags/FailOnFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import * as NotifyFlags from "../flags/NotifyFlags.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  deposits: InputFlags.file(
    "deposits",
    "Deposits from a file (NDJSON, JSON array or CSV; - is stdin) instead of the service"
  ),
  transfers: InputFlags.file("transfers", "Transfers from a file; goes with --deposits"),
  archive: Flag.Boolean("archive").pipe(
    Flag.withDescription("Both sides from the archive, any range that was kept; the run is recorded there"),
    Flag.withDefault(false)
  ),
  noRecord: Flag.Boolean("no-record").pipe(
    Flag.withDescription("With --archive: record no run. Then the archive may be one that can only be read"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  workers: Flag.Int("workers").pipe(
    Flag.withMetavar("COUNT"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 }))),
    Flag.withDescription(
      "With --archive: match assets that have nothing to do with each other in up to so many threads at once; the report is the same"
    ),
    Flag.withDefault(1)
  ),
  ...BookFlags.flags,
  ...NotifyFlags.ofBooks,
  archiveFile: ArchiveFlag.flag,
  ...InputFlags.flags,
  accounts: InputFlags.accountsOrService,
  ...ReportFlags.flags,
  failOn: FailOnFlag.flag
}

export const command = Command.make(
  "reconcile",
  flags,
  Telemetry.command("reconcile", () => import("../handlers/Reconcile.ts"))
).pipe(
  Command.withDescription(
    "Match transfers with deposits and report every break. From the service: the last 24 hours unless a range is " +
      "given, and without an end up to what is settled. From the archive: the last 24 hours before the end of what is complete. The last line on stderr sums it up for " +
      "logs. Exits with 0 when clean, 1 when not (see --fail-on), 3 when it could not finish."
  ),
  Command.withExamples([
    {
      command: "tallystick reconcile --day 2026-11-19 --zone Europe/Berlin --accounts accounts.json",
      description: "A business day, from the service"
    },
    {
      command:
        "tallystick reconcile --archive --book --day yesterday --accounts accounts.json --addresses addresses.json",
      description: "The evening's run, which brings the books forward (tallystick open)"
    },
    {
      command:
        "tallystick reconcile --archive --from 2026-10-01 --to 2026-11-01 --accounts accounts.json --format json",
      description: "A month, from the archive"
    },
    {
      command:
        "tallystick reconcile --deposits deposits.ndjson --transfers ledger.csv --prices prices.csv --out report.html",
      description: "Two files, as a page to open and to mail, the most money first"
    },
    {
      command:
        "tallystick reconcile --archive --day 2026-11-19 --fail-on missing-transfer,undetermined --out report.json",
      description: "For a job that fails only when a deposit was not moved, or cannot be judged"
    },
    {
      command:
        "tallystick reconcile --deposits deposits.ndjson --transfers transfers.ndjson --complete --format ndjson",
      description: "Two files of any length, an outcome a line as soon as it is decided"
    }
  ])
)
