/**
 * The service's time. Its own rule accepts a request that is up to `recvWindow` late but hardly one that is early, so
 * the estimate never runs ahead: the answer is taken to be as old as the whole round trip.
 *
 * Time since that answer is measured with a clock that nobody sets, so a wall clock that is wrong, or jumps, changes nothing.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Steady from "./Steady.ts"

/** What the service said about its time. */
export interface Reading {
  /** Unix ms. */
  readonly serverTime: number
  /** When the answer had come, ms of the steady clock. */
  readonly answeredAt: number
  /** How long question and answer took together, ms. */
  readonly roundTrip: number
}

/** A moment in server time: not before `earliest`, not after `latest` (Unix ms). */
export interface Moment {
  readonly earliest: number
  readonly latest: number
}

export interface ServerClock {
  /** Now. Asks the service first, once, and again when its last answer has become old. */
  readonly now: Effect.Effect<Moment>
  /**
   * Runs an effect, and tells in which moment it ran: from its beginning to its end. Whatever was learnt about the time
   * meanwhile, the beginning is the earlier of what was known before and what is known after. Never asks.
   */
  readonly during: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<readonly [A, Moment], E>
  /** The time that a request carries when it leaves now, Unix ms. */
  readonly stamp: Effect.Effect<number>
  /** Asks again unless an answer came after `since` (steady ms), when the refused request took its time. */
  readonly resync: (since: number) => Effect.Effect<Resync>
  /** Server time minus local time, ms. */
  readonly offset: Effect.Effect<number>
}

/** What came of asking again: an offset; nothing, because the service does not tell its time; nothing this time. */
export type Resync = "measured" | "untold" | "unanswered"

/** No answer this time. `silent`: nothing says that the next question will fare better, so only a refusal asks it. */
export class NotAnswered extends Schema.TaggedError<NotAnswered>()("NotAnswered", { silent: Schema.Boolean }) {}

/** An answer older than this is replaced, ms; when that fails, it is tried again after `PATIENCE` ms. */
const LONGEST_AGE = 600_000
const PATIENCE = 60_000

/** How far two clocks may drift apart: 500 ppm is the most that NTP slews one, and more than quartz does by itself. */
const DRIFT = 500e-6

/**
 * `read` is none where the service does not tell its time: then the local clock is trusted, after one warning. Where it
 * could not be asked it is asked again next time; where it was silent, only when a request was refused. Without `read` the
 * local clock is trusted because somebody chose so. A clock that was never compared may be up to `unmeasured` ms behind
 * the service without a request being refused. Whatever becomes of a later question, an answer is kept.
 */
export const make = (
  read: Effect.Effect<Option.Option<Reading>, NotAnswered> | undefined,
  unmeasured: number
): Effect.Effect<ServerClock> =>
  Effect.gen(function*() {
    const one = yield* Semaphore.make(1)
    let measured: Reading | undefined
    let asked = read === undefined
    let warned = false
    /** When a question was last over, and when one last settled whether and how the service tells its time. */
    let triedAt = Number.NEGATIVE_INFINITY
    let settledAt = Number.NEGATIVE_INFINITY

    const found = (): Resync => measured === undefined ? "untold" : "measured"
    const trustLocal = Effect.suspend(() => {
      if (warned || measured !== undefined) return Effect.void
      warned = true
      return Effect.logWarning("The service does not tell its time; this machine's clock is trusted.")
    })

    const ask: Effect.Effect<Resync> = read === undefined ? Effect.succeed("untold") : read.pipe(
      Effect.flatMap(Effect.fnUntraced(function*(reading) {
        settledAt = yield* Steady.millis
        triedAt = settledAt
        asked = true
        if (Option.isSome(reading)) measured = reading.value
        else yield* trustLocal
        return found()
      })),
      Effect.catchTag("NotAnswered", ({ silent }) =>
        Effect.gen(function*() {
          triedAt = yield* Steady.millis
          asked ||= silent
          if (silent) yield* trustLocal
          return "unanswered" as const
        }))
    )

    const isDue = Effect.map(Steady.millis, (now) =>
      !asked || (measured !== undefined && now - measured.answeredAt > LONGEST_AGE && now - triedAt > PATIENCE))
    const whenDue = <A>(then: Effect.Effect<A>) =>
      Effect.flatMap(isDue, (due) => due ? Effect.asVoid(then) : Effect.void)

    /** Server time by the last answer, and how long ago that came. */
    const reckoned = Effect.map(Steady.millis, (now) => {
      if (measured === undefined) return undefined
      const { answeredAt, roundTrip, serverTime } = measured
      return { time: serverTime + now - answeredAt, roundTrip, drift: Math.floor((now - answeredAt) * DRIFT) }
    })
    const estimate = Effect.gen(function*() {
      const server = yield* reckoned
      const local = yield* Clock.currentTimeMillis
      return server === undefined
        ? { earliest: Math.floor(local), latest: Math.ceil(local) + unmeasured }
        : {
          earliest: Math.floor(server.time) - server.drift,
          latest: Math.ceil(server.time + server.roundTrip) + server.drift
        }
    })
    const stamp = Effect.gen(function*() {
      const server = yield* reckoned
      return Math.floor(server === undefined ? yield* Clock.currentTimeMillis : server.time)
    })

    return {
      now: Effect.andThen(whenDue(one.withPermit(whenDue(ask))), estimate),
      during: Effect.fnUntraced(function*(effect) {
        const before = yield* estimate
        const startedAt = yield* Steady.millis
        const result = yield* effect
        const after = yield* estimate
        const took = Math.ceil(((yield* Steady.millis) - startedAt) * (1 + DRIFT))
        return [result, { earliest: Math.min(before.earliest, after.earliest - took), latest: after.latest }]
      }),
      stamp,
      resync: (since) => one.withPermit(Effect.suspend(() => settledAt > since ? Effect.succeed(found()) : ask)),
      offset: Effect.gen(function*() {
        return Math.round((yield* stamp) - (yield* Clock.currentTimeMillis))
      })
    }
  })
