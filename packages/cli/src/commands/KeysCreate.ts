/** `tallystick keys create`: an API key for a sub-account, its secret in one place only. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as FileFlag from "../flags/FileFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  subAccount: Flag.String("sub-account").pipe(Flag.withMetavar("NAME"), Flag.withDescription("Whose key it will be")),
  permissions: Flag.String("permissions").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Names, separated by commas: SPOT_ACCOUNT_READ,SPOT_DEAL_WRITE")
  ),
  note: Flag.String("note").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription("Make it unique: by its note a key is found again whose answer was lost")
  ),
  ip: Flag.String("ip").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Addresses that the key is linked to, separated by commas; at most 20"),
    Flag.optional
  ),
  out: FileFlag.written("out").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Write the key and its secret to a new file that only you may read"),
    Flag.optional
  ),
  showSecret: Flag.Boolean("show-secret").pipe(
    Flag.withDescription("Print the key and its secret to stdout"),
    Flag.withDefault(false)
  )
}

const create = Command.make(
  "create",
  flags,
  Telemetry.command("keys create", () => import("../handlers/KeysCreate.ts"))
).pipe(
  Command.withDescription(
    "Make an API key for a sub-account. Asked for at most once: when the answer is lost, the message says how to find out " +
      "whether the key was made."
  ),
  Command.withExamples([
    {
      command:
        "tallystick keys create --sub-account sub00001 --permissions SPOT_ACCOUNT_READ --note sweeper-7 --out key.json",
      description: "Keep the secret in a new file that only you may read"
    }
  ])
)

export const command = Command.make("keys").pipe(
  Command.withDescription("API keys of sub-accounts"),
  Command.withSubcommands([create])
)
