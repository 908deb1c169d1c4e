/** The moment before which nothing may be sent, shared by all fibers of a client: a 429's Retry-After or a ban. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as BrokerError from "../BrokerError.ts"

type Throttled = BrokerError.Banned | BrokerError.RateLimited

export interface Pause {
  /** Nothing leaves until the service's time is over. Returns the reason with the moment filled in. */
  readonly begin: (reason: Throttled) => Effect.Effect<Throttled>
  /** Waits until sending is allowed again, or fails when that takes longer than `maxWait`. */
  readonly over: Effect.Effect<void, Throttled>
}

const left = (reason: Throttled, until: number, now: number): Throttled =>
  reason._tag === "Banned"
    ? new BrokerError.Banned({ until, remaining: until - now })
    : new BrokerError.RateLimited({
      code: reason.code,
      serviceMessage: reason.serviceMessage,
      retryAfter: until - now
    })

export const make = (maxWait: Duration.Duration): Pause => {
  const longest = Duration.toMillis(maxWait)
  let until = Number.NEGATIVE_INFINITY
  let because: Throttled | undefined

  const over: Effect.Effect<void, Throttled> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (because === undefined || now >= until) return Effect.void
    return until - now > longest
      ? Effect.fail(left(because, until, now))
      : Effect.andThen(Effect.sleep(until - now), over)
  })

  return {
    begin: (reason) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const end = now + (reason._tag === "Banned" ? reason.remaining : reason.retryAfter)
        if (end > until) {
          until = end
          because = reason
        }
        return left(reason, end, now)
      }),
    over
  }
}
