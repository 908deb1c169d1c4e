/** Lets a request go when the rate limit gives its key a permit and the service has not asked for a pause. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as BrokerError from "../../BrokerError.ts"
import type * as Pause from "../time/Pause.ts"
import type { Call } from "./Call.ts"
import type { Lane, Lanes } from "./Lanes.ts"

export interface Admission {
  /**
   * Sends in the lane whose turn it is, when its permit and pause allow it. `send` gives none where a pause began before the request
   * left. No permit is kept through a pause: a limit that is shared by time counts it as used, and after the pause all requests
   * would leave at once. Without a call the request is not signed.
   */
  readonly admitted: <A, E>(
    call: Call | undefined,
    send: (lane: Lane) => Effect.Effect<Option.Option<A>, E>
  ) => Effect.Effect<A, E | BrokerError.AnswerReason>
  /** Waits until some key may send this call, or fails when that takes too long. */
  readonly over: (call: Call) => Effect.Effect<void, BrokerError.AnswerReason>
  /** Whether sending in a lane is allowed now. */
  readonly isOver: (lane: Lane) => Effect.Effect<boolean>
  /**
   * Begins the pause that an answer asks for, and fails with that answer. A ban may be of the address, and an unsigned request tells
   * no key: then all lanes pause, else the one that was used.
   */
  readonly paused: (
    lane: Lane | undefined
  ) => (reason: BrokerError.Banned | BrokerError.RateLimited) => Effect.Effect<never, BrokerError.AnswerReason>
}

/** `pause` is that of all lanes. */
export const make = (lanes: Lanes, pause: Pause.Pause): Admission => {
  const over = (lane: Lane) => Effect.andThen(pause.over, lane.pause.over)
  const isOver = (lane: Lane) => Effect.zipWith(pause.isOver, lane.pause.isOver, (all, own) => all && own)

  const admitted: Admission["admitted"] = (call, send) =>
    Effect.flatMap(lanes.next(call), (lane) =>
      Effect.andThen(
        over(lane),
        lane.limit.permit(
          Effect.flatMap(
            isOver(lane),
            (isOver) => isOver && lanes.mayUse(lane) ? send(lane) : Effect.succeedNone
          )
        )
      )).pipe(Effect.flatMap(Option.match({ onNone: () => admitted(call, send), onSome: Effect.succeed })))

  return {
    admitted,
    over: (call) => Effect.flatMap(lanes.next(call), over),
    isOver,
    paused: (lane) => (reason) => {
      const { begin } = lane === undefined || reason._tag === "Banned" ? pause : lane.pause
      return Effect.flatMap(begin(reason), (reason) => Effect.fail(reason))
    }
  }
}
