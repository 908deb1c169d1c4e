/** A runner does an attempt at a job: in a thread, until it is done, fails, or somebody cancels it. */
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Question from "../../Question.ts"
import type * as Engine from "../effect/Engine.ts"
import * as JobTable from "../jobs/JobTable.ts"
import type * as Order from "../thread/Order.ts"
import * as Thread from "../thread/Thread.ts"
import { Version } from "../Version.ts"
import { Watched } from "../watchdog/Watched.ts"
import { LASTING, lasting } from "./Lasting.ts"

export interface Options {
  readonly archive: ArchiveConfig.Location
  /** This names the runner to people: `HOST:PORT`. */
  readonly name: string
  readonly receivers: ReadonlyArray<Receiver.Receiver>
  /** So many jobs are done at a time. */
  readonly threads: number
  /** Runs after each job that is done; after one whose runner was lost at that moment, perhaps again. */
  readonly booked: Effect.Effect<void>
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Question.Question))

const placeOf = (location: ArchiveConfig.Location): Order.Order["place"] =>
  location._tag === "File" ? location : { _tag: "Postgres", url: Redacted.value(location.url) }

/** So often it is looked whether somebody wants the job to end. */
const LOOK = "1 second"

/** In the cluster of an app runners of two versions may share their work. What another version began is never gone on with. */
const olderOrNewer = (version: string, own: string): JobTable.Ended => ({
  state: "failed",
  failure: `it was submitted by version ${version}, and this runner is of version ${own}: submit it again`
})

const endedBy = (answer: Order.Answer): JobTable.Ended => {
  if (answer._tag === "Booked") return { state: "done", run: answer.run, execution: answer.execution }
  return answer._tag === "None" ? { state: "cancelled" } : { state: "failed", failure: answer.message }
}

const internal = (defect: unknown): JobTable.Ended => ({
  state: "failed",
  failure: `an internal error: ${defect instanceof Error ? defect.message : String(defect)}`
})

class Passing extends Error {
  readonly answer: Order.Answer
  constructor(answer: Order.Answer) {
    super()
    this.answer = answer
  }
}

/** Gives what does an attempt. It fails never: what comes of it stands in the table of jobs. */
export const make = Effect.fnUntraced(function*({ archive, booked, name, receivers, threads }: Options) {
  const jobs = yield* JobTable.JobTable
  const own = yield* Version
  const pulses = yield* Watched
  const free = yield* Semaphore.make(threads)
  const told = receivers.map(({ hasDetails, id, place }) => ({ hasDetails, id, place }))

  const attempted = (order: Order.Order) =>
    Thread.run(order, pulses).pipe(
      Effect.flatMap((answer) =>
        answer._tag === "Failed" && answer.mayPass ? Effect.fail(new Passing(answer)) : Effect.succeed(answer)
      ),
      Effect.tapError(({ answer }) => Effect.logWarning(`job ${order.job} is tried again`, answer)),
      Effect.retry(LASTING),
      Effect.catch(({ answer }) => Effect.succeed(answer))
    )

  const cancelled = (work: Engine.Work) =>
    lasting(jobs.isCancelling(work)).pipe(
      Effect.repeat({ schedule: Schedule.spaced(LOOK), until: (isCancelling) => isCancelling })
    )

  const done = Effect.fnUntraced(function*(work: Engine.Work, { question: text, version }: JobTable.Begun) {
    if (version !== own) return olderOrNewer(version, own)
    const question = yield* Effect.orDie(decode(text))
    const order = { place: placeOf(archive), job: work.job, question, receivers: told }
    const answer = yield* Effect.raceFirst(
      attempted({ ...order, isOnlyLook: false }),
      Effect.asVoid(cancelled(work))
    )
    // What was committed in the last moment counts: the job is then done, and not cancelled.
    return endedBy(answer ?? (yield* attempted({ ...order, isOnlyLook: true })))
  })

  return (work: Engine.Work): Effect.Effect<void> =>
    Effect.gen(function*() {
      const begun = yield* lasting(jobs.begin(work, name))
      // An earlier attempt may have ended before its notices were sent.
      if (begun === undefined) return yield* booked
      const ended = yield* done(work, begun).pipe(
        Effect.catchDefect((defect) => Effect.succeed(internal(defect)))
      )
      yield* lasting(jobs.end(work, ended))
      return yield* ended.state === "done" ? booked : Effect.void
    }).pipe(free.withPermits(1))
})
