/** Lets a request go when the rate limit gives it a permit and the service has not asked for a pause. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as BrokerError from "../../BrokerError.ts"
import type * as RateLimit from "../../RateLimit.ts"
import type * as Pause from "../time/Pause.ts"

export interface Admission {
  /**
   * Sends when permit and pause allow it. `send` gives none where a pause began before the request left. No permit is kept
   * through a pause: a limit that is shared by time counts it as used, and after the pause all requests would leave at once.
   */
  readonly admitted: <A, E>(send: Effect.Effect<Option.Option<A>, E>) => Effect.Effect<A, E | BrokerError.RequestReason>
  /** Begins the pause that an answer asks for, and fails with that answer. */
  readonly paused: (
    reason: BrokerError.Banned | BrokerError.RateLimited
  ) => Effect.Effect<never, BrokerError.RequestReason>
  readonly pause: Pause.Pause
}

export const make = (limit: RateLimit.RateLimit["Service"], pause: Pause.Pause): Admission => {
  const admitted: Admission["admitted"] = (send) =>
    Effect.andThen(
      pause.over,
      limit.permit(Effect.flatMap(pause.isOver, (isOver) => isOver ? send : Effect.succeedNone))
    ).pipe(Effect.flatMap(Option.match({ onNone: () => admitted(send), onSome: Effect.succeed })))
  return {
    admitted,
    paused: (reason) => Effect.flatMap(pause.begin(reason), (reason) => Effect.fail(reason)),
    pause
  }
}
