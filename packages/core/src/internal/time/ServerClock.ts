/**
 * Estimates the service's time. The service accepts a request that is up to `recvWindow` late, but hardly one that is early. So
 * its answer is taken to be as old as the whole round trip, or as old as a request may be where the round trip took longer.
 *
 * The time since that answer is measured with a clock that nobody sets, so a wall clock that is wrong, or jumps, changes nothing.
 * That clock stands still while the machine is suspended. A wall clock that went on meanwhile shows the suspension, and the
 * service is asked again. A wall clock that was only set forward causes one needless question.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as MonotonicClock from "./MonotonicClock.ts"

/** One answer of the service to the question for its time. */
export interface Reading {
  /** Unix ms. */
  readonly serverTime: number
  /** When the answer had come, ms of the monotonic clock. */
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
  /** The current moment. The service is asked before the first one, and again when its last answer has become old. */
  readonly now: Effect.Effect<Moment>
  /**
   * Runs an effect and returns the moment of its run, from its beginning to its end. A reading that comes meanwhile counts: the
   * beginning is the earlier of the times by the old reading and by the new one. The end is the later of both where the local
   * clock is trusted, and the time by the new reading elsewhere. It never asks the service.
   */
  readonly during: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<readonly [A, Moment], E>
  /** The time that a request carries when it leaves now, Unix ms. */
  readonly stamp: Effect.Effect<number>
  /**
   * Asks the service again, unless an answer came after `since` (monotonic ms), the time at which the refused request was
   * stamped.
   */
  readonly resync: (since: number) => Effect.Effect<Resync>
  /** Server time minus local time, ms. */
  readonly offset: Effect.Effect<number>
}

/**
 * The outcome of a question. Until there is a reading the local clock is trusted. A reading is kept until another one replaces
 * it: one that is as sharp by now, or contradicts it, or any where a request was refused although it was under way for less
 * than its lifetime.
 *
 * | answer | because | without a reading, the next question is asked |
 * |---|---|---|
 * | `untold` | the service answered, and told no time | when a request is refused |
 * | `lost` | nothing came that could be read, and the next question may wait as long | when a request is refused |
 * | `postponed` | the service could not be asked: no connection, a 5xx, a 429, a ban | with the next request |
 */
export type Answer = Reading | "untold" | "lost" | "postponed"

/**
 * The outcome of asking again. `measured`: there is an offset. `untold`: the service does not tell its time. `unanswered`: this
 * question got no answer.
 */
export type Resync = "measured" | "untold" | "unanswered"

/** A reading older than this is replaced, ms; when that fails, it is tried again after `PATIENCE` ms. */
const LONGEST_AGE = 600_000
const PATIENCE = 60_000

/** How far two clocks may drift apart: 500 ppm is the most that NTP slews one, and more than quartz does by itself. */
const DRIFT = 500e-6

/**
 * The machine was suspended where its wall clock gained more than this on its monotonic clock, ms: no clock
 * is slewed so fast.
 */
const SUSPENDED = 1000

/** The service accepts a request that comes too early by so much, ms. */
const EARLY = 1000

/** How far the wall clock is ahead of the monotonic one, ms. Only a change of this number says anything. */
const wallAhead = Effect.gen(function*() {
  return (yield* Clock.currentTimeMillis) - (yield* MonotonicClock.millis)
})

/** Estimates a later moment (monotonic ms) from a reading. */
const reckon = ({ answeredAt, roundTrip, serverTime }: Reading, at: number): Moment => {
  const age = at - answeredAt
  return { earliest: serverTime + age * (1 - DRIFT), latest: serverTime + roundTrip + age * (1 + DRIFT) }
}

/** Whether a new reading is at least as sharp as the known one is by now, or contradicts it. */
const isBetter = (reading: Reading, known: Reading): boolean => {
  const { earliest, latest } = reckon(reading, reading.answeredAt)
  const before = reckon(known, reading.answeredAt)
  return latest - earliest <= before.latest - before.earliest || latest < before.earliest || earliest > before.latest
}

/**
 * Makes a server clock. Without `read` the local clock is trusted without a warning, because the configuration says so. Where
 * `read` finds no time, it is trusted after one warning. The service accepts a request that is up to `lifetime` ms old, so a
 * local clock that was never compared may be that far behind the service.
 */
export const make = (read: Effect.Effect<Answer> | undefined, lifetime: number): Effect.Effect<ServerClock> =>
  Effect.gen(function*() {
    const one = yield* Semaphore.make(1)
    /** The source of the time; undefined as long as the service could not be asked. */
    let trusted: Reading | "local" | undefined = read === undefined ? "local" : undefined
    /** Whether the service refused a request that was stamped by the reading. */
    let doubted = false
    /** `wallAhead` before the last question that was answered. */
    let aheadWhenTold = Number.POSITIVE_INFINITY
    /** The last question that is over, the `number`th. */
    let last: { readonly number: number; readonly endedAt: number; readonly outcome: Resync } = {
      number: 0,
      endedAt: Number.NEGATIVE_INFINITY,
      outcome: "unanswered"
    }

    const learn = (answer: Answer): Effect.Effect<void> => {
      if (typeof answer === "object") {
        if (typeof trusted !== "object" || doubted || isBetter(answer, trusted)) {
          trusted = answer
          doubted = false
        }
      } else if (answer !== "postponed" && trusted === undefined) {
        trusted = "local"
        return Effect.logWarning("The service's time could not be read; this machine's clock is trusted.")
      }
      return Effect.void
    }
    const found = (): Resync => typeof trusted === "object" ? "measured" : "untold"
    /** Returns when the service last told the time that is trusted now, or answered without a time. */
    const toldAt = (): number => {
      if (typeof trusted === "object") return trusted.answeredAt
      return last.outcome === "untold" ? last.endedAt : Number.NEGATIVE_INFINITY
    }

    /**
     * Asks the service, one question at a time. A caller that waited for another caller's question gets the
     * outcome of that one.
     */
    const ask = (read: Effect.Effect<Answer>): Effect.Effect<Resync> =>
      Effect.suspend(() => {
        const { number } = last
        return one.withPermit(Effect.gen(function*() {
          if (last.number !== number) return last.outcome
          const ahead = yield* wallAhead
          doubted ||= ahead - aheadWhenTold > SUSPENDED
          const answer = yield* read
          if (answer !== "lost" && answer !== "postponed") aheadWhenTold = ahead
          yield* learn(answer)
          const outcome = answer === "lost" || answer === "postponed" ? "unanswered" : found()
          last = { number: number + 1, endedAt: yield* MonotonicClock.millis, outcome }
          return last.outcome
        }))
      })

    const isDue = Effect.gen(function*() {
      if (typeof trusted !== "object") return trusted === undefined
      const now = yield* MonotonicClock.millis
      const wasSuspended = (yield* wallAhead) - aheadWhenTold > SUSPENDED
      if (wasSuspended && last.outcome !== "unanswered") return true
      return (wasSuspended || now - trusted.answeredAt > LONGEST_AGE) && now - last.endedAt > PATIENCE
    })

    const estimate = Effect.gen(function*() {
      const local = yield* Clock.currentTimeMillis
      const { earliest, latest } = typeof trusted === "object"
        ? reckon(trusted, yield* MonotonicClock.millis)
        : { earliest: local, latest: local + lifetime }
      return { earliest: Math.floor(earliest), latest: Math.ceil(latest) }
    })
    const stamp = Effect.gen(function*() {
      if (typeof trusted !== "object") return Math.floor(yield* Clock.currentTimeMillis)
      const { answeredAt, roundTrip, serverTime } = trusted
      // Where requests take as long as that question did, a request that is stamped with the earliest possible time would be too
      // old on arrival.
      const tooOld = Math.max(0, roundTrip - lifetime + Math.min(EARLY, lifetime / 2))
      return Math.floor(serverTime + tooOld + (yield* MonotonicClock.millis) - answeredAt)
    })

    return {
      now: read === undefined
        ? estimate
        : Effect.flatMap(isDue, (due) => due ? Effect.andThen(ask(read), estimate) : estimate),
      during: Effect.fnUntraced(function*(effect) {
        const before = yield* estimate
        const startedAt = yield* MonotonicClock.millis
        const result = yield* effect
        const after = yield* estimate
        const took = Math.ceil(((yield* MonotonicClock.millis) - startedAt) * (1 + DRIFT))
        // The local clock may have been set back meanwhile; a reading of the service's is right.
        const latest = typeof trusted === "object" ? after.latest : Math.max(after.latest, before.latest + took)
        return [result, { earliest: Math.min(before.earliest, after.earliest - took), latest }]
      }),
      stamp,
      resync: Effect.fnUntraced(function*(since) {
        if (read === undefined) return "untold"
        if (toldAt() > since) return found()
        doubted ||= (yield* MonotonicClock.millis) - since <= lifetime
        return yield* ask(read)
      }),
      offset: Effect.gen(function*() {
        return Math.round((yield* stamp) - (yield* Clock.currentTimeMillis))
      })
    }
  })
