/** The archive that a command works on: `--archive-file`, or what the environment names, or `tallystick.db` here. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Configured from "../config/Configured.ts"
import * as Failure from "../Failure.ts"
import type { Flags } from "../flags/ArchiveFlag.ts"

/** Where it is. A file and a database of the environment together are one too many; of the configuration file the flag comes first. */
export const location = Effect.fnUntraced(
  function*({ archiveFile }: Flags): Effect.fn.Return<ArchiveConfig.Location, Failure.Failure> {
    const configured = yield* Effect.catch(
      ArchiveConfig.location,
      (error) => Effect.flatMap(Configured.failure(error), Effect.fail)
    )
    if (Option.isNone(archiveFile)) return configured
    const database = yield* Configured.value(ArchiveConfig.DATABASE_URL)
    return configured._tag === "File" || database?.source._tag === "File"
      ? { _tag: "File", file: archiveFile.value }
      : yield* Failure.usage(
        `--archive-file names a file and ${ArchiveConfig.DATABASE_URL} a PostgreSQL: only one of them can be the archive`
      )
  }
)

const layer = (location: ArchiveConfig.Location) =>
  location._tag === "File" ? Archive.Archive.layerSqlite(location) : Archive.Archive.layerPostgres(location)

/** Runs with the archive of that place, which is made where there is none. */
export const provided = (location: ArchiveConfig.Location) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, layer(location))

/** How a command ends that the archive fails. */
type Ending = (error: ArchiveError.ArchiveError) => Failure.Failure

const failing = (ending: Ending) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E, ArchiveError.ArchiveError> => error instanceof ArchiveError.ArchiveError,
    (error) => Effect.fail(ending(error))
  )

/** Runs with the archive, which is made where there is none. */
export const withArchive = (flags: Flags) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(location(flags), (location) => failing(Failure.fromArchive)(provided(location)(effect)))

/** The archive that is kept, in a layer that is made of its place; none is made. */
const withKept = (
  flags: Flags,
  layer: (location: ArchiveConfig.Location) => ReturnType<typeof Archive.Archive.layerReader>,
  ending: Ending
) =>
<A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const place = yield* location(flags)
    if (!(yield* Effect.mapError(ArchiveConfig.exists(place), Failure.fromArchive))) {
      return yield* Failure.usage(
        `there is no archive in ${ArchiveConfig.place(place)}; tallystick sync or tallystick import makes one`
      )
    }
    return yield* failing(ending)(Effect.provide(effect, layer(place)))
  })

/** The same for a command that makes no archive, and writes to one that is there. */
export const withKeptArchive = (flags: Flags, ending: Ending = Failure.fromArchive) => withKept(flags, layer, ending)

/** The same for a command that only reads: it needs no right to write. */
export const withReadArchive = (flags: Flags, ending: Ending = Failure.fromArchive) =>
  withKept(flags, Archive.Archive.layerReader, ending)

/** Runs with the archive in a file that has no writer, and changes nothing. */
export const withBackup = (file: string, ending: Ending) => <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const place: ArchiveConfig.Location = { _tag: "File", file }
  return Effect.gen(function*() {
    if (!(yield* Effect.mapError(ArchiveConfig.exists(place), Failure.fromArchive))) {
      return yield* Failure.usage(`there is no archive in ${file}`)
    }
    return yield* failing(ending)(Effect.provide(effect, Archive.Archive.layerBackup(file)))
  })
}
