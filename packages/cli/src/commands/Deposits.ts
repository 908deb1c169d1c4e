/** `tallystick deposits`: the service's deposit records. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Fallback from "../flags/Fallback.ts"
import { out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

export const format = Flag.Literals("format", ["ndjson"]).pipe(
  Flag.withDescription("One JSON object a line"),
  Fallback.value("ndjson")
)

export const command = Command.make(
  "deposits",
  { ...RangeFlags.flags, format, out },
  Telemetry.command("deposits", () => import("../handlers/Deposits.ts"))
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
