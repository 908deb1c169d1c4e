/** `tallystick backtest`: what another policy would change, before it counts. */
import * as Command from "effect/cli/Command"
import * as InputFlags from "../flags/InputFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  deposits: InputFlags.file("deposits", "Deposits (NDJSON, JSON array or CSV; - is stdin)"),
  transfers: InputFlags.file("transfers", "Transfers"),
  ...InputFlags.flags,
  policy: InputFlags.configured("policy", "The policy in force, as JSON; without any, the defaults"),
  against: InputFlags.file("against", "The policy that would take its place"),
  format,
  out
}

export const command = Command.make(
  "backtest",
  flags,
  Telemetry.command("backtest", () => import("../handlers/Backtest.ts"))
).pipe(
  Command.withDescription(
    "Match the same two files under two policies, and show what would change, entry by entry and in totals. Exits with 0 " +
      "when nothing changes, 1 when something does."
  ),
  Command.withExamples([
    {
      command:
        "tallystick backtest --deposits deposits.ndjson --transfers ledger.csv --policy old.json --against new.json",
      description: "Before a new policy counts"
    }
  ])
)
