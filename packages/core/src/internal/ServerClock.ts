/**
 * The service's time. Its own rule accepts a request that is up to `recvWindow` late but hardly one that is early, so
 * the estimate never runs ahead: the answer is taken to be as old as the whole round trip.
 *
 * Time since that answer is measured with a clock that nobody sets, so a wall clock that is wrong, or jumps, changes nothing.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
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

/**
 * What came of a question. Until there is a reading the local clock is trusted, and a reading is kept whatever comes later.
 *
 * | answer | because | without a reading, the next question is asked |
 * |---|---|---|
 * | `untold` | the service answered, and told no time | when a request is refused |
 * | `lost` | nothing came that could be read, and the next question may wait as long | when a request is refused |
 * | `postponed` | the service could not be asked: no connection, a 5xx, a 429, a ban | with the next request |
 */
export type Answer = Reading | "untold" | "lost" | "postponed"

/** What came of asking again: an offset; nothing, because the service does not tell its time; nothing this time. */
export type Resync = "measured" | "untold" | "unanswered"

/** A reading older than this is replaced, ms; when that fails, it is tried again after `PATIENCE` ms. */
const LONGEST_AGE = 600_000
const PATIENCE = 60_000

/** How far two clocks may drift apart: 500 ppm is the most that NTP slews one, and more than quartz does by itself. */
const DRIFT = 500e-6

/**
 * Without `read` the local clock is trusted because somebody chose so, otherwise after one warning. A clock that was never
 * compared may be up to `unmeasured` ms behind the service without a request being refused.
 */
export const make = (read: Effect.Effect<Answer> | undefined, unmeasured: number): Effect.Effect<ServerClock> =>
  Effect.gen(function*() {
    const one = yield* Semaphore.make(1)
    /** What tells the time; undefined as long as the service could not be asked. */
    let trusted: Reading | "local" | undefined = read === undefined ? "local" : undefined
    /** The last question that is over, the `number`th. */
    let last: { readonly number: number; readonly endedAt: number; readonly outcome: Resync } = {
      number: 0,
      endedAt: Number.NEGATIVE_INFINITY,
      outcome: "unanswered"
    }

    const learn = (answer: Answer): Effect.Effect<void> => {
      if (typeof answer === "object") trusted = answer
      else if (answer !== "postponed" && trusted === undefined) {
        trusted = "local"
        return Effect.logWarning("The service does not tell its time; this machine's clock is trusted.")
      }
      return Effect.void
    }
    const outcomeOf = (answer: Answer): Resync => {
      if (answer === "lost" || answer === "postponed") return "unanswered"
      return typeof trusted === "object" ? "measured" : "untold"
    }

    /** Asks, one at a time. Who waited while another asked shares what came of it. */
    const ask = (read: Effect.Effect<Answer>): Effect.Effect<Resync> =>
      Effect.suspend(() => {
        const { number } = last
        return one.withPermit(Effect.gen(function*() {
          if (last.number !== number) return last.outcome
          const answer = yield* read
          yield* learn(answer)
          last = { number: number + 1, endedAt: yield* Steady.millis, outcome: outcomeOf(answer) }
          return last.outcome
        }))
      })

    const isDue = Effect.map(Steady.millis, (now) =>
      typeof trusted === "object"
        ? now - trusted.answeredAt > LONGEST_AGE && now - last.endedAt > PATIENCE
        : trusted === undefined)

    /** Server time by the last reading, and how long ago that came. */
    const reckoned = Effect.map(Steady.millis, (now) => {
      if (typeof trusted !== "object") return undefined
      const { answeredAt, roundTrip, serverTime } = trusted
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
      now: read === undefined
        ? estimate
        : Effect.flatMap(isDue, (due) => due ? Effect.andThen(ask(read), estimate) : estimate),
      during: Effect.fnUntraced(function*(effect) {
        const before = yield* estimate
        const startedAt = yield* Steady.millis
        const result = yield* effect
        const after = yield* estimate
        const took = Math.ceil(((yield* Steady.millis) - startedAt) * (1 + DRIFT))
        return [result, { earliest: Math.min(before.earliest, after.earliest - took), latest: after.latest }]
      }),
      stamp,
      resync: Effect.fnUntraced(function*(since) {
        if (read === undefined) return "untold"
        return last.endedAt > since && last.outcome !== "unanswered" ? last.outcome : yield* ask(read)
      }),
      offset: Effect.gen(function*() {
        return Math.round((yield* stamp) - (yield* Clock.currentTimeMillis))
      })
    }
  })
