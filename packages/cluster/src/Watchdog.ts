/**
 * Ends a runner that makes no progress, so that a supervisor starts it again: its main loop or the thread of a job stands still, or its locks
 * are not renewed although PostgreSQL answers. It watches from a thread of its own.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Worker } from "node:worker_threads"
import type * as Cluster from "./Cluster.ts"
import * as Beating from "./internal/watchdog/Beating.ts"
import * as Ending from "./internal/watchdog/Ending.ts"
import * as Heartbeat from "./internal/watchdog/Heartbeat.ts"
import * as Pulses from "./internal/watchdog/Pulses.ts"
import * as Verdict from "./internal/watchdog/Verdict.ts"
import { Watched } from "./internal/watchdog/Watched.ts"

/** The process exits with it; where its main thread cannot even exit, the process is killed with SIGKILL. */
export const EXIT_CODE = Ending.EXIT_CODE

/** These options say what is watched. */
export interface Options {
  /** This names the process in the line on stderr that says why it is ended. */
  readonly name: string
  /** The runner whose locks are looked at; without it they are not. */
  readonly runner?: { readonly url: Redacted.Redacted; readonly address: Cluster.Address }
  /** So many seconds without progress are too many: of the main loop (default 30), and of the thread of a job (default 300). */
  readonly limits?: { readonly main: number; readonly job: number }
}

/** The entry lies beside this module, with the ending that this one has. */
const ENTRY = new URL(
  import.meta.url.endsWith(".ts") ? "./internal/watchdog/WatchThread.ts" : "./internal/watchdog/WatchThread.js",
  import.meta.url
)

const make = Effect.fnUntraced(function*({ limits = Verdict.LIMITS, name, runner }: Options) {
  const pulses = Pulses.make()
  Ending.prepare()
  const thread = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const thread = new Worker(ENTRY, { workerData: { memory: pulses.memory, name, limits } })
      thread.unref()
      return thread
    }),
    (thread) => Effect.promise(() => thread.terminate())
  )
  yield* Effect.callback<unknown>((resume) => void thread.once("error", (error) => resume(Effect.succeed(error)))).pipe(
    Effect.flatMap((error) => Effect.logError("the watchdog failed, and nobody watches this process any more", error)),
    Effect.forkScoped({ startImmediately: true })
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => Beating.begin({ memory: pulses.memory, place: Pulses.MAIN })),
    (stop) => Effect.sync(stop)
  )
  if (runner !== undefined) {
    yield* Heartbeat.lost(runner).pipe(
      Effect.andThen(Effect.sync(() => pulses.end(Pulses.END.heartbeat))),
      Effect.forkScoped
    )
  }
  return pulses
})

/**
 * This layer watches its process from when it is built until its scope closes. `Reconciling.layerRunner` over it has the threads of jobs
 * watched too. A process that was stopped (SIGSTOP) and goes on, one that waits for the processor, and one whose memory is fetched from a disk
 * are not ended for that.
 */
export const layer = (options: Options): Layer.Layer<never> => Layer.effect(Watched, make(options))
