/**
 * An archive can be kept in these databases. A driver is loaded when its layer is built, so that an archive in a file loads no
 * PostgreSQL.
 */
import type { ConfigurationError } from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ArchiveConfig from "../ArchiveConfig.ts"
import type { OpenError } from "../ArchiveError.ts"
import type * as Postgres from "./postgres/Postgres.ts"
import type { Database } from "./sql/Database.ts"
import type * as Sqlite from "./sqlite/Sqlite.ts"

/** This layer opens one file, which is created where it is missing. */
export const layerSqlite = (options: Sqlite.Options): Layer.Layer<Database, OpenError> =>
  Layer.unwrap(Effect.map(Effect.promise(() => import("./sqlite/Sqlite.ts")), ({ layer }) => layer(options)))

const reader = Effect.promise(() => import("./sqlite/SqliteReader.ts"))

/** This layer reads one file that nobody writes to; nothing in it or beside it changes. */
export const layerBackup = (file: string): Layer.Layer<Database, OpenError> =>
  Layer.unwrap(Effect.map(reader, ({ layerBackup }) => layerBackup(file)))

export const layerPostgres = (options: Postgres.Options): Layer.Layer<Database, OpenError> =>
  Layer.unwrap(Effect.map(Effect.promise(() => import("./postgres/Postgres.ts")), ({ layer }) => layer(options)))

/** This database is gone with the layer. */
// @effect-diagnostics-next-line lazyEffect:off layers are memoised by reference, and two archives share nothing
export const layerMemory = (): Layer.Layer<Database> =>
  Layer.unwrap(Effect.map(Effect.promise(() => import("./sqlite/Sqlite.ts")), ({ layerMemory }) => layerMemory()))

export const layerLocation = (location: ArchiveConfig.Location): Layer.Layer<Database, OpenError> =>
  location._tag === "File" ? layerSqlite(location) : layerPostgres(location)

/** This layer opens an archive that is there and may only be read. */
export const layerReader = (location: ArchiveConfig.Location): Layer.Layer<Database, OpenError> =>
  location._tag === "File"
    ? Layer.unwrap(Effect.map(reader, ({ layer }) => layer(location)))
    : layerPostgres(location)

/** This layer opens the database that `ArchiveConfig` names. */
// @effect-diagnostics-next-line lazyEffect:off layers are memoised by reference, and two archives share nothing
export const layerConfig = (): Layer.Layer<Database, OpenError | ConfigurationError> =>
  Layer.unwrap(Effect.map(ArchiveConfig.location, layerLocation))
