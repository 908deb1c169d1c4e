/** The work of `tallystick deposits`. */
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as RecordStream from "../output/RecordStream.ts"
import * as Stderr from "../terminal/Stderr.ts"

export const run = Effect.fnUntraced(
  function*(flags: RangeFlags.Flags & { readonly out: RecordStream.Out }) {
    const range = yield* AskedRange.ofService(flags)
    const broker = yield* Broker.Broker
    yield* RecordStream.write(flags.out, broker.scanSubAccountDeposits(range), AskedRange.hasEnd(flags))
  },
  ConfiguredBroker.withBroker,
  Stderr.ofInterrupted
)
