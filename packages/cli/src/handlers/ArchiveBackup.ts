/** The work of `tallystick archive backup`. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Backup from "@tallystick/archive/Backup"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Effect from "effect/Effect"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as IntegrityText from "../archive/IntegrityText.ts"
import * as Failure from "../Failure.ts"
import { STDIN } from "../files/InputFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

/** As one word of a shell. */
const quoted = (text: string): string => /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly file: string
}

const ofPostgres = (file: string, place: ArchiveConfig.Postgres) =>
  Failure.usage(
    "the archive is in PostgreSQL, which has a tool for it",
    `pg_dump --format=custom --file=${quoted(file)} ${quoted(ArchiveConfig.withoutSecrets(place))}`
  )

const ofFile = Effect.fnUntraced(function*({ archiveFile, file, zone }: Flags, from: string) {
  const times = ZonedTimes.make(yield* AskedRange.zone(zone))
  const copy = yield* Backup.make(file).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withKeptArchive({ archiveFile })
  )
  if (copy.lost.length > 0) {
    yield* Stderr.complain(
      `${from} lost rows earlier, and ${file} lacks them too: keep the backups of before`,
      ...IntegrityText.lost(copy.lost, times)
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

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const { archiveFile, file } = flags
  if (file === STDIN) return yield* Failure.usage("a backup goes into a file, and to no stdout: name the file")
  if (/[/\\]$/.test(file)) {
    return yield* Failure.usage(
      `a backup is a file, and ${file} names a directory: name the file, such as ${file}books.db`
    )
  }
  const place = yield* ArchivePlace.location({ archiveFile })
  return yield* place._tag === "Postgres" ? Effect.fail(ofPostgres(file, place)) : ofFile(flags, place.file)
})
