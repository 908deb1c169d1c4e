/** The configuration says where the archive is. It comes from any ConfigProvider, which is asked for the `variables` below. */
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { DatabaseError } from "./ArchiveError.ts"
import * as PostgresUrl from "./internal/postgres/PostgresUrl.ts"

/** The variable that names a PostgreSQL database. */
export const DATABASE_URL = "TALLYSTICK_DATABASE_URL"
/** The variable that names a file. */
export const FILE = "TALLYSTICK_ARCHIVE"
/** The file of an archive where nothing names another. */
export const DEFAULT_FILE = "tallystick.db"

/** These variables are read; they stand in the order of the documentation. */
export const variables: ReadonlyArray<BrokerConfig.Variable> = [
  {
    key: "archive",
    name: FILE,
    meaning: "A file to keep the archive in, where no database is named; made with mode 600.",
    allowed: "the name of a file",
    default: DEFAULT_FILE
  },
  {
    key: "databaseUrl",
    name: DATABASE_URL,
    meaning: "A PostgreSQL database (14 or newer) to keep the archive in.",
    allowed: "`postgres://user:password@host:port/database`",
    secret: true
  }
]

/** An archive in one SQLite file. */
export interface File {
  /** It tells a file from a database. */
  readonly _tag: "File"
  /** The path of the file. */
  readonly file: string
}

/** An archive in a PostgreSQL database. */
export interface Postgres {
  /** It tells a database from a file. */
  readonly _tag: "Postgres"
  /** Its address, `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
}

/** The place of an archive: a file, or a PostgreSQL database. */
export type Location = File | Postgres

/** An empty variable counts as absent. */
const read = (name: string): Effect.Effect<Option.Option<string>, BrokerConfig.ConfigurationError> =>
  Config.option(Config.String(name)).pipe(
    Effect.mapError(() =>
      new BrokerConfig.ConfigurationError({ variable: name, problem: "could not be read from the configuration" })
    ),
    Effect.map(Option.filter((text) => text.trim() !== ""))
  )

const postgres = (text: string): Effect.Effect<Postgres, BrokerConfig.ConfigurationError> =>
  Option.isSome(PostgresUrl.place(text))
    ? Effect.succeed({ _tag: "Postgres", url: Redacted.make(text, { label: DATABASE_URL }) })
    : Effect.fail(
      new BrokerConfig.ConfigurationError({ variable: DATABASE_URL, problem: `is not ${PostgresUrl.WANTED}` })
    )

/** Reads where the archive is. It fails where the database URL is not one; the error names the variable, and never its value. */
export const location: Effect.Effect<Location, BrokerConfig.ConfigurationError> = Effect.gen(function*() {
  const url = yield* read(DATABASE_URL)
  if (Option.isSome(url)) return yield* postgres(url.value.trim())
  const file = yield* read(FILE)
  return { _tag: "File", file: Option.getOrElse(file, () => DEFAULT_FILE) }
})

/** Gives what may be told of a location: the file, or the database's host, port and name. */
export const place = (location: Location): string =>
  location._tag === "File"
    ? location.file
    : Option.getOrElse(PostgresUrl.place(Redacted.value(location.url)), () => "PostgreSQL")

/** Tells whether an address is one of PostgreSQL. What is none is shown nowhere: its password may stand in any place. */
export const isAddress = (url: Redacted.Redacted): boolean => Option.isSome(PostgresUrl.place(Redacted.value(url)))

/** Gives a database's address for other programs, which find the password themselves: whatever may be a secret is left out. */
export const withoutSecrets = ({ url }: Postgres): string =>
  Option.getOrElse(PostgresUrl.withoutSecrets(Redacted.value(url)), () => "postgres://")

/**
 * Tells whether an archive was ever made there, and makes none. An empty file or database is not an archive. It fails where
 * PostgreSQL does not answer.
 */
export const exists = (location: Location): Effect.Effect<boolean, DatabaseError> =>
  location._tag === "File"
    ? Effect.flatMap(Effect.promise(() => import("./internal/sqlite/SqliteFile.ts")), ({ exists }) =>
      exists(location.file))
    : Effect.flatMap(
      Effect.promise(() =>
        import("./internal/postgres/Postgres.ts")
      ),
      ({ exists }) => exists(location)
    )
