/** `tallystick runs`: the reconciliations that the archive remembers. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  limit: Flag.Int("limit").pipe(
    Flag.withMetavar("N"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
    Flag.withDescription("The last so many"),
    Flag.optional
  ),
  since: Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription("Those recorded from this time on, or in a length of time before now: 90m, 2h, 3d"),
    Flag.optional
  ),
  day: Flag.String("day").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription(
      "Those about a business day, or about time that holds some of it, in --zone: 2026-11-19, yesterday"
    ),
    Flag.optional
  ),
  format,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

const pruneFlags = {
  keep: Flag.String("keep").pipe(
    Flag.withMetavar("LENGTH"),
    Flag.withDescription("How long before now a run must have been come to last: 90d, 26w")
  ),
  archiveFile: ArchiveFlag.flag
}

const prune = Command.make(
  "prune",
  pruneFlags,
  Telemetry.command("runs prune", () => import("../handlers/RunsPrune.ts"))
).pipe(
  Command.withShortDescription("Take the outcomes of old runs away in whose place later ones stand"),
  Command.withDescription(
    "Take the outcomes of old runs away in whose place a later run stands: one of the same range and policy, about all of the " +
      "accounts, with no fewer addresses. The last run of a range keeps its outcomes, so do the runs of the books, and each run keeps its policy, coverage " +
      "and totals. Reads the runs that stay first, and takes nothing away where one is damaged. Can be killed at any moment and run " +
      "again."
  ),
  Command.withExamples([{ command: "tallystick runs prune --keep 90d", description: "From cron, once a month" }])
)

export const command = Command.make("runs", flags, Telemetry.command("runs", () => import("../handlers/Runs.ts"))).pipe(
  Command.withDescription(
    "List the reconciliations that the archive remembers, the last one first, with their outcomes: matches, " +
      "breaks, pending, not decidable (unknown), set aside. A run over the same data with the same policy stands there once."
  ),
  Command.withExamples([
    { command: "tallystick runs --zone Europe/Berlin", description: "With local times" },
    { command: "tallystick runs --day 2026-11-19 --limit 5", description: "The last five about a day" }
  ]),
  Command.withSubcommands([prune])
)
