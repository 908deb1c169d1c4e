/** `tallystick deposits`: the service's deposit records. */
import * as Broker from "@tallystick/core/Broker"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Fallback from "../Fallback.ts"
import { out } from "../OutFlag.ts"
import * as Range from "../Range.ts"
import * as RecordStream from "../RecordStream.ts"
import * as Service from "../Service.ts"
import * as Telemetry from "../Telemetry.ts"

export const format = Flag.Literals("format", ["ndjson"]).pipe(
  Flag.withDescription("One JSON object a line"),
  Fallback.value("ndjson")
)

const run = Effect.fnUntraced(function*(flags: Range.Flags & { readonly out: RecordStream.Out }) {
  const range = yield* Range.ofService(flags)
  const broker = yield* Broker.Broker
  yield* RecordStream.write(flags.out, broker.scanSubAccountDeposits(range), Range.hasEnd(flags))
}, Service.withBroker)

export const command = Command.make("deposits", { ...Range.flags, format, out }, Telemetry.command("deposits", run))
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
