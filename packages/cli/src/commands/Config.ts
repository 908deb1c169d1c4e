/** `tallystick config`: every setting, and the source of its value. */
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Overview from "../config/Overview.ts"
import * as OverviewText from "../config/OverviewText.ts"
import * as StrictFlag from "../config/StrictFlag.ts"
import * as Failure from "../Failure.ts"
import * as Fallback from "../flags/Fallback.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import { out } from "../flags/OutFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as TerminalStyle from "../terminal/TerminalStyle.ts"

/** How wide the table is where it goes to no terminal. */
const WIDTH = 100

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
  zone: as(Flag.String("zone").pipe(Flag.withMetavar("AREA/CITY")), "the zone"),
  archiveFile: as(FileFlag.archive("archive-file"), "the archive's file")
}

interface Flags extends Readonly<Record<Exclude<keyof typeof flags, "format">, Option.Option<string>>> {
  readonly format: "table" | "json"
}

const run = Effect.fnUntraced(function*({ archiveFile, format, out, ...inputs }: Flags) {
  yield* Output.ready(out)
  const strict = (yield* StrictFlag.isGiven) ? Option.some("true") : Option.none()
  const overview = yield* Overview.make({ ...inputs, "archive-file": archiveFile, strict })
  const text = format === "json"
    ? `${SafeJson.stringify(overview, 2)}\n`
    : OverviewText.render(
      overview,
      Option.isSome(out) ? { width: WIDTH, color: false } : yield* TerminalStyle.ofStdout(WIDTH)
    )
  yield* Output.write(out, Stream.make(text))
  if (!Overview.isSound(overview)) return yield* Failure.usage("the configuration is not as it should be")
  return yield* Effect.flatMap(OpenFiles.configuration, OpenFiles.judged)
})

const show = Command.make("show", flags, Telemetry.command("config show", run)).pipe(
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
