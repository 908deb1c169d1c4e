/** `tallystick transfers`: the service's universal transfers of one pair of accounts. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Fallback from "../flags/Fallback.ts"
import { out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"
import { format } from "./Deposits.ts"

const account = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription(`${what} (default: the master account)`),
    Flag.optional
  )

const type = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("TYPE"),
    Flag.withDescription(`${what}: SPOT, FUTURES (or FUTURE)`),
    Fallback.value("SPOT")
  )

const flags = {
  fromAccount: account("from-account", "Source"),
  toAccount: account("to-account", "Destination"),
  fromType: type("from-type", "Account type at the source"),
  toType: type("to-type", "Account type at the destination"),
  ...RangeFlags.flags,
  format,
  out
}

export const command = Command.make(
  "transfers",
  flags,
  Telemetry.command("transfers", () => import("../handlers/Transfers.ts"))
).pipe(
  Command.withDescription(
    "Print the universal transfers between two accounts, of the last 24 hours unless a range is given. Exits with 3, naming " +
      "the gap, when they are not proven complete up to the end that was asked for."
  ),
  Command.withExamples([
    {
      command: "tallystick transfers --from-account sub00001 --since 7d",
      description: "From a sub-account to the master account"
    }
  ])
)
