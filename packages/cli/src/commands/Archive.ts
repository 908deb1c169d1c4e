/** `tallystick archive`: what is in it, and whose it is. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Backup from "@tallystick/archive/Backup"
import * as Integrity from "@tallystick/archive/Integrity"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Origin from "@tallystick/core/Origin"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as IntegrityText from "../archive/IntegrityText.ts"
import * as StatusJson from "../archive/StatusJson.ts"
import * as StatusText from "../archive/StatusText.ts"
import * as StatusView from "../archive/StatusView.ts"
import * as Configured from "../config/Configured.ts"
import * as Variables from "../config/Variables.ts"
import * as Failure from "../Failure.ts"
import { STDIN } from "../files/InputFile.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import { type Format, format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

const statusFlags = { format, out, zone: RangeFlags.flags.zone, archiveFile: ArchivePlace.flag }

interface StatusFlags extends ArchivePlace.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly format: Format
  readonly out: Option.Option<string>
}

const showStatus = Effect.fnUntraced(function*(flags: StatusFlags) {
  yield* Output.ready(flags.out)
  const zone = yield* RangeFlags.zone(flags.zone)
  const { depositHistory } = yield* Effect.catch(
    Variables.conventions,
    (error) => Effect.flatMap(Configured.failure(error), Effect.fail)
  )
  const { holder, view } = yield* Effect.all({ view: StatusView.read(depositHistory), holder: StatusView.holder }).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withKeptArchive(flags)
  )
  const text = flags.format === "json"
    ? StatusJson.render(view, holder)
    : StatusText.render(view, holder, { ...(yield* ReportOutput.look(flags.out)), zone })
  yield* Output.write(flags.out, Stream.make(text))
})

const status = Command.make("status", statusFlags, Telemetry.command("archive status", showStatus)).pipe(
  Command.withShortDescription("Show what the archive holds, what it lacks, and what is about to be lost"),
  Command.withDescription(
    "Show what the archive holds, what is complete as a bar of time, what is missing and why, and how long until the service " +
      "forgets something unread. It shows what was recorded, which archive check verifies. Asks the service nothing."
  ),
  Command.withExamples([
    { command: "tallystick archive status --zone Europe/Berlin", description: "For a person" },
    { command: "tallystick archive status --format json", description: "For monitoring" }
  ])
)

const trustConfigured = Effect.fnUntraced(
  function*(flags: ArchivePlace.Flags) {
    const options = yield* BrokerConfig.load()
    const origin = yield* Origin.of(yield* Effect.fromResult(BrokerConfig.make(options)))
    const { place, known } = yield* Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const known = yield* Effect.catchIf(
        archive.stamps,
        ({ reason }) => reason._tag === "Damaged",
        () => Effect.succeed([])
      )
      yield* archive.trust(origin)
      return { place: archive.place, known }
    }).pipe(Effect.mapError(Failure.fromArchive), ArchivePlace.withKeptArchive(flags))
    const isKnown = known.some(({ baseUrl, fingerprint }) =>
      baseUrl === origin.baseUrl && fingerprint === origin.fingerprint
    )
    yield* Stderr.say(
      isKnown
        ? `${place} knows this key already: ${Origin.describe(origin)}`
        : `${place} takes records by this key from now on: ${Origin.describe(origin)}`
    )
  },
  (effect) =>
    Effect.catchTag(effect, "ConfigurationError", (error) => Effect.flatMap(Configured.failure(error), Effect.fail))
)

const trust = Command.make(
  "trust",
  { archiveFile: ArchivePlace.flag },
  Telemetry.command("archive trust", trustConfigured)
).pipe(
  Command.withShortDescription("Say that the configured key belongs to the archive's master account"),
  Command.withDescription(
    "Say that the configured key belongs to the same master account as the records in the archive: after a key was replaced. " +
      "Nobody can check that; records of two masters in one archive cannot be told apart again."
  )
)

/** As one word of a shell. */
const quoted = (text: string): string => /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const checkFlags = {
  file: FileFlag.argument("file").pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription("A backup, instead of the archive"),
    Argument.optional
  ),
  archiveFile: ArchivePlace.flag
}

interface CheckFlags extends ArchivePlace.Flags {
  readonly file: Option.Option<string>
}

/** An archive that cannot be read because it is damaged was checked, and that is the finding. */
const unreadable = (error: ArchiveError.ArchiveError): Failure.Failure =>
  error.reason._tag === "Damaged" ? Failure.notClean(error.message) : Failure.fromArchive(error)

const checkArchive = Effect.fnUntraced(function*({ archiveFile, file }: CheckFlags) {
  if (Option.isSome(file) && Option.isSome(archiveFile)) {
    return yield* Failure.usage("name the file or --archive-file, not both")
  }
  const looked = Effect.all({
    place: Effect.map(Archive.Archive, ({ place }) => place),
    integrity: Integrity.check()
  })
  const { integrity, place } = yield* Option.isSome(file)
    ? ArchivePlace.withBackup(file.value, unreadable)(looked)
    : ArchivePlace.withKeptArchive({ archiveFile }, unreadable)(looked)
  const [findings, lost] = [IntegrityText.findings(integrity), IntegrityText.lost(integrity.lost)]
  yield* Output.toStdout(Stream.make([...findings, ...lost].map((line) => `${line}\n`).join("")))
  if (findings.length === 0) {
    return yield* Stderr.say(
      lost.length === 0
        ? `${place} holds what was written to it`
        : `${place} holds what was written to it, but for the rows that it lost earlier`
    )
  }
  return yield* Failure.notClean(`${place} does not hold what was written to it`, IntegrityText.advice(integrity))
})

const check = Command.make("check", checkFlags, Telemetry.command("archive check", checkArchive)).pipe(
  Command.withShortDescription("Hold everything that is kept against its checksums and control totals"),
  Command.withDescription(
    "Read every record and every recorded run and hold them against the checksums and control totals that were written with " +
      "them; of a file, also against SQLite's own check. Names the stretches of time and the runs that are damaged, and the stretches whose lost rows were read again. An archive of an earlier version is brought to this one " +
      "first; of a backup nothing is changed, and one of an earlier version is refused."
  ),
  Command.withExamples([
    { command: "tallystick archive check", description: "The archive" },
    { command: "tallystick archive check backup.db", description: "A backup" }
  ])
)

const backupFlags = {
  file: FileFlag.writtenArgument("file").pipe(
    Argument.withSchema(Schema.NonEmptyString),
    Argument.withDescription("A file that does not exist yet")
  ),
  archiveFile: ArchivePlace.flag
}

interface BackupFlags extends ArchivePlace.Flags {
  readonly file: string
}

const ofPostgres = (file: string, place: ArchiveConfig.Postgres) =>
  Failure.usage(
    "the archive is in PostgreSQL, which has a tool for it",
    `pg_dump --format=custom --file=${quoted(file)} ${quoted(ArchiveConfig.withoutSecrets(place))}`
  )

const ofFile = Effect.fnUntraced(function*(archiveFile: BackupFlags["archiveFile"], file: string, from: string) {
  const copy = yield* Backup.make(file).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withKeptArchive({ archiveFile })
  )
  if (copy.lost.length > 0) {
    yield* Stderr.complain(
      `${from} lost rows earlier, and ${file} lacks them too: keep the backups of before`,
      ...IntegrityText.lost(copy.lost)
    )
  }
  if (Integrity.areRunsSound(copy)) {
    return yield* Stderr.say(
      copy.lost.length === 0
        ? `${file} holds all of ${from}: it was read again and is whole`
        : `${file} holds all that ${from} holds now: it was read again`
    )
  }
  return yield* Failure.notClean(
    `${file} holds all records that ${from} holds, but of its runs some are damaged, in both of them`,
    ...IntegrityText.ofRuns(copy.runs),
    IntegrityText.RUNS
  )
})

const backUp = Effect.fnUntraced(function*({ archiveFile, file }: BackupFlags) {
  if (file === STDIN) return yield* Failure.usage("a backup goes into a file, and to no stdout: name the file")
  if (/[/\\]$/.test(file)) {
    return yield* Failure.usage(
      `a backup is a file, and ${file} names a directory: name the file, such as ${file}books.db`
    )
  }
  const place = yield* ArchivePlace.location({ archiveFile })
  return yield* place._tag === "Postgres" ? Effect.fail(ofPostgres(file, place)) : ofFile(archiveFile, file, place.file)
})

const backup = Command.make("backup", backupFlags, Telemetry.command("archive backup", backUp)).pipe(
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
  Command.withSubcommands([status, check, backup, trust])
)
