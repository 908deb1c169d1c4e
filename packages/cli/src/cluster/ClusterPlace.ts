/** The cluster that a command works with: its tables lie in the PostgreSQL that holds the archive. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Cluster from "@tallystick/cluster/Cluster"
import * as ClusterError from "@tallystick/cluster/ClusterError"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Schedules from "@tallystick/cluster/Schedules"
import * as Syncing from "@tallystick/cluster/Syncing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"

/** A file cannot be shared by machines, so no flag names one. */
export const NO_FILE: ArchiveFlag.Flags = { archiveFile: Option.none() }

/** The database that the settings name. */
export const location: Effect.Effect<
  ArchiveConfig.Postgres,
  Failure.Failure
> = Effect.flatMap(ArchivePlace.location(NO_FILE), (location) =>
  location._tag === "Postgres"
    ? Effect.succeed(location)
    : Effect.fail(Failure.usage(
      `a cluster needs an archive in PostgreSQL, which runners on several machines can reach: set ${ArchiveConfig.DATABASE_URL}. ` +
        "An archive in a file is reconciled by tallystick reconcile --archive"
    )))

const ofError = (error: ClusterError.ClusterError): Failure.Failure =>
  error.reason._tag === "Database" ? Failure.unfinished(error.message) : Failure.usage(error.message)

/** Ends the command where the cluster fails it. */
export const failing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E, ClusterError.ClusterError> => error instanceof ClusterError.ClusterError,
    (error) => Effect.fail(ofError(error))
  )

const layer = Layer.mergeAll(Reconciling.Reconciling.layer, Schedules.Schedules.layer, Syncing.Syncing.layer)

/** Runs with the jobs and the schedules of the cluster, and with what is known of its sync. */
export const withJobs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    location,
    (location) => failing(Effect.provide(effect, Layer.provide(layer, Cluster.client(location))))
  )
