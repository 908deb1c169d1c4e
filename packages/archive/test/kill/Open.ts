/** A process that opens the archive of its environment, which brings it to this version's tables, and says so. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Drivers from "../../src/internal/Drivers.ts"

await Effect.runPromise(Effect.scoped(Effect.andThen(Layer.build(Drivers.layerConfig()), Console.log("open"))))
