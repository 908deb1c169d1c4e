import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** Builds a layer again until it succeeds, such as a connection to a server that is not up yet. */
export const patiently = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.effectContext(Effect.retry(Layer.build(layer), Schedule.spaced("5 seconds")))
