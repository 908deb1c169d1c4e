/** The command: its subcommands, and what becomes of their failures. */
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Archive from "./commands/Archive.ts"
import * as Backtest from "./commands/Backtest.ts"
import * as Demo from "./commands/Demo.ts"
import * as Deposits from "./commands/Deposits.ts"
import * as Doctor from "./commands/Doctor.ts"
import * as Export from "./commands/Export.ts"
import * as Import from "./commands/Import.ts"
import * as KeysCreate from "./commands/KeysCreate.ts"
import * as PolicyCheck from "./commands/PolicyCheck.ts"
import * as Reconcile from "./commands/Reconcile.ts"
import * as Runs from "./commands/Runs.ts"
import * as Sandbox from "./commands/Sandbox.ts"
import * as Show from "./commands/Show.ts"
import * as Sync from "./commands/Sync.ts"
import * as Transfers from "./commands/Transfers.ts"
import * as Failure from "./Failure.ts"
import * as Notice from "./Notice.ts"
import * as Telemetry from "./Telemetry.ts"

export const VERSION = "0.0.0"

const root = Command.make("tallystick").pipe(
  Command.withDescription(
    "Match the deposits of a broker's sub-accounts with the transfers that moved them, and report every discrepancy. " +
      "Reads TALLYSTICK_BASE_URL, TALLYSTICK_API_KEY and TALLYSTICK_SECRET_KEY. Exports traces, metrics and logs by OTLP where " +
      "OTEL_EXPORTER_OTLP_ENDPOINT says so. Exit codes: 0 clean, 1 not clean, 2 usage " +
      "or configuration, 3 could not finish, 130 interrupted."
  ),
  Command.withSubcommands([
    Demo.command,
    Reconcile.command,
    Backtest.command,
    Deposits.command,
    Transfers.command,
    Sync.command,
    Import.command,
    Export.command,
    Archive.command,
    Runs.command,
    Show.command,
    PolicyCheck.command,
    KeysCreate.command,
    Doctor.command,
    Sandbox.command
  ])
)

/** Suggestions stand on lines of their own; an argument may hold line breaks too. */
const oneLine = (message: string): string => message.replace(/\s+(Did you mean this\?)/, ". $1").replaceAll(/\s+/g, " ")

const ofItself = new Set(["--help", "-h", "--version", "-v", "--completions"])

/** Whether the command is asked what it is: then there is nothing to watch. */
const isAboutItself = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return args.slice(0, end < 0 ? args.length : end).some((arg) => ofItself.has(arg.replace(/=.*/, "")))
}

/** Help that was asked for goes to stdout; whatever else is said about an invocation goes to stderr. */
const presenter: CliOutput.Presenter = {
  present: Effect.fnUntraced(function*(event) {
    const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
    const formatter = CliOutput.defaultFormatter({ colors: canColor })
    if (event._tag === "Version") yield* Console.log(event.version)
    else if (event._tag === "Help") {
      const help = formatter.formatHelpDoc(event.helpDoc)
      yield* event.reason === "Requested" ? Console.log(help) : Console.error(help)
    } else {
      yield* Effect.forEach(
        event.errors,
        ({ message }) => Notice.say(`tallystick: ${oneLine(message)}`),
        {
          discard: true
        }
      )
      yield* Notice.say(`See ${event.commandPath.join(" ")} --help`)
    }
  })
}

const internal = (defect: unknown): Failure.Failure =>
  Failure.unfinished(
    `internal error: ${defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect)}`
  )

/** Runs the command with these arguments. A failure has been told on stderr when it comes out; it carries the exit code. */
export const run = (args: ReadonlyArray<string>) =>
  Command.runWith(root, { version: VERSION })(args).pipe(
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.catchIf(CliError.isCliError, () => Effect.fail(Failure.usage(""))),
    Effect.catchDefect((defect) => Effect.fail(internal(defect))),
    Effect.tapError(({ message, more }) =>
      message === "" ? Effect.void : Notice.tell(`tallystick: ${message}`, ...more)
    ),
    isAboutItself(args) ? (self) => self : Telemetry.exported(VERSION),
    Effect.provide(Notice.layerLogger)
  )
