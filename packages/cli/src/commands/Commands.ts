/**
 * The subcommands, each with the line that the list of all of them gives it. A command is loaded only where it is named:
 * the list and the other commands need nothing else of it.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type * as Setting from "../config/Setting.ts"
import * as FileUse from "../files/FileUse.ts"
import * as QuietFlag from "../terminal/QuietFlag.ts"
import * as Stamp from "../terminal/Stamp.ts"
import * as Configuration from "./Configuration.ts"

/** Commands that look at the configuration file themselves, also when something is wrong with it. */
const lookers: ReadonlySet<string> = new Set(["doctor", "config"])

/** Commands that ask nothing of it, or of whose subcommands one does: what lies in the folder does not stop them. */
const strangers: ReadonlySet<string> = new Set(["demo", "policy", "sandbox"])

/** Commands that a timer or a supervisor starts: where nobody watches, what they say is a log. */
const loggers: ReadonlySet<string> = new Set(["cluster", "console", "sync"])

const entry = <const Name extends string, Input, Context, E, R>(
  name: Name,
  summary: string,
  load: () => Promise<{ readonly command: Command.Command<Name, Input, Context, E, R> }>,
  reads: ReadonlyArray<Setting.Purpose> = []
) => {
  const summarised = Command.withShortDescription(summary)
  return {
    name,
    reads,
    stub: summarised(Command.make(name)),
    loaded: Effect.map(Effect.promise(load), ({ command }) =>
      summarised(command).pipe(
        Command.provideEffectDiscard(FileUse.checked),
        Command.provideEffectDiscard(lookers.has(name) || strangers.has(name) ? Effect.void : Configuration.checked),
        Command.provideEffectDiscard(loggers.has(name) ? Stamp.ofLog : Effect.void),
        Command.provideEffect(References.MinimumLogLevel, QuietFlag.logLevel)
      ))
  }
}

const entries = [
  entry(
    "demo",
    "Show what a report is worth, on a history whose truth is known",
    () => import("./Demo.ts")
  ),
  entry(
    "reconcile",
    "Match transfers with deposits and report every break",
    () => import("./Reconcile.ts"),
    ["service", "archive", "notices"]
  ),
  entry("backtest", "Show what another policy would change", () => import("./Backtest.ts"), ["archive"]),
  entry("deposits", "Print the service's deposit records", () => import("./Deposits.ts"), ["service"]),
  entry(
    "transfers",
    "Print the service's universal transfers of one pair of accounts",
    () => import("./Transfers.ts"),
    ["service"]
  ),
  entry("accounts", "Print the service's list of sub-accounts", () => import("./Accounts.ts"), ["service"]),
  entry(
    "sync",
    "Read into the archive what it lacks, before the service forgets it",
    () => import("./Sync.ts"),
    ["service", "archive", "notices"]
  ),
  entry(
    "import",
    "Put old exports of the service's records into the archive",
    () => import("./Import.ts"),
    ["archive"]
  ),
  entry("export", "Print what the archive keeps", () => import("./Export.ts"), ["archive"]),
  entry("archive", "The archive: what is in it, and whose it is", () => import("./Archive.ts")),
  entry("runs", "List the reconciliations that the archive remembers", () => import("./Runs.ts"), ["archive"]),
  entry(
    "show",
    "Print a recorded run, or an outcome and the runs that came to it",
    () => import("./Show.ts"),
    ["archive"]
  ),
  entry("open", "List what waits in the books, the earliest first", () => import("./Open.ts"), ["archive"]),
  entry("diff", "Tell what became of entries from one run to another", () => import("./Diff.ts"), ["archive"]),
  entry("item", "Tell what the books say of an item or an entry", () => import("./Item.ts"), ["archive"]),
  entry(
    "decide",
    "Say what belongs together, what does not, and what is no business of the books",
    () => import("./Decide.ts"),
    ["archive"]
  ),
  entry("decisions", "List what was decided, by whom and why", () => import("./Decisions.ts"), ["archive"]),
  entry("undo", "Take your own last decision back", () => import("./Undo.ts"), ["archive"]),
  entry("close", "Close the books up to the end of a day", () => import("./Close.ts"), ["archive"]),
  entry("reopen", "Take the last close back", () => import("./Reopen.ts"), ["archive"]),
  entry("periods", "List what was closed, and whether it still stands", () => import("./Periods.ts"), ["archive"]),
  entry("site", "Write the books as pages: days, ageing and items", () => import("./Site.ts"), ["archive"]),
  entry("console", "Serve the books over HTTP, to programs", () => import("./Console.ts"), ["archive"]),
  entry(
    "cluster",
    "Reconciliations as jobs that several machines share",
    () => import("./Cluster.ts"),
    ["service", "archive", "notices"]
  ),
  entry("policy", "Policies: what may belong together", () => import("./Policy.ts"), ["archive"]),
  entry("keys", "API keys of sub-accounts", () => import("./Keys.ts"), ["service"]),
  entry("config", "Show what is configured, and by whom", () => import("./Config.ts")),
  entry(
    "doctor",
    "Say what is wrong with configuration, service, key and files, and what to do",
    () => import("./Doctor.ts"),
    ["service", "archive"]
  ),
  entry("sandbox", "Run the exchange as a local server, to try things", () => import("./Sandbox.ts"))
] as const

/** The settings that the command of this path reads beside its flags, by purpose. */
export const purposes = ([, name]: ReadonlyArray<string>): ReadonlyArray<Setting.Purpose> =>
  entries.find((entry) => entry.name === name)?.reads ?? []

/** Arguments that need the flags of every command. */
const needsAll = (arg: string): boolean => /^--completions(=|$)/.test(arg)

/** All subcommands, of which only those that the arguments name know more than their name and their line. */
export const named = (args: ReadonlyArray<string>) => {
  const isAll = args.some(needsAll)
  return Effect.all(
    entries.map(({ loaded, name, stub }) => isAll || args.includes(name) ? loaded : Effect.succeed(stub))
  )
}
