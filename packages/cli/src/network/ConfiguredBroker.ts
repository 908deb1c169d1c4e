/** The service that a command talks to, as it is configured. */
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Configured from "../config/Configured.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Proxy from "../config/Proxy.ts"
import * as BrokerProgress from "./BrokerProgress.ts"
import * as Destination from "./Destination.ts"

/** A `Broker` from `TALLYSTICK_*`; what is wrong there becomes a message that names the variable, or the file and its key. */
const layer = Broker.Broker.layerConfig().pipe(
  Layer.catchTag(
    "ConfigurationError",
    (error) => Layer.effectContext(Effect.flatMap(Configured.failure(error), Effect.fail))
  )
)

/** Runs with the configured `Broker`; for commands that show progress of their own. */
export const withSilentBroker = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Proxy.judged.pipe(
    Effect.andThen(Effect.flatMap(OpenFiles.keys, OpenFiles.judged)),
    Effect.andThen(Effect.provide(Destination.told(effect), layer))
  )

/** Runs with the configured `Broker`, and shows how far its scans are. */
export const withBroker = <A, E, R>(effect: Effect.Effect<A, E, R>) => withSilentBroker(BrokerProgress.shown(effect))
