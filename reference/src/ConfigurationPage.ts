/** `docs/reference/configuration.md`: every variable, every key of the configuration file, every convention. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Setting from "@tallystick/cli/config/Setting"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import * as Foreign from "./ForeignVariables.ts"
import * as Form from "./Form.ts"
import * as Generated from "./Generated.ts"
import * as JsonSchema from "./JsonSchema.ts"
import * as Length from "./Length.ts"
import * as Markdown from "./Markdown.ts"
import * as Schemas from "./Schemas.ts"

/** The variables that the libraries read themselves, with their own descriptions. */
const described = new Map(
  [...BrokerConfig.variables, ...ArchiveConfig.variables].map((variable) => [variable.name, variable])
)

/** The form of each key of the configuration file. */
const inFile = new Map(Form.keys(Schemas.schemas.configuration).map(({ name, node }) => [name, Form.text(node)]))

const whole = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

const setting = ({ fallback, flag, form, key, meaning, variable }: Setting.Setting): ReadonlyArray<string> => {
  const known = described.get(variable)
  return [
    Markdown.code(variable),
    form === "secret" ? "" : Markdown.code(key),
    flag === undefined ? "" : Markdown.code(`--${flag}`),
    known?.required === true ? "required" : fallback === undefined ? "" : Markdown.code(known?.default ?? fallback),
    known?.allowed ?? (form === "path" ? "the name of a file" : inFile.get(key) ?? ""),
    whole(known?.meaning ?? meaning)
  ]
}

const purposes = [
  [
    "service",
    "The exchange and the client",
    "What `@tallystick/core` reads; a program that embeds it needs no more. The key and its secret come from their variables, or " +
    "from the files that the variables with `_FILE` name."
  ],
  [
    "archive",
    "The archive",
    "Where [what was kept](../archive.md) is. A database goes before a file. In the configuration file its address has no password."
  ],
  [
    "notices",
    "Notices",
    "The token for the address to which [notices](../notices.md) go. It is no part of the configuration file, but for the file that holds it."
  ],
  ["input", "What a command is told anyway", "For flags that are always the same."]
] as const

const HEAD = ["variable", "key in `tallystick.json`", "flag", "default", "value", "meaning"]

const ofPurpose = ([purpose, title, text]: typeof purposes[number]): ReadonlyArray<string> => [
  `## ${title}`,
  text,
  Markdown.table(HEAD, Setting.settings.filter((one) => one.purpose === purpose).map(setting))
]

const defaults: Readonly<Record<string, unknown>> = Conventions.mexc

const schema = JsonSchema.make(Conventions.Documented, "conventions", { strict: true, defaults })

/** Writes a length of time for people, beside the number. */
const lengths: ReadonlySet<string> = new Set([
  "recvWindow",
  "recvWindowLimit",
  "depositHistory",
  "depositReach",
  "transferHistory",
  "settle",
  "sliceLength"
])

const convention = (key: Form.Key): ReadonlyArray<string> => {
  const { node: { default: value, ...node }, name } = key
  const shown = name === "errorCodes" ? "below" : Markdown.value(defaults[name])
  return [
    Markdown.code(name),
    typeof value === "number" && lengths.has(name) ? `${shown} (${Length.text(value)})` : shown,
    Form.text(node),
    Form.meaning(key)
  ]
}

const codes = Conventions.ErrorClass.literals.map((errorClass) => [
  Markdown.code(errorClass),
  Object.entries(Conventions.mexc.errorCodes).flatMap(([code, of]) => (of === errorClass ? [code] : [])).join(", ")
])

const foreign = (variables: ReadonlyArray<Foreign.ForeignVariable>): string =>
  Markdown.table(
    ["variable", "default", "meaning"],
    variables.map(({ default: fallback, meaning, names }) => [
      names.map(Markdown.code).join(", "),
      fallback,
      whole(meaning)
    ])
  )

const INTRODUCTION =
  `A flag goes before a variable of the environment, a variable before the configuration file, the file before the
default. \`tallystick config show\` prints what is in force and who said it, secrets redacted. An error names the variable or the
key, never its value but for the path of a file. An empty variable counts as absent.

The configuration file is the one that \`--config\` or \`${Setting.CONFIG}\` names, else \`tallystick.json\` in the current folder. It
is a JSON object ([JSON Schema](../schema/configuration.schema.json)) in which every key is optional; keys that are not known are
refused by name. It holds no secrets: those come from the environment, or from files of their own. Paths in it are relative to
the folder that it lies in.

A **duration** is a number and a unit (\`30 seconds\`, \`2 minutes\`), or a number of milliseconds.`

export const page: Generated.Generated = Generated.page("docs/reference/configuration.md", [
  "# Configuration reference",
  INTRODUCTION,
  ...purposes.flatMap(ofPurpose),
  "## Conventions",
  "These settings hold what the exchange's interface description leaves open: `TALLYSTICK_CONVENTIONS` (a JSON object), or " +
  "`conventions` of the configuration file. A setting that is not given keeps its default; groups (`transferPage`, …) " +
  "are replaced whole, and `permissions` and `errorCodes` are added to. " +
  "Times are whole milliseconds.",
  Markdown.block("json", `{ "recvWindow": 10000, "settle": 300000 }`),
  Markdown.table(["setting", "default", "value", "meaning"], Form.keys(schema).map(convention)),
  "The classes of error codes, which decide what may be repeated and what is said:",
  Markdown.table(["class", "codes"], codes),
  "## Proxy",
  foreign(Foreign.proxy),
  "## Terminal",
  foreign(Foreign.terminal),
  "## Telemetry",
  "The command exports spans, metrics and logs by OTLP over HTTP where these say so; see [observability.md](../observability.md).",
  foreign(Foreign.telemetry)
])
