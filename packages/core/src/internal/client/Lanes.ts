/**
 * Gives the keys of a client their turns. The first key tells whose records are read, so the further ones have turns only while the
 * service accepts it. One of these that the service refuses is left out for a while.
 */
import * as Effect from "effect/Effect"
import type * as BrokerError from "../../BrokerError.ts"
import type * as RateLimit from "../../RateLimit.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import type * as Pause from "../time/Pause.ts"
import type { Call } from "./Call.ts"
import type * as Keys from "./Keys.ts"

/** A key with the limit and the pause that hold for it. Keys that the service counts together share both. */
export interface Lane {
  /** The key as messages call it, `key 2 of 3`; absent where there is only one. */
  readonly name?: string
  readonly keys: Keys.Keys
  readonly limit: RateLimit.RateLimit["Service"]
  readonly pause: Pause.Pause
}

export interface Lanes {
  readonly count: number
  /** All keys that were in force so far: none of them is shown in an error. */
  readonly known: () => ReadonlyArray<Keys.Key>
  /**
   * Gives the next turn: to the lane that waits longest of those without a pause, else to the one whose pause ends first. The first
   * lane has all turns until the service accepts its key. A call that must not be sent twice has the first lane alone, so that its
   * outcome is about one key. Without a call the request is not signed.
   */
  readonly next: (call: Call | undefined) => Effect.Effect<Lane>
  /** Whether a call that was given this lane may still be signed with its key. */
  readonly mayUse: (lane: Lane) => boolean
  /** Is told that the service gave what was asked for with this key. */
  readonly accepted: (used: Keys.Key) => void
  /** Is told that the service refused `used`, and gives whether the call may be signed with another key now. */
  readonly refused: (
    used: Keys.Key,
    reason: BrokerError.KeyRejected | BrokerError.SignatureRejected
  ) => Effect.Effect<boolean, BrokerError.SigningFailed>
}

/** A further key that was refused is tried again after so long, ms. */
const LEFT_OUT = 600_000

const isFirstAlone = (call: Call | undefined): boolean => call?.unknownOutcome !== undefined

/** Makes the lanes of some keys, of which the first one is given apart. */
export const make = (first: Lane, ...further: ReadonlyArray<Lane>): Lanes => {
  const all = [first, ...further]
  /** The lanes in force; the one that waits longest for its turn stands first. The first key's is always among them. */
  const queue = all.slice()
  /** The lanes that are left out, and since when, monotonic ms. */
  const leftOut = new Map<Lane, number>()
  /** Whether the service accepted the first key when it last judged it. */
  let isAccepted = false

  const putBack = (now: number): void => {
    for (const [lane, since] of leftOut) {
      if (now - since < LEFT_OUT) continue
      leftOut.delete(lane)
      queue.push(lane)
    }
  }

  /** Takes the lane at this place of the queue to its end. */
  const take = (index: number): Lane => {
    const [lane = first] = queue.splice(index, 1)
    queue.push(lane)
    return lane
  }

  const next: Lanes["next"] = (call) =>
    isFirstAlone(call) ? Effect.succeed(first) : Effect.map(MonotonicClock.millis, (now) => {
      putBack(now)
      if (!isAccepted) return take(queue.indexOf(first))
      const free = queue.findIndex(({ pause }) => pause.until() <= now)
      const soonest = Math.min(...queue.map(({ pause }) => pause.until()))
      return take(free >= 0 ? free : queue.findIndex(({ pause }) => pause.until() === soonest))
    })

  const leaveOut = Effect.fnUntraced(
    function*(lane: Lane, reason: BrokerError.KeyRejected | BrokerError.SignatureRejected) {
      const index = queue.indexOf(lane)
      if (index < 0) return
      queue.splice(index, 1)
      leftOut.set(lane, yield* MonotonicClock.millis)
      yield* Effect.logWarning(
        `The service refused ${lane.name} (${reason._tag}): it is not used for 10 minutes, and the other keys go on without it.`
      )
    }
  )

  return {
    count: all.length,
    known: () => all.flatMap(({ keys }) => keys.known),
    next,
    mayUse: (lane) => lane === first || (isAccepted && queue.includes(lane)),
    accepted: (used) => {
      if (used === first.keys.current()) isAccepted = true
    },
    refused: Effect.fnUntraced(function*(used, reason) {
      const lane = further.find(({ keys }) => keys.known.includes(used))
      if (lane !== undefined) return yield* Effect.as(leaveOut(lane, reason), true)
      isAccepted = false
      return yield* first.keys.renew(used)
    })
  }
}
