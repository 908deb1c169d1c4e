/**
 * The moment before which nothing may be sent, shared by all fibers of a client: a 429's Retry-After or a ban. It is kept on
 * a clock that nobody sets; the time of day is only told.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as BrokerError from "../../BrokerError.ts"
import * as MonotonicClock from "./MonotonicClock.ts"

/** A shorter pause passes unnoticed, ms. */
const WORTH_TELLING = 3000

type Throttled = BrokerError.Banned | BrokerError.RateLimited

export interface Pause {
  /** Nothing leaves until the service's time is over. Returns the reason with the moment filled in. */
  readonly begin: (reason: Throttled) => Effect.Effect<Throttled>
  /** Waits until sending is allowed again, or fails when that takes longer than `maxWait`. */
  readonly over: Effect.Effect<void, Throttled>
  /** Whether sending is allowed now. */
  readonly isOver: Effect.Effect<boolean>
  /** When the longest ban ends, monotonic ms: also where a 429 asks for a longer pause. */
  readonly banEnd: () => number
}

/** The reason with what is left of it, ms. */
const left = (reason: Throttled, remaining: number): Effect.Effect<Throttled> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    reason._tag === "Banned"
      ? new BrokerError.Banned({ until: Math.ceil(now) + remaining, remaining })
      : new BrokerError.RateLimited({
        code: reason.code,
        serviceMessage: reason.serviceMessage,
        retryAfter: remaining
      }))

export const make = (maxWait: Duration.Duration): Pause => {
  const longest = Duration.toMillis(maxWait)
  /** Monotonic ms. */
  let until = Number.NEGATIVE_INFINITY
  let because: Throttled | undefined
  let banEnd = Number.NEGATIVE_INFINITY

  const over: Effect.Effect<void, Throttled> = Effect.flatMap(MonotonicClock.millis, (now) => {
    if (because === undefined || now >= until) return Effect.void
    const remaining = Math.ceil(until - now)
    return remaining > longest
      ? Effect.flatMap(left(because, remaining), (reason) => Effect.fail(reason))
      : Effect.andThen(Effect.sleep(remaining), over)
  })

  return {
    begin: (reason) =>
      Effect.flatMap(MonotonicClock.millis, (now) => {
        const remaining = reason._tag === "Banned" ? reason.remaining : reason.retryAfter
        const end = now + remaining
        if (reason._tag === "Banned") banEnd = Math.max(banEnd, end)
        // Requests that were under way together bring about the same end.
        const isNew = end - Math.max(until, now) >= WORTH_TELLING
        if (end > until) {
          until = end
          because = reason
        }
        const tell = isNew && remaining <= longest
          ? Effect.logWarning(`The service asks to wait; nothing is sent for ${Math.ceil(remaining / 1000)} s.`)
          : Effect.void
        return Effect.andThen(tell, left(reason, remaining))
      }),
    over,
    isOver: Effect.map(MonotonicClock.millis, (now) => now >= until),
    banEnd: () => banEnd
  }
}
