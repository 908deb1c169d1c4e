/** `tallystick runs`: the reconciliations that the archive remembers. */
import * as Command from "effect/cli/Command"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = { format, out, zone: RangeFlags.flags.zone, archiveFile: ArchiveFlag.flag }

export const command = Command.make("runs", flags, Telemetry.command("runs", () => import("../handlers/Runs.ts"))).pipe(
  Command.withDescription(
    "List the reconciliations that the archive remembers, the last one first, with their outcomes: matched, discrepancies " +
      "(breaks), pending, undetermined (unknown), set aside. A run over the same data with the same policy stands there once."
  ),
  Command.withExamples([{ command: "tallystick runs --zone Europe/Berlin", description: "With local times" }])
)
