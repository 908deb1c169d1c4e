import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"

/** A layer that is built again until it comes about: a connection to a server that may not be up yet. */
export const patiently = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.effectContext(Effect.retry(Layer.build(layer), Schedule.spaced("5 seconds")))
