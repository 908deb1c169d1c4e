/** Flags of the sandbox, for `demo` and `sandbox`. */
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import type * as Server from "@tallystick/sandbox/Server"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Failure from "../Failure.ts"
import * as Fallback from "./Fallback.ts"
import * as FileFlag from "./FileFlag.ts"

const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const seed = Flag.Int("seed").pipe(
  Flag.withSchema(whole(0, 2 ** 31 - 1)),
  Flag.withDescription("The same seed makes the same history"),
  Fallback.value(1)
)

export const deposits = Flag.Int("deposits").pipe(
  Flag.withSchema(whole(1, 10_000_000)),
  Flag.withDescription("About so many deposits in the last 3 days"),
  Fallback.value(10_000)
)

export const port = Flag.Int("port").pipe(
  Flag.withSchema(whole(0, 65_535)),
  Flag.withDescription("0 for any free port"),
  Fallback.value(0)
)

export const faults = FileFlag.make("faults").pipe(
  Flag.withDescription("What is wrong with the server, as JSON (docs/sandbox.md)"),
  Flag.optional
)

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
