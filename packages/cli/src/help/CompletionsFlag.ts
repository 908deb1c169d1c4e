/** `--completions SHELL`: a script that a shell reads once, and completes every command, flag and value by. */
import * as Completions from "effect/cli/Completions"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const shells = ["bash", "zsh", "fish"] as const

/** Effect's generator knows the flags of each command; these are accepted by all of them. */
const everywhere: ReadonlyArray<Completions.FlagDescriptor> = [
  {
    name: "config",
    aliases: [],
    description: "The configuration file",
    type: { _tag: "Path", pathType: "file" }
  },
  {
    name: "strict",
    aliases: [],
    description: "Refuse key files that others may read",
    type: { _tag: "Boolean" },
    negation: false
  },
  { name: "quiet", aliases: ["q"], description: "Say nothing but errors", type: { _tag: "Boolean" }, negation: false },
  {
    name: "log-level",
    aliases: [],
    description: "The least that is logged",
    type: { _tag: "Choice", values: ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] }
  },
  { name: "help", aliases: ["h"], description: "Show help", type: { _tag: "Boolean" }, negation: false }
]

const atTheTop: ReadonlyArray<Completions.FlagDescriptor> = [
  { name: "version", aliases: ["v"], description: "Show the version", type: { _tag: "Boolean" }, negation: false },
  {
    name: "completions",
    aliases: [],
    description: "Print a completion script",
    type: { _tag: "Choice", values: shells }
  }
]

/** Flags whose values are words of a list, though effect/cli takes any text for them. */
type Words = Readonly<Record<string, ReadonlyArray<string>>>

const withWords = (words: Words) => (flag: Completions.FlagDescriptor): Completions.FlagDescriptor => {
  const values = words[flag.name]
  return values === undefined ? flag : { ...flag, type: { _tag: "Choice", values } }
}

const withFlags = (
  command: Completions.CommandDescriptor,
  words: Words,
  flags: ReadonlyArray<Completions.FlagDescriptor> = []
): Completions.CommandDescriptor => ({
  ...command,
  flags: [...command.flags.map(withWords(words)), ...everywhere, ...flags],
  subcommands: command.subcommands.map((subcommand) => withFlags(subcommand, words))
})

/** Effect's script for bash completes the value behind `--format `, and not behind `--format=`. */
const behindEquals = (script: string): string =>
  script.replaceAll(
    "  # Flag value completions\n",
    (line) =>
      `  if [[ "$cur" == --*=* ]]; then
    prev="\${cur%%=*}" cur="\${cur#*=}"
    [[ "$cur" == *"$_comp_word" ]] || _comp_word="$cur"
  fi

${line}`
  )

/** Fish takes every word for a command that is no flag, the value of a flag too: only the commands themselves are. */
const atTheTopOf = (script: string, { name, subcommands }: Completions.CommandDescriptor): string => {
  const known = subcommands.map(({ name }) => name).join(" ")
  const told = `function __${name}_needs_command\n  not __fish_seen_subcommand_from ${known}\nend\n\n`
  return told + script.replaceAll("__fish_use_subcommand", `__${name}_needs_command`)
}

/** Effect's script for fish takes the `show` of `config show` for the command `show`, and offers its flags too. */
const toldApart = (script: string, { subcommands }: Completions.CommandDescriptor): string =>
  subcommands.reduce((told, { name }) => {
    const parents = subcommands.filter(({ subcommands }) => subcommands.some((nested) => nested.name === name))
    const begin = `-n '__fish_seen_subcommand_from ${name}`
    const isNone = `not __fish_seen_subcommand_from ${parents.map(({ name }) => name).join(" ")}`
    return parents.length === 0 ? told : told.replaceAll(
      new RegExp(`${begin}(?=[;'])`, "g"),
      begin.replace("__fish", `${isNone}; and __fish`)
    )
  }, script)

/** The words that flags take which are not listed where help is made. */
const words = Effect.map(
  Effect.promise(() => Promise.all([import("../flags/FailOn.ts"), import("../flags/Only.ts")])),
  ([failOn, only]) => ({ "fail-on": failOn.words, only: only.words })
)

const scriptFor = (shell: Completions.Shell, command: Completions.CommandDescriptor): string => {
  const script = Completions.generate(command.name, shell, command)
  if (shell === "bash") return behindEquals(script)
  return shell === "fish" ? atTheTopOf(toldApart(script, command), command) : script
}

export const completions: typeof GlobalFlag.Completions = GlobalFlag.Action({
  flag: Flag.ChoiceWithValue("completions", shells.map((shell): readonly [string, Completions.Shell] => [shell, shell]))
    .pipe(
      Flag.withMetavar("SHELL"),
      Flag.withDescription("Print a script by which bash, zsh or fish completes commands, flags, values and files"),
      Flag.optional
    ),
  run: (shell, { command }) =>
    Option.match(shell, {
      onNone: () => Effect.void,
      onSome: (shell) =>
        Effect.flatMap(
          words,
          (words) => Console.log(scriptFor(shell, withFlags(Completions.fromCommand(command), words, atTheTop)))
        )
    })
})
