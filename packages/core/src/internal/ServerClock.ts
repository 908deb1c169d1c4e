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
  /** Asks again unless an answer came after `since` (local Unix ms), when the refused request took its time. */
  readonly resync: (since: number) => Effect.Effect<Resync>
  /** Server time minus local time, ms. */
  readonly offset: Effect.Effect<number>
}

/** What came of asking again: an offset; nothing, because the service does not tell its time; nothing this time. */
export type Resync = "measured" | "untold" | "unanswered"

/** No answer this time. `silent`: nothing says that the next question will fare better, so only a refusal asks it. */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", { silent: Schema.Boolean }) {}

/**
 * `read` is none where the service does not tell its time: then the local clock is trusted, after one warning. Where it
 * could not be asked it is asked again next time; where it was silent, only when a request was refused. Without `read` the
 * local clock is trusted because somebody chose so. A clock that was never compared may be up to `unmeasured` ms behind
 * the service without a request being refused.
 */
export const make = (
  read: Effect.Effect<Option.Option<Reading>, NotAnswered> | undefined,
  unmeasured: number
): Effect.Effect<ServerClock> =>
  Effect.gen(function*() {
    const one = yield* Semaphore.make(1)
    let offset = 0
    let uncertainty = unmeasured
    /** Local time of the last answer that settled whether and how the service tells its time. */
    let settledAt = Number.NEGATIVE_INFINITY
    let found: Resync = "untold"
    let asked = read === undefined
    let warned = false

    const trustLocal = Effect.suspend(() => {
      if (warned) return Effect.void
      warned = true
      return Effect.logWarning("The service does not tell its time; this machine's clock is trusted.")
    })

    const ask: Effect.Effect<Resync> = read === undefined ? Effect.succeed("untold") : read.pipe(
      Effect.flatMap(Effect.fnUntraced(function*(reading) {
        settledAt = yield* Clock.currentTimeMillis
        asked = true
        if (Option.isSome(reading)) {
          const { answeredAt, askedAt, serverTime } = reading.value
          offset = serverTime - answeredAt
          uncertainty = answeredAt - askedAt
          found = "measured"
        } else yield* trustLocal
        return found
      })),
      Effect.catchTag("NotAnswered", ({ silent }) => {
        asked ||= silent
        return Effect.as(silent && found === "untold" ? trustLocal : Effect.void, "unanswered" as const)
      })
    )
    const askSince = (since: number) =>
      one.withPermit(Effect.suspend(() => settledAt > since ? Effect.succeed(found) : ask))

    const estimate = Effect.map(Clock.currentTimeMillis, (now) => ({
      earliest: Math.floor(now) + offset,
      latest: Math.ceil(now) + offset + uncertainty
    }))

    return {
      now: Effect.suspend(() => asked ? Effect.void : one.withPermit(Effect.suspend(() => asked ? Effect.void : ask)))
        .pipe(
          Effect.andThen(estimate)
        ),
      estimate,
      resync: askSince,
      offset: Effect.sync(() => offset)
    }
  })
