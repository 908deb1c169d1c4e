/** `tallystick keys`: an API key for a sub-account, its secret in one place only, and the keys that there are. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as FileFlag from "../flags/FileFlag.ts"
import { out, sheetFormat } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const createFlags = {
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
  createFlags,
  Telemetry.command("keys create", () => import("../handlers/KeysCreate.ts"))
).pipe(
  Command.withShortDescription("Make an API key for a sub-account"),
  Command.withDescription(
    "Make an API key for a sub-account. Asked for at most once: when the answer is lost, the message says whether the " +
      "exchange lists a key with this note, where it can be asked, and else how to find out."
  ),
  Command.withExamples([
    {
      command:
        "tallystick keys create --sub-account sub00001 --permissions SPOT_ACCOUNT_READ --note sweeper-7 --out key.json",
      description: "Keep the secret in a new file that only you may read"
    }
  ])
)

const listFlags = {
  subAccount: Flag.String("sub-account").pipe(Flag.withMetavar("NAME"), Flag.withDescription("Whose keys")),
  format: sheetFormat,
  out,
  zone: RangeFlags.flags.zone
}

const list = Command.make(
  "list",
  listFlags,
  Telemetry.command("keys list", () => import("../handlers/KeysList.ts"))
).pipe(
  Command.withShortDescription("Print the API keys of a sub-account"),
  Command.withDescription(
    "Print the API keys of a sub-account as the exchange lists them, without their secrets, which nobody can get again. Nothing " +
      "proves that the list is whole."
  ),
  Command.withExamples([
    { command: "tallystick keys list --sub-account sub00001", description: "With notes, permissions and addresses" }
  ])
)

export const command = Command.make("keys").pipe(
  Command.withDescription("API keys of sub-accounts"),
  Command.withSubcommands([create, list])
)
