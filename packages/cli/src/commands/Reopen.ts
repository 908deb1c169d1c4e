/** `tallystick reopen`: takes the last close back. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"
import { REASONS } from "./Decide.ts"

const flags = {
  close: Flag.Int("close").pipe(
    Flag.withMetavar("NUMBER"),
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))),
    Flag.withDescription("The number of the close, which must be the last that stands; without it, that one"),
    Flag.optional
  ),
  reason: Flag.Literals("reason", REASONS).pipe(Flag.withDescription("Why, in a word that can be counted")),
  words: Flag.String("words").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Why, in your words")
  ),
  by: AuthorFlags.flag.pipe(
    Flag.withDescription("Who reopens; without it, the user that the operating system names")
  ),
  format,
  out,
  zone: RangeFlags.zoneOfPeriods("Zone of times in the report"),
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("reopen", flags, Telemetry.command("reopen", () => import("../handlers/Reopen.ts")))
  .pipe(
    Command.withDescription(
      "Take the last close back, so that its period can be closed again. Nothing is removed: the ledger keeps the close, who took it back, " +
        "and why."
    ),
    Command.withExamples([
      {
        command: "tallystick reopen --reason exchange-error --words \"the exchange told a deposit late\"",
        description: "The last period"
      }
    ])
  )
