/** A runner does an attempt at a job: in a thread, until it is done, fails, or somebody cancels it. */
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
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

/** How an attempt ended that seemed to end otherwise, once the ledger was looked at. */
const knownBy = (looked: Order.Answer, seeming: JobTable.Ended): JobTable.Ended => {
  if (looked._tag === "Booked") return endedBy(looked)
  if (looked._tag === "None") return seeming
  const why = seeming.state === "failed" ? seeming.failure : "it was cancelled"
  return {
    state: "failed",
    failure: `${why}; whether it brought the books forward before is not known: ${looked.message}`
  }
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
  const place = placeOf(archive)
  // Receivers that do not answer hold up notices, and no jobs: one sending after another, and one for all jobs that are done meanwhile.
  const toSend = yield* Queue.sliding<void>(1)
  const send = Effect.asVoid(Queue.offer(toSend, undefined))
  const sending = Effect.catchDefect(booked, (defect) => Effect.logWarning("notices wait for the next job", defect))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(toSend), sending)))
  const told = receivers.map(({ hasDetails, id, place }) => ({ hasDetails, id, place }))

  const answered = (order: Order.Order, mayBook: Effect.Effect<boolean>) =>
    Thread.run(order, { mayBook, pulses }).pipe(
      Effect.flatMap((answer) =>
        answer._tag === "Failed" && answer.mayPass ? Effect.fail(new Passing(answer)) : Effect.succeed(answer)
      ),
      Effect.tapError(({ answer }) => Effect.logWarning(`job ${order.job} is tried again`, answer))
    )

  const cancelled = (work: Engine.Work) =>
    lasting(jobs.isCancelling(work)).pipe(
      Effect.repeat({ schedule: Schedule.spaced(LOOK), until: (isCancelling) => isCancelling }),
      Effect.as<JobTable.Ended>({ state: "cancelled" })
    )

  /** What an attempt seems to come to. */
  const tried = Effect.fnUntraced(
    function*(work: Engine.Work, { asked, begun, question: text, version }: JobTable.Begun) {
      if (version !== own) return olderOrNewer(version, own)
      const question = yield* Effect.orDie(decode(text))
      const order: Order.Order = { _tag: "Book", place, job: work.job, question, asked, receivers: told }
      return yield* answered(order, lasting(jobs.holds(work, begun))).pipe(
        Effect.retry(LASTING),
        Effect.catch(({ answer }) => Effect.succeed(answer)),
        Effect.map(endedBy),
        Effect.raceFirst(cancelled(work))
      )
    }
  )

  /**
   * Only the ledger tells that an attempt booked nothing: its thread may have been lost at its commit, and what failed may have come after
   * it. The look waits for a commit that is under way. One that began earlier and was lost books nothing later, because it asks first.
   */
  const known = Effect.fnUntraced(function*(work: Engine.Work, seeming: JobTable.Ended) {
    if (seeming.state === "done") return seeming
    const look = answered({ _tag: "Look", place, job: work.job }, Effect.succeed(false))
    return knownBy(yield* Effect.orDie(Effect.retry(look, LASTING)), seeming)
  })

  return (work: Engine.Work): Effect.Effect<void> =>
    Effect.gen(function*() {
      const begun = yield* lasting(jobs.begin(work, name))
      // An earlier attempt may have ended before its notices were sent.
      if (begun === undefined) return yield* send
      const seeming = yield* Effect.catchDefect(tried(work, begun), (defect) => Effect.succeed(internal(defect)))
      const ended = yield* known(work, seeming)
      yield* lasting(jobs.end(work, begun.begun, ended))
      return yield* ended.state === "done" ? send : Effect.void
    }).pipe(free.withPermits(1))
})
