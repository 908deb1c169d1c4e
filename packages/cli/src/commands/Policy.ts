/** `tallystick policy`: whether a policy file is valid and what it says, and what it could say. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as Fallback from "../flags/Fallback.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import { format, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Configuration from "./Configuration.ts"

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

const suggestFlags = {
  policy: InputFlags.configured("policy", "The policy in force, as JSON; without any, the defaults"),
  accounts: InputFlags.flags.accounts,
  addresses: InputFlags.flags.addresses,
  ...RangeFlags.flags,
  archiveFile: ArchiveFlag.flag,
  format,
  out
}

const suggest = Command.make(
  "suggest",
  suggestFlags,
  Telemetry.command("policy suggest", () => import("../handlers/PolicySuggest.ts"))
).pipe(
  Command.provideEffectDiscard(Configuration.checked),
  Command.withShortDescription("Say what the policy could say in place of links"),
  Command.withDescription(
    "Look at the links that people decided on and nobody revoked. Where three or more have something in common (a fee, a lag " +
      "outside of the window, two names of an asset), print what the policy would have to say so that they are matched without a " +
      "link, and what that would change in all that the archive keeps, or in a range of it " +
      "(all of which is held in memory); of several also what all of them together would. Changes neither the policy nor the ledger."
  ),
  Command.withExamples([
    { command: "tallystick policy suggest --policy policy.json", description: "Over all that the archive keeps" },
    { command: "tallystick policy suggest --since 60d --format json", description: "Over two months, for a program" }
  ])
)

export const command = Command.make("policy").pipe(
  Command.withDescription("Policies: what may belong together"),
  Command.withSubcommands([check, suggest])
)
