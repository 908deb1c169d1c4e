/** The command: its subcommands, and what becomes of their failures. */
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Stdio from "effect/Stdio"
import type * as Terminal from "effect/Terminal"
import * as Commands from "./commands/Commands.ts"
import * as Configured from "./config/Configured.ts"
import * as Search from "./config/Search.ts"
import * as StrictFlag from "./config/StrictFlag.ts"
import * as Failure from "./Failure.ts"
import * as FileUse from "./files/FileUse.ts"
import * as ConfigFlag from "./flags/ConfigFlag.ts"
import * as SecretArgument from "./flags/SecretArgument.ts"
import * as CompletionsFlag from "./help/CompletionsFlag.ts"
import * as Presenter from "./help/Presenter.ts"
import * as Telemetry from "./network/Telemetry.ts"
import * as Progress from "./terminal/Progress.ts"
import * as QuietFlag from "./terminal/QuietFlag.ts"
import * as Stamp from "./terminal/Stamp.ts"
import * as Stderr from "./terminal/Stderr.ts"
import * as TerminalStyle from "./terminal/TerminalStyle.ts"
import { VERSION } from "./text/Version.ts"

export { VERSION }

const root = Command.make("tallystick").pipe(
  Command.withDescription(
    "Match the deposits of a broker's sub-accounts with the transfers that moved them, and report every break. " +
      "Reads TALLYSTICK_BASE_URL, TALLYSTICK_API_KEY and TALLYSTICK_SECRET_KEY, and the file tallystick.json. Exports traces, " +
      "metrics and logs by OTLP where OTEL_EXPORTER_OTLP_ENDPOINT says so. Exit codes: 0 clean, 1 not clean, 2 usage or " +
      "configuration, 3 could not finish, 130 interrupted."
  ),
  Command.withExamples([
    { command: "tallystick demo", description: "What a report is worth, without an exchange" },
    { command: "tallystick doctor", description: "Whether everything is in place" },
    { command: "tallystick reconcile --help", description: "The flags of a command" }
  ])
)

const ofItself = new Set(["--help", "-h", "--version", "-v", "--completions"])

/** Whether the command is asked what it is: then there is nothing to watch. */
const isAboutItself = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return args.slice(0, end < 0 ? args.length : end).some((arg) => ofItself.has(arg.replace(/=.*/, "")))
}

/** How wide help is where it goes to no terminal. */
const WIDTH = 80

const internal = (defect: unknown): Failure.Failure =>
  Failure.unfinished(
    `internal error: ${defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect)}`
  )

/** Without the wizard of effect/cli, whose questions would stand among results on stdout. */
const cliConfig = CliConfig.make({
  builtIns: [GlobalFlag.Help, GlobalFlag.Version, CompletionsFlag.completions, GlobalFlag.LogLevel]
})

/** The flags of a command and of its subcommands that take a value. */
const taking = ({ flags, subcommands }: Completions.CommandDescriptor): ReadonlyArray<string> => [
  ...flags.filter(({ type }) => type._tag !== "Boolean").map(({ name }) => `--${name}`),
  ...subcommands.flatMap(taking)
]

/** Every command takes these flags; no command lists them with its own. */
const everywhere: ReadonlyArray<string> = ["--config", "--log-level", "--completions"]

/**
 * Refuses what begins with a dash where a value is wanted: effect/cli takes the `-3h` of `--since -3h` for `-h`, prints
 * the help and ends well.
 */
const checkValues = (command: Command.Command.Any, args: ReadonlyArray<string>) => {
  const flags = new Set([...taking(Completions.fromCommand(command)), ...everywhere])
  const end = args.indexOf("--")
  const own = end < 0 ? args : args.slice(0, end)
  const at = own.findIndex((arg, index) => /^-(?![\d.]+$|\d+\.\.)./.test(arg) && flags.has(own[index - 1] ?? ""))
  const [flag, value] = [own[at - 1], own[at]]
  return flag === undefined || value === undefined ? Effect.void : Effect.fail(
    Failure.usage(
      `${flag} lacks its value: what follows it, ${value}, begins with a dash; where that is meant, write ${flag}=${value}`
    )
  )
}

/** The command with the subcommands that these arguments need, and with the flags of every command. */
const parsed = (args: ReadonlyArray<string>) =>
  Effect.flatMap(Commands.named(args), (commands) => {
    const whole = root.pipe(
      Command.withSubcommands(commands),
      Command.withGlobalFlags([ConfigFlag.config, StrictFlag.strict, QuietFlag.quiet])
    )
    return SecretArgument.none(args).pipe(
      Effect.andThen(checkValues(whole, args)),
      Effect.andThen(Command.runWith(whole, { version: VERSION })(args))
    )
  })

/** Help and version do not depend on the configuration. */
const configured = (args: ReadonlyArray<string>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  isAboutItself(args) ? effect : ConfigFlag.named(args).pipe(
    Effect.flatMap(Search.find),
    Effect.flatMap((file) => Configured.withFile(file)(Telemetry.exported(VERSION)(effect)))
  )

/** `--day -2` and `--day -2..-1` are days before today: effect/cli would take what begins with a dash for a flag. */
const joined = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, index) => {
    const isDays = (text: string | undefined): boolean => /^-\d/.test(text ?? "")
    if (arg === "--day" && isDays(args[index + 1])) return [`--day=${args[index + 1]}`]
    return isDays(arg) && args[index - 1] === "--day" ? [] : [arg]
  })

/** `help sync` is `sync --help`, and `version` is `--version`, as people are used to. */
const meant = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = args
  if (first === "help") return [...rest, "--help"]
  return first === "version" && rest.length === 0 ? ["--version"] : args
}

const told = (args: ReadonlyArray<string>) =>
  parsed(args).pipe(
    FileUse.noted,
    Progress.shown,
    Effect.provideServiceEffect(
      CliOutput.Presenter,
      Effect.contextWith((context: Context.Context<Stdio.Stdio | Terminal.Terminal>) =>
        Effect.succeed(Presenter.make(Effect.provideContext(TerminalStyle.ofStdout(WIDTH), context)))
      )
    ),
    Effect.provideService(CliConfig.CliConfig, cliConfig),
    Effect.provideServiceEffect(TerminalCapabilities.TerminalCapabilities, TerminalStyle.capabilities),
    Effect.catchIf(CliError.isCliError, () => Effect.fail(Failure.usage(""))),
    Effect.catchDefect((defect) => Effect.fail(internal(defect))),
    Effect.tapError(({ message, more }) =>
      message === "" ? Effect.void : Stderr.complain(`tallystick: ${message}`, ...more)
    ),
    configured(args),
    // A defect around the command: Node's own exit code, 1, would say that the books do not agree.
    Effect.catchDefect((defect) => {
      const failure = internal(defect)
      return Effect.andThen(Stderr.complain(`tallystick: ${failure.message}`), Effect.fail(failure))
    }),
    Effect.provide(Stderr.layerLogger),
    Stamp.within
  )

/** Runs the command with these arguments. A failure has been told on stderr when it comes out; it carries the exit code. */
export const run = (args: ReadonlyArray<string>) => told(joined(meant(args)))
