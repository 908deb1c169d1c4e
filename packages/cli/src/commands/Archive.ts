/** `tallystick archive`: what is in it, and whose it is. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const statusFlags = {
  format,
  out,
  zone: RangeFlags.flags.zone,
  warnHours: WarnHoursFlag.flag,
  archiveFile: ArchiveFlag.flag
}

const status = Command.make(
  "status",
  statusFlags,
  Telemetry.command("archive status", () => import("../handlers/ArchiveStatus.ts"))
).pipe(
  Command.withShortDescription("Show what the archive holds, what it lacks, and what is about to be lost"),
  Command.withDescription(
    "Show what the archive holds, what is complete as a bar of time, what is missing and why, and how long until the service " +
      "forgets something unread. It shows what was recorded, which archive check verifies. Asks the service nothing. Exits " +
      "with 1 when the service soon forgets something unread (--warn-hours), and with 3 when it does already."
  ),
  Command.withExamples([
    { command: "tallystick archive status --zone Europe/Berlin", description: "For a person" },
    { command: "tallystick archive status --format json", description: "For monitoring" }
  ])
)

const trust = Command.make(
  "trust",
  { archiveFile: ArchiveFlag.flag },
  Telemetry.command("archive trust", () => import("../handlers/ArchiveTrust.ts"))
).pipe(
  Command.withShortDescription("Say that the configured key belongs to the archive's master account"),
  Command.withDescription(
    "Say that the configured key belongs to the same master account as the records in the archive: after a key was replaced. " +
      "Nobody can check that; records of two masters in one archive cannot be told apart again."
  )
)

const checkFlags = {
  file: FileFlag.argument("file").pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription("A backup, instead of the archive"),
    Argument.optional
  ),
  head: Flag.String("head").pipe(
    Flag.withMetavar("NUMBER@HASH"),
    Flag.withDescription(
      "A head of the ledger that was kept elsewhere, as reports and decisions tell it: the ledger must go through it"
    ),
    Flag.optional
  ),
  books: Flag.Boolean("books").pipe(
    Flag.withDescription(
      "Compute the books again from the ledger and its runs besides, which reads all of their outcomes"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

const check = Command.make(
  "check",
  checkFlags,
  Telemetry.command("archive check", () => import("../handlers/ArchiveCheck.ts"))
).pipe(
  Command.withShortDescription("Hold everything that is kept against its checksums and control totals"),
  Command.withDescription(
    "Read every record and every recorded run and hold them against the checksums and control totals that were written with " +
      "them, and every row of the ledger against the chain of hashes; of a file, also against SQLite's own check. Names the stretches of time and the runs that are damaged, and the stretches whose lost rows were read again. An archive of an earlier version is brought to this one " +
      "first; of a backup nothing is changed, and one of an earlier version is refused."
  ),
  Command.withExamples([
    { command: "tallystick archive check", description: "The archive" },
    { command: "tallystick archive check backup.db", description: "A backup" },
    {
      command: "tallystick archive check --head 12@5f0c…",
      description: "Whether the ledger is as it was, up to this row"
    }
  ])
)

const rebuild = Command.make(
  "rebuild",
  { archiveFile: ArchiveFlag.flag },
  Telemetry.command("archive rebuild", () => import("../handlers/ArchiveRebuild.ts"))
).pipe(
  Command.withShortDescription("Write the books anew from the ledger and its runs"),
  Command.withDescription(
    "Write the books anew, as the ledger and the runs that it names have them: where archive check --books found that they stand " +
      "otherwise. It writes nothing where the ledger or one of these runs is damaged."
  )
)

const setting = Command.make(
  "setting",
  {
    approvals: Flag.Literals("approvals", ["on", "off"]).pipe(
      Flag.withDescription(
        "Whether a decision waits until another person approves it; without this flag the setting is shown"
      ),
      Flag.optional
    ),
    words: Flag.String("words").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withSchema(Schema.NonEmptyString),
      Flag.withDescription("Why the setting is changed"),
      Flag.optional
    ),
    by: AuthorFlags.flag,
    archiveFile: ArchiveFlag.flag
  },
  Telemetry.command("archive setting", () => import("../handlers/ArchiveSetting.ts"))
).pipe(
  Command.withShortDescription("Tell how decisions are made in the archive, or change that"),
  Command.withDescription(
    "Tell how decisions are made in the archive, or change that. With approvals a decision is proposed, and reports follow it once " +
      "another person approved it (decide approve). A change stands in the ledger like a decision; while approvals are on, it too is " +
      "proposed."
  ),
  Command.withExamples([
    {
      command: "tallystick archive setting --approvals on --words 'two people decide'",
      description: "From the next decision on"
    }
  ])
)

const backupFlags = {
  file: FileFlag.writtenArgument("file").pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription("A file that does not exist yet")
  ),
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

const backup = Command.make(
  "backup",
  backupFlags,
  Telemetry.command("archive backup", () => import("../handlers/ArchiveBackup.ts"))
).pipe(
  Command.withShortDescription("Copy the archive's file, also while a sync runs, and read the copy again"),
  Command.withDescription(
    "Copy the archive into a file that does not exist yet, also while a sync runs: everything as it is at one moment. The copy is " +
      "held against its checksums and control totals before it gets its name, so that its records are whole or it is not there; " +
      "recorded runs that are damaged are copied and named, and so is time of which the archive lost rows earlier. Of PostgreSQL " +
      "nothing is copied: it says the line for pg_dump, and exits with 2."
  ),
  Command.withExamples([{ command: "tallystick archive backup books-2026-11-23.db", description: "One for each day" }])
)

export const command = Command.make("archive").pipe(
  Command.withDescription("The archive: what is in it, whose it is, whether it is whole"),
  Command.withSubcommands([status, check, rebuild, backup, setting, trust])
)
