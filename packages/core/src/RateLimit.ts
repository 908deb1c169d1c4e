/**
 * Limits the number of requests that the service sees in a window.
 *
 * The service counts a request when it arrives, somewhere between sending and the end of the answer. So a permit is held for the
 * whole attempt. It is free again one window after it, or later when no answer came. Whatever the network does in between, no
 * sliding window at the server holds more requests than there are permits.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Semaphore from "effect/Semaphore"
import * as BrokerConfig from "./BrokerConfig.ts"
import * as BrokerError from "./BrokerError.ts"
import type { Rate } from "./internal/settings/Rate.ts"
import * as MonotonicClock from "./internal/time/MonotonicClock.ts"

export type { Rate } from "./internal/settings/Rate.ts"

/** Room left for the network's jitter where permits are spaced and not held. */
const HEADROOM = 1.1

/** How long a permit rests after an attempt, ms: timers fire a little early, and no two clocks run alike. */
const rest = (window: Duration.Duration): number => Math.ceil(Duration.toMillis(window) * 1.01) + 1

/** A request without an answer may still be under way for so long after it was given up, ms. */
const STRAY = 1000

/** The rate limit of a client: each request waits for a permit before it leaves. */
export class RateLimit extends Context.Service<RateLimit, {
  /** Runs one attempt under a permit, after waiting for one in order of arrival. */
  readonly permit: <A, E, R>(
    attempt: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | BrokerError.Unavailable, R>
}>()("@tallystick/core/RateLimit") {
  /** Makes permits for one process. */
  static readonly make = Effect.fnUntraced(function*(rate: Rate) {
    const inFlight = yield* Semaphore.make(rate.requests)
    const pause = rest(rate.window)
    /** Permits that nobody has held yet. */
    let fresh = rate.requests
    /** When each other idle permit came back, oldest first. */
    const returned: Array<number> = []

    const waitUntil = (moment: number) =>
      Effect.flatMap(MonotonicClock.millis, (now) => moment > now ? Effect.sleep(Math.ceil(moment - now)) : Effect.void)
    /** Takes the permit that has rested longest, and says since when. */
    const take = (): number => {
      if (fresh === 0) return returned.shift() ?? Number.NEGATIVE_INFINITY
      fresh--
      return Number.NEGATIVE_INFINITY
    }
    const putBack = (since: number) =>
      Effect.sync(() => {
        if (since === Number.NEGATIVE_INFINITY) fresh++
        else returned.splice(returned.findLastIndex((other) => other <= since) + 1, 0, since)
      })
    const giveBack = (exit: Exit.Exit<unknown, unknown>) =>
      Effect.flatMap(MonotonicClock.millis, (now) => putBack(Exit.isSuccess(exit) ? now : now + STRAY))

    return RateLimit.of({
      permit: (attempt) =>
        inFlight.withPermit(Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const since = take()
            return restore(waitUntil(since + pause)).pipe(
              Effect.onInterrupt(() => putBack(since)),
              Effect.andThen(Effect.onExit(restore(attempt), giveBack))
            )
          })
        ))
    })
  })

  /** Keeps the rate of these options, 20 requests in a second where they say none, for all brokers that are given this layer. */
  static readonly layer = (
    options: Pick<BrokerConfig.Options, "rate"> = {}
  ): Layer.Layer<RateLimit, BrokerConfig.ConfigurationError> =>
    Layer.effect(RateLimit, Effect.flatMap(Effect.fromResult(BrokerConfig.rate(options)), RateLimit.make))

  /**
   * Keeps the rate of these options for all processes whose `RateLimiter` has one store. Permits are spaced evenly and not held,
   * because nobody knows when another process's answer came. The rate holds at the service as long as no request takes longer to
   * arrive than another by more than a tenth of the window. A store that does not answer within the options' `timeout` is
   * `Unavailable`, like one that answers with an error. `docs/rate-limits.md` says more.
   */
  static readonly layerShared = (
    options: BrokerConfig.UnsignedOptions
  ): Layer.Layer<RateLimit, BrokerConfig.ConfigurationError, RateLimiter.RateLimiter> =>
    Layer.effect(
      RateLimit,
      Effect.gen(function*() {
        const { baseUrl, rate, timeout } = yield* Effect.fromResult(BrokerConfig.makeUnsigned(options))
        const limiter = yield* RateLimiter.RateLimiter
        const turn = limiter.consume({
          key: `tallystick ${baseUrl}`,
          // A window of one request is a queue, whose end the store's clock keeps. A token bucket is kept by each caller's own
          // clock.
          algorithm: "fixed-window",
          onExceeded: "delay",
          limit: 1,
          window: Duration.times(Duration.divideUnsafe(rate.window, rate.requests), HEADROOM)
        }).pipe(
          Effect.timeout(timeout),
          Effect.flatMap(({ delay }) => Effect.sleep(delay)),
          Effect.mapError(() =>
            new BrokerError.Unavailable({ detail: "the shared rate limiter does not answer", attempts: 0, sent: false })
          )
        )
        return RateLimit.of({ permit: (attempt) => Effect.andThen(turn, attempt) })
      })
    )
}
