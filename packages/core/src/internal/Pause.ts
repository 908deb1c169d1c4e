/** The moment before which nothing may be sent, shared by all fibers of a client: a 429's Retry-After or a ban. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as BrokerError from "../BrokerError.ts"

/** A shorter pause passes unnoticed, ms. */
const WORTH_TELLING = 3000

type Throttled = BrokerError.Banned | BrokerError.RateLimited

export interface Pause {
  /** Nothing leaves until the service's time is over. Returns the reason with the moment filled in. */
  readonly begin: (reason: Throttled) => Effect.Effect<Throttled>
  /** Waits until sending is allowed again, or fails when that takes longer than `maxWait`. */
  readonly over: Effect.Effect<void, Throttled>
}

const left = (reason: Throttled, until: number, remaining: number): Throttled =>
  reason._tag === "Banned"
    ? new BrokerError.Banned({ until, remaining })
    : new BrokerError.RateLimited({
      code: reason.code,
      serviceMessage: reason.serviceMessage,
      retryAfter: remaining
    })

export const make = (maxWait: Duration.Duration): Pause => {
  const longest = Duration.toMillis(maxWait)
  let until = Number.NEGATIVE_INFINITY
  let because: Throttled | undefined

  const over: Effect.Effect<void, Throttled> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (because === undefined || now >= until) return Effect.void
    const remaining = Math.ceil(until - now)
    return remaining > longest
      ? Effect.fail(left(because, until, remaining))
      : Effect.andThen(Effect.sleep(remaining), over)
  })

  return {
    begin: (reason) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const remaining = reason._tag === "Banned" ? reason.remaining : reason.retryAfter
        const end = Math.ceil(now) + remaining
        const isLonger = end > until
        if (isLonger) {
          until = end
          because = reason
        }
        const tell = isLonger && remaining >= WORTH_TELLING && remaining <= longest
          ? Effect.logWarning(`The service asks to wait; nothing is sent for ${Math.ceil(remaining / 1000)} s.`)
          : Effect.void
        return Effect.as(tell, left(reason, end, remaining))
      }),
    over
  }
}
