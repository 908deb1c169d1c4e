/**
 * Holds the moment before which nothing may be sent, after a ban or a 429 with Retry-After. All fibers of a client share it, or
 * those that use one key, where the service counts by key. It is kept on a clock that nobody sets; the time of day is used only in errors and messages.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as BrokerError from "../../BrokerError.ts"
import * as MonotonicClock from "./MonotonicClock.ts"

/** A pause that prolongs the current one by less than this is not reported, ms. */
const WORTH_TELLING = 3000

type Throttled = BrokerError.Banned | BrokerError.RateLimited

export interface Pause {
  /** Stops all sending for the time that the service asks for. Returns the reason with the moment filled in. */
  readonly begin: (reason: Throttled) => Effect.Effect<Throttled>
  /** Waits until sending is allowed again, or fails when that takes longer than `maxWait`. */
  readonly over: Effect.Effect<void, Throttled>
  /** Whether sending is allowed now. */
  readonly isOver: Effect.Effect<boolean>
  /** When sending is allowed again, monotonic ms; it may be over. */
  readonly until: () => number
  /** When the longest ban ends, monotonic ms. A longer pause after a 429 does not change it. */
  readonly banEnd: () => number
}

/** Returns the reason with the time that is left, ms. */
const left = (reason: Throttled, remaining: number): Effect.Effect<Throttled> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    reason._tag === "Banned"
      ? new BrokerError.Banned({ until: Math.ceil(now) + remaining, remaining })
      : new BrokerError.RateLimited({
        code: reason.code,
        serviceMessage: reason.serviceMessage,
        retryAfter: remaining
      }))

/** `what` is not done while it lasts, for people. */
export const make = (maxWait: Duration.Duration, what = "nothing is sent"): Pause => {
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
        // Requests that were under way together report nearly the same end of the pause, which is logged once.
        const isNew = end - Math.max(until, now) >= WORTH_TELLING
        if (end > until) {
          until = end
          because = reason
        }
        const tell = isNew && remaining <= longest
          ? Effect.logWarning(`The service asks to wait; ${what} for ${Math.ceil(remaining / 1000)} s.`)
          : Effect.void
        return Effect.andThen(tell, left(reason, remaining))
      }),
    over,
    isOver: Effect.map(MonotonicClock.millis, (now) => now >= until),
    until: () => until,
    banEnd: () => banEnd
  }
}
