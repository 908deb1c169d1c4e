/** Reconciliations of an archive as jobs: whoever submits one may go away, and a runner that is lost takes none with it. */
import type * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import type * as Books from "@tallystick/archive/Books"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as Cluster from "./Cluster.ts"
import * as ClusterError from "./ClusterError.ts"
import * as Engine from "./internal/effect/Engine.ts"
import * as JobTable from "./internal/jobs/JobTable.ts"
import * as Submitting from "./internal/jobs/Submitting.ts"
import * as Dispatching from "./internal/runner/Dispatching.ts"
import * as Doing from "./internal/runner/Doing.ts"
import * as Pruning from "./internal/runner/Pruning.ts"
import * as Scheduling from "./internal/runner/Scheduling.ts"
import { Version } from "./internal/Version.ts"
import * as Job from "./Job.ts"
import type * as Question from "./Question.ts"
import type * as Runner from "./Runner.ts"

/** Submits jobs, and tells what becomes of them. It needs no runner: a job waits until there is one. */
export interface Service {
  /**
   * Submits a job and gives it, without waiting for it. A question that was asked already, of an archive to which no sync and no import wrote
   * since and whose ledger ends with the same row, is the same job: then that one is given, and nothing is done twice. That is also so after
   * the job is done, as long as its execution is the last row of the ledger. A job that failed or was cancelled begins anew, unless the
   * ledger has its execution: then it is done. One that was done begins anew where the ledger has nothing of it, because the archive was
   * restored from a backup.
   */
  readonly submit: (
    question: Question.Question
  ) => Effect.Effect<
    Job.Job,
    ArchiveError.DatabaseError | ClusterError.ClusterError,
    Archive.Archive | Books.Books
  >
  /** Gives the job whose id begins with `prefix`. Fails with `UnknownJob` and `AmbiguousJob`. */
  readonly get: (prefix: string) => Effect.Effect<Job.Job, ClusterError.ClusterError>
  /** Lists the jobs, the last submitted first, up to `most` of them. */
  readonly list: (most: number) => Effect.Effect<ReadonlyArray<Job.Job>, ClusterError.ClusterError>
  /**
   * Asks for the end of a job, and gives the job. One that no runner has begun ends at once, and one that is under way within seconds, unless it is
   * done before: what was booked stays. One of another version ends at once where there is no runner of that version.
   */
  readonly cancel: (prefix: string) => Effect.Effect<Job.Job, ClusterError.ClusterError>
  /** Gives the job whenever it has changed, and ends when it has ended. */
  readonly follow: (prefix: string) => Stream.Stream<Job.Job, ClusterError.ClusterError>
  /** Gives the runners that were there in the last ten seconds. */
  readonly runners: Effect.Effect<ReadonlyArray<Runner.Runner>, ClusterError.ClusterError>
}

const failed = (reason: ClusterError.Reason) => new ClusterError.ClusterError({ reason })

/** So often a job is looked at by whoever follows it. */
const LOOK = "500 millis"

/** Jobs are kept so long after they ended. */
const KEEP = "90 days"

/** Two are enough to see that a prefix names several. */
const SEVERAL = 2

const make = Effect.gen(function*() {
  const jobs = yield* JobTable.JobTable

  const get: Service["get"] = Effect.fnUntraced(function*(prefix) {
    const [job, other] = yield* jobs.list(prefix.toLowerCase(), SEVERAL)
    if (job === undefined) return yield* failed(new ClusterError.UnknownJob({ id: prefix }))
    return other === undefined ? job : yield* failed(new ClusterError.AmbiguousJob({ id: prefix }))
  })

  return Reconciling.of({
    submit: Effect.fnUntraced(function*(question) {
      const { id, keep } = yield* Submitting.prepare(question)
      yield* keep
      return yield* get(id)
    }, Effect.provideService(JobTable.JobTable, jobs)),
    get,
    list: (most) => jobs.list("", most),
    cancel: Effect.fnUntraced(function*(prefix) {
      const { id, version } = yield* get(prefix)
      yield* jobs.cancel(id)
      const isOfOthers = version !== (yield* Version)
      const hasRunner = (yield* jobs.runners).some((runner) => runner.version === version)
      if (isOfOthers && !hasRunner) yield* jobs.abandon(id)
      return yield* get(id)
    }),
    follow: (prefix) =>
      Stream.fromEffectSchedule(get(prefix), Schedule.spaced(LOOK)).pipe(
        Stream.takeUntil(Job.isEnded),
        Stream.changesWith((a, b) => JSON.stringify(a) === JSON.stringify(b))
      ),
    runners: jobs.runners
  })
})

/** These options say what a runner does. */
export interface RunnerOptions {
  /** The archive that is reconciled. */
  readonly archive: ArchiveConfig.Location
  /** This names the runner to people, as `HOST:PORT`. Default: `this process`. */
  readonly name?: string
  /** The receivers of notices of what its executions open and settle. They are written with the execution; `Notices.deliver` sends them. */
  readonly receivers?: ReadonlyArray<Receiver.Receiver>
  /** So many jobs are done at a time, each in a thread of its own. Default: 1. */
  readonly threads?: number
  /** A job is forgotten so long after it ended. Default: 90 days. The books keep what it did. */
  readonly keep?: Duration.Input
  /** Runs after jobs that are done on this runner, beside the next ones: it may send notices. Default: nothing. */
  readonly booked?: Effect.Effect<void>
}

/** Reconciliations of an archive as jobs. */
export class Reconciling extends Context.Service<Reconciling, Service>()("@tallystick/cluster/Reconciling") {
  /** This layer submits jobs and tells of them. */
  static readonly layer: Layer.Layer<Reconciling, never, Cluster.Jobs> = Layer.effect(Reconciling, make)

  /** This layer does jobs, in a cluster of this package or in that of an app. */
  static readonly layerRunner = (
    { archive, booked = Effect.void, keep = KEEP, name = "this process", receivers = [], threads = 1 }: RunnerOptions
  ): Layer.Layer<never, never, Cluster.Engine | Cluster.Jobs> =>
    Layer.merge(
      Layer.unwrap(Effect.map(Doing.make({ archive, booked, name, receivers, threads }), Engine.layerWork)),
      Layer.mergeAll(Dispatching.layer, Pruning.layer(keep), Scheduling.layer(archive))
    )
}
