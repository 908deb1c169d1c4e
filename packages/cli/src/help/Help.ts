/** Help for a command, as text that fits a terminal. */
import * as Style from "@tallystick/report/text/Style"
import * as Text from "@tallystick/report/text/Text"
import type * as HelpDoc from "effect/cli/HelpDoc"
import * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import type * as TerminalStyle from "../terminal/TerminalStyle.ts"

export interface Options extends TerminalStyle.TerminalStyle {
  /** The purposes of the settings that the command reads beside its flags. */
  readonly purposes: ReadonlyArray<Setting.Purpose>
}

/** Lines longer than this tire the eye, however wide the terminal is. */
const WIDEST = 100

const INDENT = "  "

/** Names longer than this have their explanation below them. */
const LONGEST_NAME = 26

interface Row {
  readonly name: string
  readonly text: string
}

const lines = (rows: ReadonlyArray<Row>, { color, width }: TerminalStyle.TerminalStyle): ReadonlyArray<string> => {
  const style = color ? Style.colored : Style.none
  const column = Math.min(LONGEST_NAME, Math.max(0, ...rows.map(({ name }) => Text.width(name)))) + INDENT.length
  const indent = INDENT.length + column
  return rows.flatMap(({ name, text }) => {
    const [first = "", ...rest] = Text.wrap(text, Math.max(20, width - indent))
    const below = rest.map((line) => " ".repeat(indent) + line)
    return Text.width(name) + INDENT.length > column
      ? [INDENT + style.strong(name), " ".repeat(indent) + first, ...below]
      : [`${INDENT}${style.strong(name)}${" ".repeat(column - Text.width(name))}${first}`, ...below]
  }).map((line) => line.trimEnd())
}

/** The placeholder of a value. */
const placeholder = (type: string): string => (isName.test(type) ? "NAME" : type === "integer" ? "NUMBER" : type)

/** Of a choice, whose values stand behind the description. */
const isName = /^(?:choice|<.*>)$/

const flagRow = ({ aliases, description, name, required, type }: HelpDoc.FlagDoc): Row => ({
  name: [`--${name}`, ...aliases].join(", ") + (type === "boolean" ? "" : ` ${placeholder(type)}`),
  text: Option.getOrElse(description, () => "").replace(/\(choices: ([^)]*)\)$/, "[$1]") +
    (required ? " (required)" : "")
})

/** Flags that make sense without a command. */
const atTheRoot: ReadonlySet<string> = new Set(["version", "completions"])

const argumentRow = ({ description, required, type }: HelpDoc.ArgDoc): Row => ({
  name: type,
  text: Option.getOrElse(description, () => "") + (required ? " (required)" : "")
})

/** The reference tells the rest. */
const inShort = (meaning: string): string => meaning.split(/[;.] /)[0] ?? meaning

const settingRow = ({ fallback, meaning, variable }: Setting.Setting): Row => ({
  name: variable,
  text: inShort(meaning) + (fallback === undefined ? "" : ` (default: ${fallback})`)
})

/** A setting with a flag of its own is told beside the flag. */
const environment = (purposes: ReadonlyArray<Setting.Purpose>): ReadonlyArray<Setting.Setting> =>
  Setting.settings.filter(({ purpose }) => purposes.includes(purpose))

const rare = (settings: ReadonlyArray<Setting.Setting>): ReadonlyArray<Row> =>
  settings.length === 0 ? [] : [{
    name: "…",
    text: `and seldom ${Text.listed(settings.map(({ variable }) => variable))}; tallystick config show tells all of ` +
      "them, and what is in force"
  }]

/** Stands between words that belong together while lines are broken. */
const BOND = "\u00a0"

/** The flags of every command, explained at the root. */
const everywhere = (
  { commandPath = [], globalFlags = [] }: HelpDoc.HelpDoc,
  table: (rows: ReadonlyArray<Row>) => ReadonlyArray<string>,
  width: number
): ReadonlyArray<string> => {
  if (commandPath.length < 2) return table(globalFlags.map(flagRow))
  const names = globalFlags.filter(({ name }) => !atTheRoot.has(name)).map(({ name }) => `--${name}`)
  const told = `Also ${Text.listed(names)}: see ${commandPath[0]}${BOND}--help`
  return ["", ...Text.paragraph(INDENT, told, width).map((line) => line.replaceAll(BOND, " "))]
}

/** A command line in several, as a shell reads them; a flag and its value stay together. */
const commandLines = (command: string, width: number): ReadonlyArray<string> => {
  const bound = command.replaceAll(/(--[\w-]+) (?!-)/g, `$1${BOND}`)
  const parts = Text.wrap(bound, width - 2 * INDENT.length - " \\".length)
  return parts.map((part, index) =>
    `${index === 0 ? "" : INDENT}${INDENT}${part.replaceAll(BOND, " ")}${index === parts.length - 1 ? "" : " \\"}`
  )
}

const exampleLines = (
  { command, description }: HelpDoc.ExampleDoc,
  isFirst: boolean,
  width: number
): ReadonlyArray<string> => {
  const title = description === undefined ? [] : Text.paragraph(`${INDENT}# `, description, width)
  const lines = [...title, ...commandLines(command, width)]
  return isFirst ? lines : ["", ...lines]
}

/** A command with flags of its own does something without a subcommand too. */
const usage = ({ flags, usage }: HelpDoc.HelpDoc): string =>
  flags.length === 0 ? usage : usage.replace("<subcommand>", "[subcommand]")

/** One text, without a line break at its end. */
export const render = (doc: HelpDoc.HelpDoc, options: Options): string => {
  const width = Math.min(options.width, WIDEST)
  const style = options.color ? Style.colored : Style.none
  const section = (title: string, content: ReadonlyArray<string>): ReadonlyArray<string> =>
    content.length === 0 ? [] : ["", style.strong(title), ...content]
  const table = (title: string, rows: ReadonlyArray<Row>) => section(title, lines(rows, { ...options, width }))
  const settings = environment(options.purposes)
  return [
    ...Text.wrap(doc.description, width),
    ...section("USAGE", [INDENT + usage(doc)]),
    ...table("ARGUMENTS", (doc.args ?? []).map(argumentRow)),
    ...(doc.subcommands ?? []).flatMap(({ commands, group }) =>
      table(
        (group ?? "commands").toUpperCase(),
        commands.map(({ description, name, shortDescription }) => ({ name, text: shortDescription ?? description }))
      )
    ),
    ...table("FLAGS", doc.flags.map(flagRow)),
    ...everywhere(doc, (rows) => table("FLAGS OF EVERY COMMAND", rows), width),
    ...table("ENVIRONMENT, OR TALLYSTICK.JSON", [
      ...settings.filter(({ isRare }) => isRare !== true).map(settingRow),
      ...rare(settings.filter(({ isRare }) => isRare === true))
    ]),
    ...section(
      "EXAMPLES",
      (doc.examples ?? []).flatMap((example, index) => exampleLines(example, index === 0, width))
    )
  ].join("\n")
}
