/** The service that a command talks to, as the environment configures it. */
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Failure from "./Failure.ts"

/** A `Broker` from `TALLYSTICK_*`; what is wrong there becomes a message that names the variable. */
const layer = Broker.Broker.layerConfig.pipe(
  Layer.catchTag("ConfigurationError", (error) => Layer.effectContext(Effect.fail(Failure.fromConfiguration(error))))
)

/** Runs with a `Broker` from the environment. */
export const withBroker = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, layer)
