/** `tallystick config`: every setting, and the source of its value. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Fallback from "../flags/Fallback.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import { out } from "../flags/OutFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const as = (flag: Flag.Flag<string>, of: string) =>
  flag.pipe(Flag.withDescription(`As another command is given it: ${of}`), Flag.optional)

const flags = {
  format: Flag.Literals("format", ["table", "json"]).pipe(
    Flag.withDescription("For people or for programs"),
    Fallback.value("table")
  ),
  out,
  accounts: as(FileFlag.make("accounts"), "the sub-accounts"),
  addresses: as(FileFlag.make("addresses"), "the address book"),
  policy: as(FileFlag.make("policy"), "the policy"),
  prices: as(FileFlag.make("prices"), "the prices"),
  map: as(Flag.String("map").pipe(Flag.withMetavar("FIELD=COLUMN,…")), "the columns of files"),
  zone: as(Flag.String("zone").pipe(Flag.withMetavar("AREA/CITY")), "the zone"),
  archiveFile: as(FileFlag.archive("archive-file"), "the archive's file")
}

const show = Command.make("show", flags, Telemetry.command("config show", () => import("../handlers/Config.ts"))).pipe(
  Command.withShortDescription("Show every setting, its value, and where that comes from"),
  Command.withDescription(
    "Show every setting, its value, and where that comes from: a flag, a variable of the environment, the configuration " +
      "file, or nowhere, then it is the default. No secret is shown. Asks the service nothing; tallystick doctor does. Exits " +
      "with 0 when everything makes sense, 2 when something does not; the rest is shown all the same."
  ),
  Command.withExamples([
    { command: "tallystick config show", description: "For a person" },
    {
      command: "tallystick config show --config production.json --format json",
      description: "Of another file, for a program"
    }
  ])
)

export const command = Command.make("config").pipe(
  Command.withDescription("The configuration: flags, environment, and the file tallystick.json"),
  Command.withSubcommands([show])
)
