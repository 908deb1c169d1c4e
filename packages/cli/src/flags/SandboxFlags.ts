/** Flags of the sandbox, for `demo` and `sandbox`. */
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
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
