/** `tallystick close`: the books of a period are done. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  to: Flag.String("to").pipe(
    Flag.withMetavar("DAY"),
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription(
      "The last day of the period, all of which is closed: 2026-11-19, yesterday, -2 (two days before today)"
    )
  ),
  from: RangeFlags.flags.from.pipe(
    Flag.withDescription(
      "Where the first period begins; without it, where the first execution of the books does. Each later one begins where the " +
        "last one ends"
    )
  ),
  carryOpen: Flag.Boolean("carry-open").pipe(
    Flag.withDescription(
      "Carry forward what waits, what is settled by outcomes that are not final, and records that could not be read"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  by: AuthorFlags.flag.pipe(
    Flag.withDescription("Who closes; without it, the user that the operating system names")
  ),
  format,
  out,
  zone: RangeFlags.zoneOfPeriods("Zone of the days of all periods"),
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("close", flags, Telemetry.command("close", () => import("../handlers/Close.ts")))
  .pipe(
    Command.withDescription(
      "Close the books from where the last period ends up to the end of a day: the ledger keeps who did so, and a digest of where each " +
        "entry stands. All of that time must have been reconciled with --book after all was read that the policy looks at. What waits " +
        "keeps a period open unless it is carried expressly. Exits with 1 when something is lacking, and names it."
    ),
    Command.withExamples([
      { command: "tallystick close --to -2 --carry-open", description: "Up to the end of the day before yesterday" }
    ])
  )
