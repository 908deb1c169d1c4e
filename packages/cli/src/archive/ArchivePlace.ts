/** The archive that a command works on: `--archive-file`, or what the environment names, or `tallystick.db` here. */
import * as Archive from "@tallystick/archive/Archive"
import * as Flag from "effect/cli/Flag"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Failure from "../Failure.ts"

export const flag = Flag.String("archive-file").pipe(
  Flag.withSchema(Schema.NonEmptyString),
  Flag.withMetavar("FILE"),
  Flag.withDescription(
    "The archive's file; else the PostgreSQL of TALLYSTICK_DATABASE_URL, else TALLYSTICK_ARCHIVE, else tallystick.db here"
  ),
  Flag.optional
)

export interface Flags {
  readonly archiveFile: Option.Option<string>
}

const DEFAULT = "tallystick.db"

const variable = (name: string) =>
  Config.option(Config.NonEmptyString(name)).pipe(Effect.orElseSucceed(() => Option.none<string>()))

/** The file that is meant, none where it is a PostgreSQL. */
export const fileOf = Effect.fnUntraced(function*({ archiveFile }: Flags) {
  const isServer = Option.isSome(yield* variable("TALLYSTICK_DATABASE_URL"))
  if (isServer && Option.isSome(archiveFile)) {
    return yield* Failure.usage(
      "--archive-file names a file and TALLYSTICK_DATABASE_URL a PostgreSQL: only one of them can be the archive"
    )
  }
  if (isServer) return Option.none<string>()
  if (Option.isSome(archiveFile)) return archiveFile
  return Option.orElseSome(yield* variable("TALLYSTICK_ARCHIVE"), () => DEFAULT)
})

const layer = (file: Option.Option<string>) =>
  Option.match(file, {
    onNone: () => Archive.Archive.layerSqlite({ file: DEFAULT }),
    onSome: (file) => Archive.Archive.layerSqlite({ file })
  })

/** Runs with the archive, which is made where there is none. */
export const withArchive = (flags: Flags) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(fileOf(flags), (file) =>
    Effect.provide(
      effect,
      Layer.catchTag(
        layer(file),
        "ArchiveError",
        (error) => Layer.effectContext(Effect.fail(Failure.fromArchive(error)))
      )
    ))

/** The same for a command that only reads: it makes no archive. */
export const withKeptArchive = (flags: Flags) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const file = yield* fileOf(flags)
    if (Option.isSome(file)) {
      const fileSystem = yield* FileSystem.FileSystem
      const exists = yield* Effect.orElseSucceed(fileSystem.exists(file.value), () => true)
      if (!exists) {
        return yield* Failure.usage(`there is no archive ${file.value}; tallystick sync or tallystick import makes one`)
      }
    }
    return yield* withArchive(flags)(effect)
  })
