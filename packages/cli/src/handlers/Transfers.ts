/** The work of `tallystick transfers`. */
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as RecordStream from "../output/RecordStream.ts"
import * as Interruption from "../terminal/Interruption.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends RangeFlags.Flags {
  readonly fromAccount: Option.Option<string>
  readonly toAccount: Option.Option<string>
  readonly fromType: string
  readonly toType: string
  readonly out: RecordStream.Out
}

export const run = Effect.fnUntraced(
  function*(flags: Flags) {
    const range = yield* AskedRange.ofService(flags)
    const broker = yield* Broker.Broker
    const { fromAccount, fromType, out, toAccount, toType } = flags
    yield* RecordStream.write(
      out,
      broker.scanUniversalTransfers({
        ...range,
        ...(Option.isSome(fromAccount) ? { fromAccount: fromAccount.value } : {}),
        ...(Option.isSome(toAccount) ? { toAccount: toAccount.value } : {}),
        fromAccountType: fromType,
        toAccountType: toType
      }),
      { hasEnd: AskedRange.hasEnd(flags), times: ZonedTimes.make(yield* AskedRange.zone(flags.zone)) }
    )
  },
  ConfiguredBroker.withBroker,
  (effect, { out }) => Interruption.told(out)(effect)
)
