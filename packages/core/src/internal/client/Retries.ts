/** Repeats attempts at a call as its error allows, within the attempts and the time that the configuration gives it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import type * as Pause from "../time/Pause.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as Attempt from "./Attempt.ts"
import type { Call, Reason, Reply } from "./Call.ts"
import * as Failure from "./Failure.ts"
import * as Instrumentation from "./Instrumentation.ts"

const FIRST_BACKOFF = 250
const LONGEST_BACKOFF = 10_000

/** Returns the wait before the next attempt: 250 ms, doubling to 10 s, each shortened at random to between half and the whole. */
const backoff = (attempt: number) =>
  Effect.map(
    Random.next,
    (random) => Math.ceil(Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF) * (0.5 + random / 2))
  )

export interface Options {
  readonly config: BrokerConfig.UnsignedSettings
  readonly attempt: Attempt.Attempt
  readonly clock: ServerClock.ServerClock
  readonly pause: Pause.Pause
  /** How long the last question for the time was under way, ms. */
  readonly questioned: () => number
}

// The JSON of createApiKey holds a secret in plain text until it is decoded, so no span of Effect's own may end with it.
export const make = ({ attempt, clock, config, pause, questioned }: Options) =>
  Effect.fnUntraced(function*(call: Call): Effect.fn.Return<Reply, Reason> {
    const budget = Duration.toMillis(config.retryBudget)
    let spent = 0
    let sentAt = 0
    let synchronised = false
    const took = (startedAt: number, endedAt: number) => {
      sentAt = startedAt
      spent += endedAt - startedAt
    }
    /** Waits for the clock. Only the clock's question, at the end of that wait, counts as time. */
    const counted = Effect.fnUntraced(function*<A>(wait: Effect.Effect<A>) {
      const startedAt = yield* MonotonicClock.millis
      const result = yield* wait
      spent += Math.min((yield* MonotonicClock.millis) - startedAt, questioned())
      return result
    })
    /** Waits before the next attempt, or returns false when attempts or time are used up. */
    const backedOff = Effect.fnUntraced(function*(attempts: number) {
      const delay = yield* backoff(attempts - 1)
      if (attempts > config.retries || spent + delay > budget) return false
      spent += delay
      yield* Effect.sleep(delay)
      return true
    })
    for (let attempts = 1;; attempts++) {
      // A reading of the clock needs a permit of its own, so it comes before the attempt takes one.
      yield* counted(clock.now)
      const result = yield* Effect.result(attempt(call, attempts, took))
      if (Result.isSuccess(result)) return result.success
      const reason = result.failure
      const failedAt = yield* MonotonicClock.millis
      if (reason._tag === "Banned" || reason._tag === "RateLimited") {
        if (attempts > config.retries) return yield* reason
        yield* pause.over
      } else if (reason._tag === "ClockSkew") {
        const resync: ServerClock.Resync = synchronised ? "untold" : yield* counted(clock.resync(sentAt))
        synchronised = resync === "measured"
        if (!synchronised && !(resync === "unanswered" && (yield* backedOff(attempts)))) {
          const { code, serviceMessage } = reason
          return yield* new BrokerError.ClockSkew({ code, serviceMessage, offset: yield* clock.offset })
        }
      } else if (call.unknownOutcome !== undefined || !Failure.isPassing(reason) || !(yield* backedOff(attempts))) {
        return yield* reason._tag === "Unavailable" ? Failure.unavailable(reason, attempts) : reason
      }
      const waited = Math.round((yield* MonotonicClock.millis) - failedAt)
      yield* Instrumentation.retry(call.operation, attempts + 1, reason._tag, waited)
    }
  })
