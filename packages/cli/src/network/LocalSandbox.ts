/** The sandbox that a command starts. */
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import type * as Server from "@tallystick/sandbox/Server"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Failure from "../Failure.ts"

/** A running sandbox; a port that is taken is the user's to change. */
export const layer = (options: Sandbox.Options & Server.Options): Layer.Layer<Sandbox.Sandbox, Failure.Failure> =>
  Sandbox.Sandbox.layer(options).pipe(
    Layer.catchTag(
      "ServeError",
      () =>
        Layer.effectContext(
          Effect.fail(Failure.usage(`The sandbox cannot listen on port ${options.port ?? 0} of 127.0.0.1`))
        )
    )
  )
