/** Reading the exchange into the archive on one of several runners: where that runner is lost, another one goes on. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Cluster from "./Cluster.ts"
import type * as ClusterError from "./ClusterError.ts"
import * as Engine from "./internal/effect/Engine.ts"
import { lasting } from "./internal/runner/Lasting.ts"
import * as SyncTable from "./internal/sync/SyncTable.ts"
import { Version } from "./internal/Version.ts"
import type * as SyncState from "./SyncState.ts"

/** Tells which runner syncs, and how it goes. */
export interface Service {
  /** Which runner syncs, since when, how far it came, and what keeps it; none where no runner of this database ever did. */
  readonly state: Effect.Effect<Option.Option<SyncState.SyncState>, ClusterError.ClusterError>
  /** Names the runners that may sync and were there in the last ten seconds, as `HOST:PORT`. */
  readonly candidates: Effect.Effect<ReadonlyArray<string>>
}

/** A sync tells these how its rounds go. They never fail: a sync goes on where nobody can be told. */
export interface Told {
  /** A round came to its end. `completeTo`: every query is complete up to there, Unix ms; null where one is nowhere. */
  readonly read: (completeTo: number | null) => Effect.Effect<void>
  /** A round came to nothing, and is tried again. The text goes to everybody who reads the database: it holds no secret. */
  readonly failed: (message: string) => Effect.Effect<void>
}

/** These options say how a runner syncs. */
export interface RunnerOptions<E extends { readonly message: string }, R> {
  /** This names the runner to people, as `HOST:PORT`. */
  readonly name: string
  /**
   * Reads round after round, under the lock of the archive's writer (`Archive.exclusive`): another sync may still have it for ten seconds,
   * so that it should ask for it each second at first. It is interrupted where the runner loses its turn. Where it fails or ends, it is begun
   * again: after a second, and later after up to half a minute.
   */
  readonly sync: (told: Told) => Effect.Effect<void, E, R>
}

/** A sync that ended is begun again so much later. */
const AGAIN = Schedule.min([Schedule.exponential("1 second", 1.5), Schedule.spaced("30 seconds")])

const words = (cause: Cause.Cause<{ readonly message: string }>): string => {
  const [found] = Cause.prettyErrors(cause)
  return found?.message ?? "it ended"
}

const turned = <E extends { readonly message: string }, R>({ name, sync }: RunnerOptions<E, R>) =>
  Effect.gen(function*() {
    const table = yield* SyncTable.SyncTable
    const version = yield* Version
    // Runners of two versions know nothing of each other's locks: the one that has its turn keeps it for as long as it is there.
    yield* Effect.repeat(lasting(table.isElsewhere(version)), {
      until: (isElsewhere) => !isElsewhere,
      schedule: Schedule.spaced("1 second")
    })
    const turn = yield* lasting(table.begin(name))
    const kept = (effect: Effect.Effect<void, ClusterError.ClusterError>) =>
      Effect.catch(effect, (error) => Effect.logWarning("it could not be kept how the sync goes", error))
    const told: Told = {
      read: (completeTo) => kept(table.read(turn, completeTo)),
      failed: (message) => kept(table.fail(turn, message))
    }
    yield* sync(told).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(
            Effect.logWarning("the sync is begun again", words(cause)),
            told.failed(words(cause))
          )
      ),
      Effect.orDie,
      Effect.repeat(AGAIN)
    )
  })

/** Reads the exchange into the archive on one of several runners. */
export class Syncing extends Context.Service<Syncing, Service>()("@tallystick/cluster/Syncing") {
  /** This layer tells which runner syncs. */
  static readonly layer: Layer.Layer<Syncing, never, Cluster.Syncs> = Layer.effect(
    Syncing,
    Effect.map(SyncTable.SyncTable, ({ candidates, state }) => Syncing.of({ candidates, state }))
  )

  /**
   * This layer makes a runner one of those of which one syncs; `Cluster.runner` is given `sync` for it. A runner without it never syncs, and
   * where none has it, nothing is read.
   */
  static readonly layerRunner = <E extends { readonly message: string }, R>(
    options: RunnerOptions<E, R>
  ): Layer.Layer<never, never, Cluster.Engine | Cluster.Syncs | R> =>
    Engine.layerSingleton("sync", turned(options), "syncing")
}
