/** `tallystick console`: the books over HTTP, until Ctrl-C. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import { setFlagsFromString } from "node:v8"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as Fallback from "../flags/Fallback.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  host: Flag.String("host").pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Listen at this address; another one than this machine's own needs --public-origin"),
    Fallback.value("127.0.0.1")
  ),
  port: Flag.Int("port").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
    Flag.withDescription("0 for any free port"),
    Fallback.value(0)
  ),
  users: FileFlag.make("users").pipe(
    Flag.withDescription("The people who may sign in, as console token writes them; read again whenever it changed"),
    Flag.optional
  ),
  publicOrigin: Flag.String("public-origin").pipe(
    Flag.withMetavar("ORIGIN"),
    Flag.withDescription("The origin of a proxy that speaks TLS and passes requests on: https://books.example.com"),
    Flag.optional
  ),
  readOnly: Flag.Boolean("read-only").pipe(
    Flag.withDescription("Write nothing: nobody decides, closes or reopens"),
    Flag.withDefault(false)
  ),
  by: AuthorFlags.flag,
  archiveFile: ArchiveFlag.flag
}

const tokenFlags = {
  name: Argument.String("NAME").pipe(Argument.withDescription("The name that decisions will bear")),
  role: Flag.Literals("role", ["read", "decide", "approve"]).pipe(
    Flag.withDescription(
      "read: see everything; decide: also decide; approve: also approve what others proposed, close and reopen"
    )
  ),
  users: FileFlag.written("users").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("The file of the people, which is made where there is none")
  )
}

const token = Command.make(
  "token",
  tokenFlags,
  Telemetry.command("console token", () => import("../handlers/ConsoleToken.ts"))
).pipe(
  Command.withShortDescription("Make a token by which somebody signs in"),
  Command.withDescription(
    "Make a token by which somebody signs in at the console, and write its hash to the file of users. The token is printed once, to stdout, " +
      "and kept nowhere. One that the person had before ends, and all sessions that were opened with it; to take somebody out, remove the entry from the file."
  ),
  Command.withExamples([
    {
      command: "tallystick console token clerk --role decide --users users.json",
      description: "Somebody who decides"
    }
  ])
)

/**
 * A console runs for days beside other programs and answers small questions. V8 would let the space for new objects grow by tens of MB, and
 * keep them as long as somebody asks: here it stays as small as it is before the console is loaded.
 */
const load = () => {
  setFlagsFromString("--semi-space-growth-factor=1")
  return import("../handlers/Console.ts")
}

export const command = Command.make("console", flags, Telemetry.command("console", load)).pipe(
  Command.withDescription(
    "Serve the books over HTTP until Ctrl-C: what waits, runs, decisions, periods, and news of them (docs/console.md). People open its page; " +
      "programs ask the same, /docs describes what it answers, and /metrics tells monitoring what waits. Without --users it listens on this machine alone, and prints an address " +
      "that opens it once; everything that is written then bears your name. It uses no key of the exchange."
  ),
  Command.withExamples([
    { command: "tallystick console", description: "For yourself, on this machine" },
    {
      command: "tallystick console --users users.json --public-origin https://books.example.com --port 4711",
      description: "For several people, behind a proxy that speaks TLS"
    }
  ]),
  Command.withSubcommands([token])
)
