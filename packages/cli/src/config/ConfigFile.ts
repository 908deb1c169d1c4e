/**
 * The configuration file `tallystick.json`: what the environment may say, but for secrets, so that it can lie with other
 * files. A key that is not known, or a value that makes no sense, is told with its place. What the value was is not told:
 * it may be a secret in the wrong place.
 */
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import * as JsonSyntax from "@tallystick/reconcile/rows/JsonSyntax"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Struct from "effect/Struct"
import * as Suggestion from "../text/Suggestion.ts"
import * as FieldMap from "./FieldMap.ts"
import * as ReportFormat from "./ReportFormat.ts"
import * as Setting from "./Setting.ts"

const text = (expected: string) => Schema.NonEmptyString.annotate({ expected })

const file = text("the name of a file")

/** A reader of the configuration must not be able to read the archive by it. */
const holdsNoPassword = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && ["postgres:", "postgresql:"].includes(url.protocol) && url.password === "" &&
    !["password", "sslpassword"].some((name) => url.searchParams.has(name))
}

const database = Schema.String.check(Schema.makeFilter(holdsNoPassword)).annotate({
  expected: "postgres://user@host:port/database without a password; with one, set TALLYSTICK_DATABASE_URL instead"
})

const conventions = Conventions.Documented.mapFields(Struct.map(Schema.optionalKey)).annotate({
  expected: "a JSON object with settings of Conventions"
})

const key = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

/** A setting of the client as JSON writes it, by the table of the library that reads it. */
const told = <S extends Schema.Top>(
  name: string,
  { allowed, schema }: { readonly allowed: string; readonly schema: S }
) => {
  const { default: fallback, meaning } = BrokerConfig.variables.find(({ key }) => key === name) ?? {}
  return key(Schema.toEncoded(schema).annotate({ expected: allowed }), `${meaning}. Default: ${fallback}.`)
}

const client = BrokerConfig.settings

/** The file as it is written, every key optional. Paths in it are relative to the folder that it lies in. */
export const schema = Schema.Struct({
  $schema: key(text("an address"), "Where an editor finds the schema of this file."),
  baseUrl: key(text("an address"), "Address of the exchange, with any path prefix; https unless it is this machine."),
  apiKeyFile: key(file, "A file that holds the API key and nothing else."),
  secretKeyFile: key(file, "A file that holds the secret of the key and nothing else."),
  apiKeysFile: key(
    file,
    "A file that holds further keys of the same master, as a JSON array of {\"apiKey\", \"secretKey\"}."
  ),
  rate: told("rate", client.rate),
  timeout: told("timeout", client.timeout),
  retries: told("retries", client.retries),
  retryBudget: told("retryBudget", client.retryBudget),
  maxWait: told("maxWait", client.maxWait),
  maxBody: told("maxBody", client.maxBody),
  concurrency: told("concurrency", client.concurrency),
  allowHttp: told("allowHttp", client.allowHttp),
  conventions: key(conventions, "What is assumed of the exchange: the settings of Conventions that differ."),
  archive: key(file, "The archive's file. Default: tallystick.db in the current folder."),
  databaseUrl: key(database, "A PostgreSQL database for the archive, in the place of a file; without a password."),
  accounts: key(file, "The file of --accounts, or `service`, where that is not given."),
  addresses: key(file, "The file of --addresses, where that is not given."),
  policy: key(file, "The file of --policy, where that is not given."),
  prices: key(file, "The file of --prices, where that is not given."),
  map: key(
    FieldMap.schema.annotate({
      expected: "a JSON object with deposits, transfers or both, such as {\"at\": \"Time(UTC)\"}"
    }),
    "Which column of the file of --deposits and of --transfers holds which field, where --map is not given."
  ),
  zone: key(text("a zone (Europe/Berlin)"), "The zone of --zone, where that is not given. Default: UTC."),
  format: key(
    Schema.Literals(ReportFormat.names).annotate({ expected: `one of ${ReportFormat.listed}` }),
    `The form of reports, where --format is not given. Default: ${ReportFormat.standard}.`
  ),
  notifyUrl: key(
    text("an https address, or an http one of this machine"),
    "The address of --notify-url, where that is not given; only in a file that --config or TALLYSTICK_CONFIG names."
  ),
  notifyCommand: key(
    Schema.Union([Schema.NonEmptyString, Schema.NonEmptyArray(Schema.NonEmptyString)]).annotate({
      expected: "a command with its arguments, as text or as an array of texts"
    }),
    "The command of --notify-command, where that is not given; only in a file that --config or TALLYSTICK_CONFIG names."
  ),
  notifyDetails: key(
    Schema.Boolean.annotate({ expected: "true or false" }),
    "Whether notices name sub-accounts. Default: false."
  ),
  notifyTokenFile: key(file, "A file that holds the token for the address of notices and nothing else."),
  maxLine: key(
    Schema.Int.check(Schema.isBetween({ minimum: Setting.maxLine.smallest, maximum: Setting.maxLine.largest }))
      .annotate({ expected: Setting.maxLine.allowed }),
    `${Setting.maxLine.meaning}. Default: ${Setting.maxLine.fallback}.`
  ),
  strict: key(
    Schema.Boolean.annotate({ expected: Setting.strict.allowed }),
    `${Setting.strict.meaning}. Default: ${Setting.strict.fallback}.`
  )
}).annotate({
  title: "Configuration",
  description: "The configuration file of the command. Every key is optional."
})

export type ConfigFile = typeof schema.Type

/** The content of a file: the values that are right, and the problems of the others. */
export interface Read {
  readonly values: ConfigFile
  readonly problems: ReadonlyArray<string>
}

const unknown = (key: string): string => {
  if (Setting.isSecretName(key)) {
    return `${key}: a secret does not belong here; write it into a file of its own (chmod 600), and name that with ` +
      "apiKeyFile, secretKeyFile or notifyTokenFile"
  }
  const near = Suggestion.of(key, Object.keys(schema.fields))
  return `${key}: this key is not known here${near.length === 0 ? "" : `. Did you mean this? ${near.join(" or ")}`}`
}

const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const isKnown = (key: string): key is keyof typeof schema.fields => Object.hasOwn(schema.fields, key)

/** Names the problem of a place without repeating the value that stands there. */
const problem = (path: ReadonlyArray<string>): string => {
  const [key = "", ...inside] = path
  if (!isKnown(key)) return unknown(key)
  const expected = SchemaAST.resolve(schema.fields[key].ast)?.["expected"]
  return inside.length > 0 || typeof expected !== "string"
    ? `${path.join(".")}: this setting is missing, not known, or not of this form`
    : `${key}: wanted: ${expected}`
}

/** Two keys for one setting in a file: it does not say which of them is meant. */
const contradictions = (values: ConfigFile): ReadonlyArray<string> => {
  const said = Setting.settings.filter(({ key }) => isKnown(key) && values[key] !== undefined)
  return Array.from(Map.groupBy(said, ({ choice, key }) => choice ?? key).values())
    .filter((settings) => settings.length > 1)
    .map((settings) =>
      `${settings.map(({ key }) => key).join(" and ")}: only one of them can count; take the other away`
    )
}

/** Takes what is right, and says of everything else why it is not. */
export const read = (value: unknown): Read => {
  const whole = decode(value)
  if (Result.isSuccess(whole)) return { values: whole.success, problems: contradictions(whole.success) }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { values: {}, problems: ["wanted: a JSON object"] }
  }
  const places = format(whole.failure.issue).issues.map(({ path = [] }) =>
    path.map((step) => String(typeof step === "object" ? step.key : step))
  )
  const wrong = new Set(places.map(([key]) => key))
  const rest = decode(Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key))))
  return {
    values: Result.getOrElse(rest, () => ({})),
    problems: Array.from(new Set(places.map(problem)))
  }
}

/** The same of a text. */
export const parse = (text: string): Read =>
  Result.match(JsonSyntax.parse(text), {
    onFailure: ({ place, reason }) => ({ values: {}, problems: [`${place}: ${reason}`] }),
    onSuccess: read
  })
