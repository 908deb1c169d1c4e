/** Gives the keys of a client their turns, and takes those out that the service refuses. */
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
   * Gives the next turn: to the lane that waits longest of those without a pause, else to the one whose pause ends first. A call
   * that must not be sent twice has the first lane alone, so that its outcome is about one key. Without a call the request is not
   * signed.
   */
  readonly next: (call: Call | undefined) => Effect.Effect<Lane>
  /** Whether the call may still be signed with the key of this lane. */
  readonly mayUse: (lane: Lane, call: Call | undefined) => boolean
  /** Is told that the service refused `used`, and gives whether the call may be signed with another key now. */
  readonly refused: (
    call: Call,
    used: Keys.Key,
    reason: BrokerError.KeyRejected | BrokerError.SignatureRejected
  ) => Effect.Effect<boolean, BrokerError.SigningFailed>
}

const isFirstAlone = (call: Call | undefined): boolean => call?.unknownOutcome !== undefined

/** Makes the lanes of some keys, of which the first one is given apart. */
export const make = (first: Lane, ...further: ReadonlyArray<Lane>): Lanes => {
  const all = [first, ...further]
  /** The lanes in force; the one that waits longest for its turn stands first. */
  const queue = all.slice()

  const next: Lanes["next"] = (call) =>
    isFirstAlone(call) ? Effect.succeed(first) : Effect.map(MonotonicClock.millis, (now) => {
      const free = queue.findIndex(({ pause }) => pause.until() <= now)
      const soonest = Math.min(...queue.map(({ pause }) => pause.until()))
      const index = free >= 0 ? free : queue.findIndex(({ pause }) => pause.until() === soonest)
      const [lane = first] = queue.splice(index, 1)
      queue.push(lane)
      return lane
    })

  const takenOut = Effect.fnUntraced(
    function*(lane: Lane, reason: BrokerError.KeyRejected | BrokerError.SignatureRejected) {
      const index = queue.indexOf(lane)
      if (index < 0) return true
      if (queue.length === 1) return false
      queue.splice(index, 1)
      yield* Effect.logWarning(
        `The service refused ${lane.name} (${reason._tag}): it is not used any more, and the other keys go on without it.`
      )
      return true
    }
  )

  return {
    count: all.length,
    known: () => all.flatMap(({ keys }) => keys.known),
    next,
    mayUse: (lane, call) => isFirstAlone(call) || queue.includes(lane),
    refused: Effect.fnUntraced(function*(call, used, reason) {
      const lane = all.find(({ keys }) => keys.known.includes(used)) ?? first
      if (yield* lane.keys.renew(used)) return true
      return isFirstAlone(call) ? false : yield* takenOut(lane, reason)
    })
  }
}
