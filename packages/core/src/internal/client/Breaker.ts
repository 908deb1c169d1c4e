/**
 * Stops asking a service that answers nothing, and finds out with single requests when it answers again. All fibers of a client
 * share it.
 *
 * It opens after some failures in a row: no answer came, or none that is the service's, such as the page of a firewall. While it
 * is open one request at a time is sent, at growing distance; whatever else is to be sent waits for the answer to that. After a
 * while nothing waits any more: requests fail at once, but for the single ones, until one of these is answered.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BrokerError from "../../BrokerError.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import type { Reason } from "./Call.ts"
import * as Failure from "./Failure.ts"

/** So many failures in a row open the breaker, one more than a call alone has by default. */
const MOST = 7

/** An answer that is not the service's, and after which the same call is not sent again, counts as so many failures. */
const FOREIGN = 2

/** The distance from one single request to the next, ms: it doubles from the first to the longest. */
const FIRST = 500
const LONGEST = 30_000

type Dead = BrokerError.Unavailable | BrokerError.ProtocolError

const isDead = (reason: Reason): reason is Dead => reason._tag === "Unavailable" || reason._tag === "ProtocolError"

const detailOf = (reason: Dead): string =>
  reason._tag === "ProtocolError"
    ? `HTTP ${reason.status}: ${reason.detail}`
    : reason.cause === undefined
    ? reason.detail
    : `${reason.detail}: ${reason.cause}`

interface Open {
  /** Monotonic ms. */
  readonly since: number
  /** The next single request may leave then, monotonic ms. */
  next: number
  /** The distance to the one after it, ms. */
  distance: number
  /** A single request is under way, and this is done when it has ended. */
  single: Deferred.Deferred<void> | undefined
  reason: Dead
}

export interface Breaker {
  /** Makes an attempt when it may be made, after a wait of at most so long (ms), or fails without it. */
  readonly attempt: <A>(attempt: Effect.Effect<A, Reason>, longest: number) => Effect.Effect<A, Reason>
  /** Whether only single requests are sent. */
  readonly isOpen: () => boolean
  /** Gives the failure of a request that would not be sent if it came now; undefined where it would be sent, or would wait. */
  readonly unasked: Effect.Effect<BrokerError.Unavailable | undefined>
}

/** `patience` is how long requests wait for the service to answer again, ms: as long as a call alone would repeat its attempts. */
export const make = (patience: number): Breaker => {
  let failures = 0
  let open: Open | undefined

  const answered = Effect.suspend(() => {
    failures = 0
    if (open === undefined) return Effect.void
    open = undefined
    return Effect.logInfo("The service answers again.")
  })

  const failed = (reason: Dead) =>
    Effect.flatMap(MonotonicClock.millis, (now) => {
      failures += Failure.isPassing(reason) ? 1 : FOREIGN
      if (open !== undefined) {
        open.reason = reason
        return Effect.void
      }
      if (failures < MOST) return Effect.void
      open = { since: now, next: now + FIRST, distance: 2 * FIRST, single: undefined, reason }
      return Effect.logWarning(
        `The service does not answer (${detailOf(reason)}). Only single requests are sent until one is answered.`
      )
    })

  const heard = <A>(attempt: Effect.Effect<A, Reason>): Effect.Effect<A, Reason> =>
    attempt.pipe(
      Effect.tapError((reason) => isDead(reason) ? failed(reason) : answered),
      Effect.tap(answered)
    )

  const alone = <A>(state: Open, now: number, attempt: Effect.Effect<A, Reason>): Effect.Effect<A, Reason> => {
    const single = Deferred.makeUnsafe<void>()
    state.single = single
    state.next = now + state.distance
    state.distance = Math.min(2 * state.distance, LONGEST)
    return Effect.ensuring(
      heard(attempt),
      Effect.suspend(() => {
        state.single = undefined
        return Deferred.succeed(single, undefined)
      })
    )
  }

  const unasked = ({ reason }: Open) =>
    new BrokerError.Unavailable({
      detail: "the service was not asked, because the requests before failed",
      cause: detailOf(reason),
      sent: false,
      attempts: 0
    })

  const attempt: Breaker["attempt"] = (effect, longest) =>
    Effect.suspend(() => {
      const state = open
      return state === undefined
        ? heard(effect)
        : Effect.flatMap(MonotonicClock.millis, (now) => admitted(state, effect, now, now + longest))
    })

  const admitted = <A>(
    state: Open,
    effect: Effect.Effect<A, Reason>,
    now: number,
    until: number
  ): Effect.Effect<A, Reason> => {
    const again = Effect.flatMap(MonotonicClock.millis, (later) => attempt(effect, until - later))
    if (state.single !== undefined) {
      return Effect.andThen(
        Effect.timeoutOption(Deferred.await(state.single), Math.max(0, until - now)),
        (ended) => Option.isSome(ended) ? again : Effect.fail(unasked(state))
      )
    }
    if (now >= state.next) return alone(state, now, effect)
    return state.next > Math.min(state.since + patience, until)
      ? Effect.fail(unasked(state))
      : Effect.andThen(Effect.sleep(state.next - now), again)
  }

  return {
    attempt,
    isOpen: () => open !== undefined,
    unasked: Effect.map(MonotonicClock.millis, (now) => {
      if (open === undefined || open.single !== undefined || now >= open.next) return undefined
      return open.next > open.since + patience ? unasked(open) : undefined
    })
  }
}
