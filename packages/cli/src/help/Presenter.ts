/** Prints help, and explains an invocation that cannot be understood. */
import * as Text from "@tallystick/report/text/Text"
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import type * as HelpDoc from "effect/cli/HelpDoc"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Commands from "../commands/Commands.ts"
import * as ReportFormat from "../config/ReportFormat.ts"
import * as Stderr from "../terminal/Stderr.ts"
import type * as TerminalStyle from "../terminal/TerminalStyle.ts"
import * as Suggestion from "../text/Suggestion.ts"
import * as Help from "./Help.ts"

/** The longest message about an invocation: it may repeat every one of thousands of arguments. */
const LONGEST = 400

/** Suggestions stand on lines of their own; an argument may hold line breaks too. */
const oneLine = (message: string): string => {
  const line = message.replace(/\s+(Did you mean this\?)/, ". $1").replaceAll(/\s+/g, " ")
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`
}

/** The values that a flag takes, as far as they are told: `Expected: "table" | "json"`. */
const choices = (expected: string): ReadonlyArray<string> =>
  Array.from(expected.matchAll(/"([^"]*)"(?= \||$)/g), ([, choice = ""]) => choice)

/** The wanted number in plain words. */
const number = (expected: string): string | undefined => {
  const [, least, most] = /Expected a value between (-?\d+) and (\d+)$/.exec(expected) ?? []
  if (least !== undefined && most !== undefined) return `a whole number from ${least} to ${most}`
  return /^Expected (?:an integer|a string representing a finite number)$/.test(expected) ? "a whole number" : undefined
}

/** Effect suggests only flags of the command itself. */
const everywhere = ["help", "version", "completions", "log-level", "config", "strict", "quiet"]

/** The message with what may have been meant behind it. */
const suggesting = (message: string, meant: ReadonlyArray<string>): string =>
  oneLine(meant.length === 0 ? message : `${message}\n\nDid you mean this? ${meant.join(" or ")}`)

/** The known values that may be meant: a form of reports also by the ending of its files. */
const meant = ({ option, value }: CliError.InvalidValue, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const form = option === "format" ? ReportFormat.ofEnding(value.toLowerCase()) : undefined
  return form !== undefined && known.includes(form) ? [form] : Suggestion.of(value, known)
}

const subcommandsOf = ({ subcommands = [] }: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  subcommands.flatMap(({ commands }) => commands.map(({ name }) => name))

const told = (error: CliError.NonShowHelpErrors, doc: HelpDoc.HelpDoc): string => {
  if (error._tag === "UnrecognizedOption" && error.suggestions.length === 0) {
    const flags = [...doc.flags.map(({ name }) => name), ...everywhere]
    const near = Suggestion.of(error.option.replace(/^--/, "").replace(/=.*$/, ""), flags)
    return suggesting(error.message, near.map((name) => `--${name}`))
  }
  if (error._tag === "UnknownSubcommand" && error.suggestions.length === 0) {
    return suggesting(error.message, Suggestion.of(error.subcommand, subcommandsOf(doc)))
  }
  if (error._tag !== "InvalidValue") return oneLine(error.message)
  const known = choices(error.expected)
  const wanted = number(error.expected)
  if (wanted !== undefined) return oneLine(`--${error.option} cannot be "${error.value}"; ${wanted} is wanted`)
  if (known.length === 0 || error.value === "") return oneLine(error.message)
  const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
  const what = `${name} cannot be "${error.value}"; it is ${Text.listed(known).replace(/ and ([^ ]*)$/, " or $1")}`
  return suggesting(what, meant(error, known))
}

/** Help that was asked for goes to stdout; whatever else is said about an invocation goes to stderr. */
export const make = (look: Effect.Effect<TerminalStyle.TerminalStyle>): CliOutput.Presenter => ({
  present: Effect.fnUntraced(function*(event) {
    if (event._tag === "Version") return yield* Console.log(event.version)
    if (event._tag === "Help") {
      const help = Help.render(event.helpDoc, { ...(yield* look), purposes: Commands.purposes(event.commandPath) })
      return yield* event.reason === "Requested" ? Console.log(help) : Console.error(help)
    }
    yield* Effect.forEach(event.errors, (error) => Stderr.say(`tallystick: ${told(error, event.helpDoc)}`), {
      discard: true
    })
    return yield* Stderr.say(`See ${event.commandPath.join(" ")} --help`)
  })
})
