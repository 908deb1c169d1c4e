/** Says at once when the service gives no answer: what a sync could not read is told at its end, which may be minutes away. */
import * as Broker from "@tallystick/core/Broker"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Runs with a warning of the first page that could not be read. */
export const told = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Broker.Broker> =>
  Effect.flatMap(Broker.Broker, (broker) => {
    let isTold = false
    const watched = <Record, E, R>(slices: Stream.Stream<Slice.Slice<Record>, E, R>) =>
      Stream.tap(slices, ({ coverage }) => {
        const failed = coverage.find(({ gap }) => gap?.code === "failed-page")
        if (isTold || failed?.gap === undefined) return Effect.void
        isTold = true
        return Effect.logWarning(`${failed.gap.detail}; the round goes on`)
      })
    return Effect.provideService(
      effect,
      Broker.Broker,
      {
        ...broker,
        scanSubAccountDeposits: (input) => watched(broker.scanSubAccountDeposits(input)),
        scanUniversalTransfers: (input) => watched(broker.scanUniversalTransfers(input))
      }
    )
  })
