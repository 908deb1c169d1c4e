/**
 * What several processes share: the tables of the jobs, and the engine that gives jobs to runners. It is Effect's own cluster and workflow
 * engine, over the PostgreSQL that holds the archive or, in one process, over an SQLite file.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as SqliteClient from "@tallystick/archive/SqliteClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ClusterError from "./ClusterError.ts"
import * as Engines from "./internal/effect/Engine.ts"
import * as JobTable from "./internal/jobs/JobTable.ts"
import * as ScheduleTable from "./internal/jobs/ScheduleTable.ts"
import * as Pooler from "./internal/Pooler.ts"
import * as SyncTable from "./internal/sync/SyncTable.ts"
import { unusable } from "./internal/Unusable.ts"
import { Version } from "./internal/Version.ts"

/** What gives jobs to runners: the workflow engine and the sharding of this package, or of an app with a cluster of its own. */
export type Engine = Engines.Engine
/** The tables of the jobs and of the schedules. */
export type Jobs = JobTable.JobTable | ScheduleTable.ScheduleTable

/** The table that tells which runner syncs. */
export type Syncs = SyncTable.SyncTable

/** These options name the PostgreSQL database that the runners share. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; the role's current schema holds the tables. A pooler must be in session mode. */
  readonly url: Redacted.Redacted
}

/** A host and a port. */
export type Address = Engines.Address

/** These options name a runner. */
export interface RunnerOptions extends PostgresOptions {
  /** The other runners reach this one here: a name or an address that they know, and a port that is not 0. */
  readonly address: Address
  /** It listens here. Default: `address`. */
  readonly listen?: Address
  /** It may be the one runner that syncs: `Syncing.layerRunner` is over it. Default: it never is. */
  readonly sync?: boolean
}

const failed = (reason: ClusterError.Reason) => new ClusterError.ClusterError({ reason })

const told = <A, R>(
  layer: Layer.Layer<A, ClusterError.ClusterError | SqlError, R>
): Layer.Layer<A, ClusterError.ClusterError, R> =>
  Layer.catchTag(layer, "SqlError", (error) => Layer.unwrap(Effect.fail(unusable(error))))

/** An address that is none may have its password in any place, and clients quote what they do not understand. */
const checked = ({ url }: PostgresOptions) =>
  ArchiveConfig.isAddress(url)
    ? Layer.empty
    : Layer.effectDiscard(failed(
      new ClusterError.Database({
        detail:
          "its address is not postgres://user:password@host:port/database, with %-codes for / @ : ? and # in the password"
      })
    ))

/** A runner uses one connection for its locks alone, and these for everything. */
const CONNECTIONS = 6

const postgres = (options: PostgresOptions) =>
  told(PgClient.layer({
    url: options.url,
    applicationName: "tallystick-cluster",
    connectTimeout: "10 seconds",
    keepAlive: "10 seconds",
    maxConnections: CONNECTIONS
  })).pipe(Layer.provide(checked(options)))

const withoutPooler = (options: PostgresOptions) =>
  Layer.effectDiscard(
    Effect.flatMap(
      Effect.mapError(Pooler.isThere(options.url), unusable),
      (isThere) => isThere ? Effect.fail(failed(new ClusterError.Pooled())) : Effect.void
    )
  ).pipe(Layer.provide(checked(options)))

const textOf = ({ host, port }: Address): string => host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`

/** The jobs and schedules, over the database that the app gives; their tables are made where there are none. */
export const jobs: Layer.Layer<Jobs, ClusterError.ClusterError, SqlClient.SqlClient> = Layer.provideMerge(
  ScheduleTable.ScheduleTable.layer,
  JobTable.JobTable.layer
)

/** Which runner syncs, over the database that the app gives; the table is made where there is none. */
export const syncs: Layer.Layer<Syncs, ClusterError.ClusterError, SqlClient.SqlClient> = SyncTable.SyncTable.layer

/** All tables of this package. */
const tables = Layer.merge(jobs, syncs)

/** The tables of a runner, in which its version stands from now on. */
const tablesOfRunner = Layer.effectDiscard(
  Effect.gen(function*() {
    const { enrol } = yield* JobTable.JobTable
    yield* enrol(yield* Version)
  })
).pipe(Layer.provideMerge(Layer.fresh(tables)))

/** The tables, for a program that submits jobs and watches them, and is no runner. */
export const client = (options: PostgresOptions): Layer.Layer<Jobs | Syncs, ClusterError.ClusterError> =>
  Layer.fresh(tables).pipe(Layer.provide(postgres(options)))

/**
 * One of several runners, on any machine. It fails with `Pooled` where a pooler shares sessions, and with `CannotListen` where its address
 * is in use. Runners talk over TCP without encryption and without a password: whoever reaches the port can give them work.
 */
export const runner = (options: RunnerOptions): Layer.Layer<Engine | Jobs | Syncs, ClusterError.ClusterError> => {
  const { address, listen = address, sync = false } = options
  const engine = Engines.layerRunner(
    { address, listen, isSyncing: sync },
    (detail) => failed(new ClusterError.CannotListen({ address: textOf(listen), detail }))
  )
  return Layer.merge(engine, tablesOfRunner).pipe(
    Layer.provide(postgres(options)),
    Layer.provide(withoutPooler(options))
  )
}

/** These options name the file of a cluster in one process. */
export interface SingleOptions {
  /** An SQLite file, which is made where it is missing. It is none of an archive: each of the two has one writer. */
  readonly file: string
}

/** The only runner of a cluster, in this process: for one machine, for a trial, and for tests. */
export const single = ({ file }: SingleOptions): Layer.Layer<Engine | Jobs | Syncs, ClusterError.ClusterError> =>
  Layer.merge(Engines.layerSingle, tablesOfRunner).pipe(
    Layer.provide(told(SqliteClient.layer({ filename: file })))
  )
