/** `tallystick sync`: reads into the archive what it lacks, once or again and again. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as NotifyFlags from "../flags/NotifyFlags.ts"
import * as SyncFlags from "../flags/SyncFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const { accounts, addresses, all, budget, every, metrics, policy, quietEvery, since, warnHours, zone } =
  SyncFlags.ofSync

const flags = {
  since,
  watch: Flag.Boolean("watch").pipe(
    Flag.withDescription(
      "Do it again and again, with a line each time, until it is told to stop. Reads --accounts and --addresses again each time"
    ),
    Flag.withDefault(false)
  ),
  every,
  quietEvery,
  all,
  budget,
  accounts,
  addresses,
  policy,
  zone,
  warnHours,
  ...NotifyFlags.ofWatch,
  metrics,
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
