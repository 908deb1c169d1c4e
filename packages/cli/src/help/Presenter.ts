/** Prints help, and explains an invocation that cannot be understood. */
import * as Text from "@tallystick/report/text/Text"
import type * as CliError from "effect/cli/CliError"
import type * as CliOutput from "effect/cli/CliOutput"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Commands from "../commands/Commands.ts"
import * as Stderr from "../terminal/Stderr.ts"
import type * as TerminalStyle from "../terminal/TerminalStyle.ts"
import * as Suggestion from "../text/Suggestion.ts"
import * as Help from "./Help.ts"

/** Suggestions stand on lines of their own; an argument may hold line breaks too. */
const oneLine = (message: string): string => message.replace(/\s+(Did you mean this\?)/, ". $1").replaceAll(/\s+/g, " ")

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

const told = (error: CliError.NonShowHelpErrors): string => {
  if (error._tag === "UnrecognizedOption" && error.suggestions.length === 0) {
    const [suggestion] = Suggestion.of(error.option.replace(/^--/, "").replace(/=.*$/, ""), everywhere)
    return oneLine(suggestion === undefined ? error.message : `${error.message}\n\nDid you mean this? --${suggestion}`)
  }
  if (error._tag !== "InvalidValue") return oneLine(error.message)
  const known = choices(error.expected)
  const wanted = number(error.expected)
  if (wanted !== undefined) return oneLine(`--${error.option} cannot be "${error.value}"; ${wanted} is wanted`)
  if (known.length === 0 || error.value === "") return oneLine(error.message)
  const [suggestion] = Suggestion.of(error.value, known)
  const name = error.kind === "flag" ? `--${error.option}` : `<${error.option}>`
  const what = `${name} cannot be "${error.value}"; it is ${Text.listed(known).replace(/ and ([^ ]*)$/, " or $1")}`
  return oneLine(suggestion === undefined ? what : `${what}\n\nDid you mean this? ${suggestion}`)
}

/** Help that was asked for goes to stdout; whatever else is said about an invocation goes to stderr. */
export const make = (look: Effect.Effect<TerminalStyle.TerminalStyle>): CliOutput.Presenter => ({
  present: Effect.fnUntraced(function*(event) {
    if (event._tag === "Version") return yield* Console.log(event.version)
    if (event._tag === "Help") {
      const help = Help.render(event.helpDoc, { ...(yield* look), purposes: Commands.purposes(event.commandPath) })
      return yield* event.reason === "Requested" ? Console.log(help) : Console.error(help)
    }
    yield* Effect.forEach(event.errors, (error) => Stderr.say(`tallystick: ${told(error)}`), { discard: true })
    return yield* Stderr.say(`See ${event.commandPath.join(" ")} --help`)
  })
})
