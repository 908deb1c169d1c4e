/** Repeats attempts at a call as its error allows, within the attempts and the time that the configuration gives it. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as Admission from "./Admission.ts"
import type * as Attempt from "./Attempt.ts"
import type * as Breaker from "./Breaker.ts"
import type { Call, Reason, Reply } from "./Call.ts"
import * as Failure from "./Failure.ts"
import * as Instrumentation from "./Instrumentation.ts"
import type * as Keys from "./Keys.ts"
import type { Lanes } from "./Lanes.ts"

const FIRST_BACKOFF = 250
const LONGEST_BACKOFF = 10_000

const longestBackoff = (attempt: number): number => Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF)

/** Returns the wait before the next attempt: 250 ms, doubling to 10 s, each shortened at random to between half and the whole. */
const backoff = (attempt: number) =>
  Effect.map(Random.next, (random) => Math.ceil(longestBackoff(attempt) * (0.5 + random / 2)))

/** Returns how long the waits of one call may take together, ms. */
export const patience = (
  { retries, retryBudget, retrySchedule }: Pick<
    BrokerConfig.UnsignedSettings,
    "retries" | "retryBudget" | "retrySchedule"
  >
): number => {
  const budget = Duration.toMillis(retryBudget)
  if (retrySchedule !== undefined) return budget
  let waits = 0
  for (let attempt = 0; attempt < retries; attempt++) waits += longestBackoff(attempt)
  return Math.min(waits, budget)
}

export interface Options {
  readonly config: BrokerConfig.UnsignedSettings
  readonly attempt: Attempt.Attempt
  readonly breaker: Breaker.Breaker
  readonly lanes: Lanes
  readonly clock: ServerClock.ServerClock
  readonly admission: Admission.Admission
  /** How long the last question for the time was under way, ms. */
  readonly questioned: () => number
}

// The JSON of createApiKey holds a secret in plain text until it is decoded, so no span of Effect's own may end with it.
export const make = ({ admission, attempt, breaker, clock, config, lanes, questioned }: Options) =>
  Effect.fnUntraced(function*(call: Call): Effect.fn.Return<Reply, Reason> {
    const budget = Duration.toMillis(config.retryBudget)
    let spent = 0
    let sentAt = 0
    let synchronised = false
    let used: Keys.Key | undefined
    /** How often the call went on after the refusal of a key: it may meet each key once, or one and its successor. */
    let refusals = 0
    const watch: Attempt.Watch = {
      signs: (key) => {
        used = key
      },
      took: (startedAt, endedAt) => {
        sentAt = startedAt
        spent += endedAt - startedAt
      }
    }
    /** Waits for the clock. Only the clock's question, at the end of that wait, counts as time. */
    const counted = Effect.fnUntraced(function*<A>(wait: Effect.Effect<A>) {
      const startedAt = yield* MonotonicClock.millis
      const result = yield* wait
      spent += Math.min((yield* MonotonicClock.millis) - startedAt, questioned())
      return result
    })
    const step = config.retrySchedule === undefined ? undefined : yield* Schedule.toStep(config.retrySchedule)
    /** Returns the wait before the next attempt, ms; none where there is to be no other one. */
    const pauseBefore = Effect.fnUntraced(function*(attempts: number, reason: BrokerError.RequestReason) {
      if (step === undefined) return attempts > config.retries ? undefined : yield* backoff(attempts - 1)
      return yield* step(yield* Clock.currentTimeMillis, reason).pipe(
        Effect.map(([, delay]) => Duration.toMillis(delay)),
        Pull.catchDone(() => Effect.undefined)
      )
    })
    /** Waits before the next attempt, or returns false when attempts or time are used up. */
    const backedOff = Effect.fnUntraced(function*(attempts: number, reason: BrokerError.RequestReason) {
      const delay = yield* pauseBefore(attempts, reason)
      if (delay === undefined || spent + delay > budget) return false
      spent += delay
      yield* Effect.sleep(delay)
      return true
    })
    /**
     * Waits for others' attempts at a service that does not answer, which counts as time. A call that must not be sent twice does not
     * wait.
     */
    const guarded = Effect.fnUntraced(function*(attempt: Effect.Effect<Reply, Reason>) {
      if (call.unknownOutcome !== undefined) return yield* attempt
      const startedAt = yield* MonotonicClock.millis
      const begun = Effect.flatMap(MonotonicClock.millis, (now) => {
        spent += now - startedAt
        return attempt
      })
      return yield* breaker.attempt(begun, budget - spent)
    })
    let last: Reason | undefined
    for (let attempts = 1;; attempts++) {
      // A reading of the clock needs a permit of its own, so it comes before the attempt takes one.
      const once = Effect.andThen(counted(clock.now), Effect.suspend(() => attempt(call, attempts, watch)))
      const result = yield* Effect.result(guarded(once))
      if (Result.isSuccess(result)) {
        if (used !== undefined) lanes.accepted(used)
        return result.success
      }
      const reason = result.failure
      if (reason._tag === "Unavailable" && reason.attempts === 0) {
        return yield* last?._tag === "Unavailable" ? Failure.unavailable(last, attempts - 1) : last ?? reason
      }
      last = reason
      const failedAt = yield* MonotonicClock.millis
      if (reason._tag === "Banned" || reason._tag === "RateLimited") {
        if (attempts > config.retries) return yield* reason
        yield* admission.over(call)
      } else if (reason._tag === "ClockSkew") {
        const resync: ServerClock.Resync = synchronised ? "untold" : yield* counted(clock.resync(sentAt))
        synchronised = resync === "measured"
        if (!synchronised && !(resync === "unanswered" && (yield* backedOff(attempts, reason)))) {
          const { code, serviceMessage } = reason
          return yield* new BrokerError.ClockSkew({ code, serviceMessage, offset: yield* clock.offset })
        }
      } else if (reason._tag === "KeyRejected" || reason._tag === "SignatureRejected") {
        if (used === undefined || refusals === lanes.count || !(yield* lanes.refused(used, reason))) {
          return yield* reason
        }
        refusals++
      } else if (
        call.unknownOutcome !== undefined || !Failure.isPassing(reason) || !(yield* backedOff(attempts, reason))
      ) {
        return yield* reason._tag === "Unavailable" ? Failure.unavailable(reason, attempts) : reason
      }
      const waited = Math.round((yield* MonotonicClock.millis) - failedAt)
      yield* Instrumentation.retry(call.operation, attempts + 1, reason._tag, waited)
    }
  })
