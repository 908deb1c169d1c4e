/** `tallystick sync`: reads into the archive what it lacks, once or again and again. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import * as MetricsFlag from "../flags/MetricsFlag.ts"
import * as NotifyFlags from "../flags/NotifyFlags.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  since: Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(
      "First moment to keep, as a time or as a length of time before the service's now: 96h (default: where the archive " +
        "begins; for a new one as far back as the service shows deposits)"
    ),
    Flag.optional
  ),
  watch: Flag.Boolean("watch").pipe(
    Flag.withDescription(
      "Do it again and again, with a line each time, until it is told to stop. Reads --accounts and --addresses again each time"
    ),
    Flag.withDefault(false)
  ),
  every: Flag.String("every").pipe(
    Flag.withMetavar("LENGTH"),
    Flag.withDescription("How long --watch waits between two rounds: 90s, 10m, 1h (default: 10m)"),
    Flag.optional
  ),
  quietEvery: Flag.String("quiet-every").pipe(
    Flag.withMetavar("LENGTH"),
    Flag.withDescription(
      "With more than 100 lists of transfers a round reads those in which something happened, and the quiet ones in turn: each " +
        "at least so often (default: 6h)"
    ),
    Flag.optional
  ),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("Read the quiet lists too, every time: before a report of today, for instance"),
    Flag.withDefault(false)
  ),
  budget: Flag.String("budget").pipe(
    Flag.withMetavar("PERCENT"),
    Flag.withDescription(
      "Use so much of the configured rate and leave the rest to others, such as a sweeper with the same key: 50% (default: 100%)"
    ),
    Flag.optional
  ),
  accounts: InputFlags.accountsOrService,
  addresses: InputFlags.flags.addresses,
  policy: InputFlags.configured(
    "policy",
    "Its flows say which transfers are asked for, its statuses which records are read again"
  ),
  zone: RangeFlags.flags.zone,
  warnHours: WarnHoursFlag.flag,
  ...NotifyFlags.ofWatch,
  metrics: MetricsFlag.flag,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("sync", flags, Telemetry.command("sync", () => import("../handlers/Sync.ts"))).pipe(
  Command.withDescription(
    "Read deposits and transfers into the archive, oldest first, from where it is complete. Can be killed at any moment and " +
      "run again. Says what is complete, and how long until the service forgets something unread: it shows deposits for 3 " +
      "days only. Exits with 0 when all that was asked for is complete, 1 when records could not be read or the service soon " +
      "forgets something unread (--warn-hours), 3 when something is not proven complete or is being forgotten unread, or " +
      "somebody else holds the archive."
  ),
  Command.withExamples([
    { command: "tallystick sync --accounts accounts.json", description: "From cron, at least once a day" },
    {
      command: "tallystick sync --watch --every 10m --accounts accounts.json",
      description: "As a service, until SIGTERM"
    }
  ])
)
