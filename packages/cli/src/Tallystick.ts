/** The command: its subcommands, and what becomes of their failures. */
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Commands from "./Commands.ts"
import * as Failure from "./Failure.ts"
import * as Notice from "./Notice.ts"
import * as Telemetry from "./Telemetry.ts"

export const VERSION = "0.1.0"

const root = Command.make("tallystick").pipe(
  Command.withDescription(
    "Match the deposits of a broker's sub-accounts with the transfers that moved them, and report every discrepancy. " +
      "Reads TALLYSTICK_BASE_URL, TALLYSTICK_API_KEY and TALLYSTICK_SECRET_KEY. Exports traces, metrics and logs by OTLP where " +
      "OTEL_EXPORTER_OTLP_ENDPOINT says so. Exit codes: 0 clean, 1 not clean, 2 usage " +
      "or configuration, 3 could not finish, 130 interrupted."
  )
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
  Effect.flatMap(
    Commands.named(args),
    (commands) => Command.runWith(Command.withSubcommands(root, commands), { version: VERSION })(args)
  ).pipe(
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.catchIf(CliError.isCliError, () => Effect.fail(Failure.usage(""))),
    Effect.catchDefect((defect) => Effect.fail(internal(defect))),
    Effect.tapError(({ message, more }) =>
      message === "" ? Effect.void : Notice.tell(`tallystick: ${message}`, ...more)
    ),
    isAboutItself(args) ? (self) => self : Telemetry.exported(VERSION),
    Effect.provide(Notice.layerLogger)
  )
