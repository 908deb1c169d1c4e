/** `tallystick deposits`: the service's deposit records. */
import * as Broker from "@tallystick/core/Broker"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Fallback from "../flags/Fallback.ts"
import { out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as RecordStream from "../output/RecordStream.ts"
import * as Stderr from "../terminal/Stderr.ts"

export const format = Flag.Literals("format", ["ndjson"]).pipe(
  Flag.withDescription("One JSON object a line"),
  Fallback.value("ndjson")
)

const run = Effect.fnUntraced(
  function*(flags: RangeFlags.Flags & { readonly out: RecordStream.Out }) {
    const range = yield* RangeFlags.ofService(flags)
    const broker = yield* Broker.Broker
    yield* RecordStream.write(flags.out, broker.scanSubAccountDeposits(range), RangeFlags.hasEnd(flags))
  },
  ConfiguredBroker.withBroker,
  Stderr.ofInterrupted
)

export const command = Command.make(
  "deposits",
  { ...RangeFlags.flags, format, out },
  Telemetry.command("deposits", run)
)
  .pipe(
    Command.withDescription(
      "Print the deposits of all sub-accounts, of the last 24 hours unless a range is given. The service forgets them after " +
        "3 days. Exits with 3, naming the gap, when they are not proven complete up to the end that was asked for."
    ),
    Command.withExamples([
      {
        command: "tallystick deposits --since 71h --out deposits.ndjson",
        description: "Keep what the service still knows"
      },
      { command: "tallystick deposits --day 2026-11-19 --zone Europe/Berlin", description: "One business day" }
    ])
  )
