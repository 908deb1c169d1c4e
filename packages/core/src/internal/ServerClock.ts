/**
 * The service's time. Its own rule accepts a request that is up to `recvWindow` late but hardly one that is early, so
 * the estimate never runs ahead: the answer is taken to be as old as the whole round trip.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"

/** Server time when an answer came, and the local times around the question. */
export interface Reading {
  readonly serverTime: number
  readonly askedAt: number
  readonly answeredAt: number
}

/** A moment in server time: not before `earliest`, not after `latest` (Unix ms). */
export interface Moment {
  readonly earliest: number
  readonly latest: number
}

export interface ServerClock {
  /** Now. Asks the service first, once. */
  readonly now: Effect.Effect<Moment>
  /** Now, as far as is known: never asks, so it needs no permit. */
  readonly estimate: Effect.Effect<Moment>
  /**
   * Asks again unless an answer came after `since` (local Unix ms), when the refused request took its time; whether the
   * offset is now known from an answer.
   */
  readonly resync: (since: number) => Effect.Effect<boolean>
  /** Server time minus local time, ms. */
  readonly offset: Effect.Effect<number>
}

/** The service could not be asked this time. */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", {}) {}

/**
 * `read` is none where the service does not tell its time: then the local clock is trusted, after one warning. Where it
 * could not be asked it is asked again next time. Without `read` the local clock is trusted because somebody chose so.
 */
export const make = (
  read: Effect.Effect<Option.Option<Reading>, NotAnswered> | undefined
): Effect.Effect<ServerClock> =>
  Effect.gen(function*() {
    const one = yield* Semaphore.make(1)
    let offset = 0
    let uncertainty = 0
    let asked = Number.NEGATIVE_INFINITY
    let known = false
    let warned = false

    const ask = read === undefined ? Effect.void : Effect.gen(function*() {
      const reading = yield* read
      asked = yield* Clock.currentTimeMillis
      if (Option.isSome(reading)) {
        const { answeredAt, askedAt, serverTime } = reading.value
        offset = serverTime - answeredAt
        uncertainty = answeredAt - askedAt
        known = true
      } else if (!warned) {
        warned = true
        yield* Effect.logWarning("The service does not tell its time; this machine's clock is trusted.")
      }
    }).pipe(Effect.catchTag("NotAnswered", () => Effect.void))
    const askSince = (since: number) => one.withPermit(Effect.suspend(() => asked > since ? Effect.void : ask))

    const estimate = Effect.map(Clock.currentTimeMillis, (now) => ({
      earliest: Math.floor(now) + offset,
      latest: Math.ceil(now) + offset + uncertainty
    }))

    return {
      now: Effect.suspend(() => asked === Number.NEGATIVE_INFINITY ? askSince(asked) : Effect.void).pipe(
        Effect.andThen(estimate)
      ),
      estimate,
      resync: (since) => Effect.map(askSince(since), () => known),
      offset: Effect.sync(() => offset)
    }
  })
