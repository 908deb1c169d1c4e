/** `tallystick accounts`: the service's list of sub-accounts. */
import * as Command from "effect/cli/Command"
import { out, sheetFormat } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

export const command = Command.make(
  "accounts",
  { format: sheetFormat, out, zone: RangeFlags.flags.zone },
  Telemetry.command("accounts", () => import("../handlers/Accounts.ts"))
).pipe(
  Command.withDescription(
    "Print the sub-accounts as the exchange lists them. The list is read twice, with pages of different lengths. Exits with 3, " +
      "naming the reason, when it is not proven complete: what was seen of it is printed all the same."
  ),
  Command.withExamples([
    { command: "tallystick accounts", description: "With notes, and when each was made" },
    {
      command: "tallystick accounts --out accounts.json",
      description: "A file that --accounts reads"
    }
  ])
)
