/** The work of `tallystick deposits`. */
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as RecordStream from "../output/RecordStream.ts"
import * as Interruption from "../terminal/Interruption.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends RangeFlags.Flags {
  readonly out: RecordStream.Out
}

export const run = Effect.fnUntraced(
  function*(flags: Flags) {
    const range = yield* AskedRange.ofService(flags)
    const broker = yield* Broker.Broker
    yield* RecordStream.write(flags.out, broker.scanSubAccountDeposits(range), {
      hasEnd: AskedRange.hasEnd(flags),
      times: ZonedTimes.make(yield* AskedRange.zone(flags.zone))
    })
  },
  ConfiguredBroker.withBroker,
  (effect, { out }) => Interruption.told(out)(effect)
)
