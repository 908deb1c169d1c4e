/** `tallystick policy check`: whether a policy file is valid, and what it says. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Fallback from "../flags/Fallback.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import { out } from "../flags/OutFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  file: FileFlag.argument("file").pipe(
    Argument.withDescription("The policy, as JSON; - is stdin")
  ),
  format: Flag.Literals("format", ["text", "json"]).pipe(
    Flag.withDescription("In words, or as JSON with every default filled in"),
    Fallback.value("text")
  ),
  deposits: InputFlags.file("deposits", "With --transfers: count what the policy finds there by chance alone"),
  transfers: InputFlags.file("transfers", "With --deposits"),
  map: InputFlags.map,
  accounts: InputFlags.file("accounts", "With the files: sub-accounts, as `reconcile` reads them"),
  addresses: InputFlags.file("addresses", "With the files: whose a deposit address is, as `reconcile` reads them"),
  out
}

const check = Command.make(
  "check",
  flags,
  Telemetry.command("policy check", () => import("../handlers/PolicyCheck.ts"))
).pipe(
  Command.withShortDescription("Check a policy file, and say in words what it allows"),
  Command.withDescription(
    "Check a policy file, and say in words what it allows: every setting, whether the file says it or not. Exits with 0 " +
      "when the policy is valid, 2 when not; then every mistake is named with its place."
  ),
  Command.withExamples([
    { command: "tallystick policy check policy.json", description: "In words" },
    { command: "echo {} | tallystick policy check - --format json", description: "The defaults" }
  ])
)

export const command = Command.make("policy").pipe(
  Command.withDescription("Policies: what may belong together"),
  Command.withSubcommands([check])
)
