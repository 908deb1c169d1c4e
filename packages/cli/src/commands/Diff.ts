/** `tallystick diff`: what became of entries from one recorded run to another. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { listFormat, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const run = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription(description),
    Argument.optional
  )

const flags = {
  before: run("before", "The earlier run (r…), or how its id begins"),
  after: run("after", "The later run, in the same way"),
  day: Flag.String("day").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription(
      "Instead of runs: what the last execution of the books over a business day changed, in --zone: 2026-11-19, yesterday, -2"
    ),
    Flag.optional
  ),
  format: listFormat,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("diff", flags, Telemetry.command("diff", () => import("../handlers/Diff.ts"))).pipe(
  Command.withDescription(
    "Compare two recorded runs, entry by entry: what waits and did not wait before (new), what waited and is settled (closed), what has " +
      "another code or other partners, and what became final. Compares the time that both are about. Exits with 0 when nothing " +
      "differs, and with 1 when something does."
  ),
  Command.withExamples([
    { command: "tallystick diff r3f2a r9c41", description: "Two runs, by the beginnings of their ids" },
    { command: "tallystick diff --day yesterday", description: "What the last execution over yesterday changed" },
    { command: "tallystick diff --day -2 --format csv --out changed.csv", description: "For a spreadsheet" }
  ])
)
