/**
 * Holds the settings of a broker client: where the service is, who asks, how fast, and how long to keep trying.
 *
 * `config` reads them from any ConfigProvider, by the names in `variables`.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as BrokerError from "./BrokerError.ts"
import * as Conventions from "./Conventions.ts"
import * as Issue from "./internal/decoding/Issue.ts"
import * as BaseUrl from "./internal/settings/BaseUrl.ts"
import * as ConventionsCheck from "./internal/settings/ConventionsCheck.ts"
import * as FurtherKeys from "./internal/settings/FurtherKeys.ts"
import * as KeyForm from "./internal/settings/KeyForm.ts"
import type * as Rate from "./internal/settings/Rate.ts"
import * as SettingTable from "./internal/settings/SettingTable.ts"

/**
 * A mistake in the configuration. The error names the setting, and never its value: in its message by its path in the
 * ConfigProvider (`TALLYSTICK.RATE`), because a provider need not read the environment, and beside it as the environment names it.
 */
export class ConfigurationError
  extends Schema.TaggedError<ConfigurationError>("@tallystick/core/BrokerConfig/ConfigurationError")(
    "ConfigurationError",
    {
      /** The variable of the environment (`TALLYSTICK_RATE`), or the option of a program (`rate`). */
      variable: Schema.String,
      /** The mistake, as the end of a sentence that begins with the name of the setting. */
      problem: Schema.String,
      /** The path in the ConfigProvider (`["TALLYSTICK", "RATE"]`); absent where the setting is an option of a program. */
      path: Schema.optionalKey(Schema.Array(Schema.String))
    }
  )
{
  override get message(): string {
    return `${this.path === undefined ? this.variable : this.path.join(".")} ${this.problem}`
  }
}

/** One variable, for programs that show or document it. */
export interface Variable extends SettingTable.Row {
  /** The name of the setting in options and configuration files. */
  readonly key: string
  /** The meaning, in one sentence or two of plain words. */
  readonly meaning: string
  /** The default as it would be written; absent where there is none. */
  readonly default?: string
}

/** Every setting of a client, checked and with its default filled in. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The key. */
  readonly apiKey: Redacted.Redacted
  /** The key's secret. */
  readonly secretKey: Redacted.Redacted
  /** Further keys of the same master; default none. */
  readonly apiKeys: ReadonlyArray<Credentials>
  /** What is assumed of the exchange. */
  readonly conventions: Conventions.Conventions
  /** The rate at which the service may see requests, of all keys or of each (`Conventions.ratePer`); default 20 in a second. */
  readonly rate: Rate.Rate
  /** Longest wait for one answer, 1 ms or more, permit not counted; default 30 seconds. */
  readonly timeout: Duration.Duration
  /** Attempts after the first, 0 to 100; default 5. The waits between them grow from 250 ms to 10 seconds. */
  readonly retries: number
  /**
   * Says when a request that got no answer is sent again, in the place of `retries` and its waits: the schedule is given the
   * reason of each failed attempt, and ends when there is to be no other one. `retryBudget` bounds it, and `retries` still counts
   * the refusals (429, a ban) that are waited out. Requests that are not safe to repeat never ask it.
   */
  readonly retrySchedule?: Schedule.Schedule<unknown, BrokerError.RequestReason>
  /**
   * Longest time for all attempts of one call together, 1 ms or more; default 2 minutes. A Retry-After is
   * waited out beside it.
   */
  readonly retryBudget: Duration.Duration
  /**
   * Longest Retry-After or ban that is waited out, 0 for none; default 5 minutes. A call that meets a longer one fails, and says
   * how long is left.
   */
  readonly maxWait: Duration.Duration
  /** Longest answer in bytes, 1,024 to 1,073,741,824; default 33,554,432. */
  readonly maxBody: number
  /** Slices of a scan that are read at once, 1 to 64; default 4. */
  readonly concurrency: number
  /** Whether plain http is allowed to a host that is not loopback; default `false`. */
  readonly allowHttp: boolean
}

/** The options of a program: address, credentials, and every setting that is not to have its default. */
export interface Options extends
  Partial<
    Omit<
      Settings,
      "baseUrl" | "apiKey" | "secretKey" | "apiKeys" | "conventions" | "rate" | "timeout" | "retryBudget" | "maxWait"
    >
  >
{
  /** The address of the exchange, with any path prefix: https, or http for this machine. */
  readonly baseUrl: string
  /** The key. For reports SPOT_TRANSFER_READ and SPOT_DEPOSIT_READ are enough. */
  readonly apiKey: Redacted.Redacted
  /** The key's secret, one line of text without white space around it. It is in no error, log or span. */
  readonly secretKey: Redacted.Redacted
  /**
   * Further keys of the same master, each once: requests are signed by all keys in turn, but for `createApiKey`, which only the
   * first key signs. They sign only while the service accepts the first key, which tells the master: its refusal is the error, as
   * with one key. A further key that the service refuses is left out for 10 minutes, and a warning says its number. A key that lacks
   * a permission is not left out: its requests fail with `PermissionDenied`, which tells its number. Nobody could tell whose records
   * a history holds if one key were of another master.
   */
  readonly apiKeys?: ReadonlyArray<Credentials>
  /** What is assumed of the exchange, where it differs from `Conventions.mexc`. */
  readonly conventions?: Conventions.Changes
  /**
   * The rate at which the service may see requests, in any sliding window; default 20 in a second. It is that of all keys
   * together, or of each, as `Conventions.ratePer` says.
   */
  readonly rate?: Rate.Input
  /** Longest wait for one answer, 1 ms or more, permit not counted; default 30 seconds. */
  readonly timeout?: Duration.Input
  /** Longest time for all attempts of one call together, 1 ms or more; default 2 minutes. A Retry-After is waited out beside it. */
  readonly retryBudget?: Duration.Input
  /** Longest Retry-After or ban that is waited out, 0 for none; default 5 minutes. A call that meets a longer one fails. */
  readonly maxWait?: Duration.Input
}

/**
 * The same options for a `Signer` of your own, which keeps the secret. A secret that is given all the same is kept out of all
 * messages. A signer signs for one key, so there are no further ones.
 */
export type UnsignedOptions = Omit<Options, "secretKey" | "apiKeys"> & Partial<Pick<Options, "secretKey">>
/** The same settings where a `Signer` of the context keeps the secret. */
export type UnsignedSettings = Omit<Settings, "secretKey" | "apiKeys"> & Partial<Pick<Settings, "secretKey">>

/** A key of the master account, and its secret. */
export interface Credentials {
  readonly apiKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

/** The same options for credentials that change while a program runs. */
export type RotatingOptions = Omit<Options, keyof Credentials>

/** Every setting by the name of its option: its allowed values, and how JSON writes it. */
export const settings = SettingTable.table

const PREFIX = "TALLYSTICK"

const variable = (key: keyof typeof settings): Variable => {
  const row: SettingTable.Row & { readonly default?: string | number | boolean | object } = settings[key]
  const fallback = typeof row.default === "object" ? undefined : row.default
  return {
    key,
    name: `${PREFIX}_${row.name}`,
    meaning: SettingTable.meanings[key],
    allowed: row.allowed,
    ...(fallback === undefined ? {} : { default: `${fallback}` }),
    ...(row.required === undefined ? {} : { required: row.required }),
    ...(row.secret === undefined ? {} : { secret: row.secret })
  }
}

/**
 * The variables in the order of the documentation. A secret may also come from a file, whose path stands in the variable of that
 * name with `_FILE` added.
 */
export const variables: ReadonlyArray<Variable> = /*#__PURE__*/ Struct.keys(settings).map(variable)

const wrong = (variable: string, problem: string) => new ConfigurationError({ variable, problem })

/** The error of a setting that stands at a path of the ConfigProvider. */
const wrongAt = (path: ReadonlyArray<string>, problem: string) =>
  new ConfigurationError({ variable: path.join("_"), problem, path })

/** Makes a Config fail with an error of ours. */
const refused = (error: ConfigurationError) =>
  Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message: error.message, cause: error })))

/** The content of a provider under a name: a text, or parts. */
type Tree = string | ReadonlyArray<Tree> | { readonly [key: string]: Tree }

const Tree: Schema.Codec<Tree> = Schema.Union([
  Schema.String,
  Schema.Array(Schema.suspend(() => Tree)),
  Schema.Record(Schema.String, Schema.suspend(() => Tree))
])

/** Reads a text as JSON would write it: a provider has only text. */
const ofText = (text: string): unknown =>
  /^(?:-?\d{1,15}|true|false|\{.*\})$/s.test(text)
    ? Result.getOrElse(Result.try(() => JSON.parse(text) as unknown), () => text)
    : text

const written = (tree: Tree): unknown => {
  if (typeof tree === "string") return ofText(tree.trim())
  return isList(tree)
    ? tree.map(written)
    : Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, written(part)]))
}

const isList = (tree: Tree): tree is ReadonlyArray<Tree> => Array.isArray(tree)

const parts = (tree: Tree): ReadonlyArray<string> => typeof tree === "string" || isList(tree) ? [] : Object.keys(tree)

/** Reads one setting, from text or from its parts, by the allowed values of the table. */
const setting = <A>(prefix: string, { allowed, name, schema, ...row }: SettingTable.Setting<A>) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error", errors: "all" })
  return Config.option(Config.schema(Tree, name)).pipe(
    Config.mapEffect((found) => {
      const tree = Option.filter(found, (tree) => typeof tree !== "string" || tree.trim() !== "")
      if (Option.isNone(tree)) return Effect.succeed(SettingTable.fallback({ allowed, name, schema, ...row }))
      return Result.match(decode(written(tree.value)), {
        onFailure: (error) => {
          const named = Issue.all(error).find(({ path }) => path !== "")
          const part = named?.path ?? parts(tree.value)[0]
          const fault = named?.reason === "Missing key" ? "lacks a setting:" : "has a wrong or unknown setting:"
          return refused(wrongAt(
            [prefix, name],
            part === undefined ? `is not valid; allowed: ${allowed}` : `${fault} ${part}`
          ))
        },
        onSuccess: (value) => Effect.succeed(value)
      })
    })
  )
}

/** Reads the content of one name, where it is not empty. The path of a secret's file is no part of the secret. */
const filled = (name: string): Config.Config<Option.Option<Tree>> =>
  Config.map(
    Config.option(Config.schema(Tree, name)),
    Option.filter((tree) =>
      typeof tree === "string" ? tree.trim() !== "" : isList(tree) || parts(tree).some((part) => part !== "FILE")
    )
  )

/** Returns the error of a name that holds something other than text. */
const untold = (path: ReadonlyArray<string>, found: Option.Option<Tree>, how: string): ConfigurationError =>
  wrongAt(
    path,
    Option.isNone(found)
      ? `is missing; set it${how}`
      : `is not one text: only parts of it are there, as of a list or a record; set it${how}`
  )

const isText = (found: Option.Option<Tree>): found is Option.Some<string> =>
  Option.isSome(found) && typeof found.value === "string"

const required = (prefix: string, name: string, how: string) =>
  Config.mapEffect(
    filled(name),
    (found) => isText(found) ? Effect.succeed(found.value.trim()) : refused(untold([prefix, name], found, how))
  )

/** Says in plain words why a file cannot be read. */
const unreadable = ({ reason }: PlatformError.PlatformError): string => {
  switch (reason._tag) {
    case "NotFound":
      return "it does not exist"
    case "PermissionDenied":
      return "this user may not read it"
    case "BadResource":
      return "it is a directory, or no file at all"
    default:
      return "the system refuses to read it"
  }
}

/** Reads the text of a file, without white space around it. */
const fileText = Effect.fnUntraced(function*(setting: ReadonlyArray<string>, path: string) {
  const fileSystem = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fileSystem)) return yield* wrongAt(setting, "is set, but no FileSystem is provided to read it with")
  const text = yield* fileSystem.value.readFileString(path).pipe(
    Effect.mapError((error) => wrongAt(setting, `names a file that cannot be read: ${unreadable(error)}`))
  )
  return text.trim() === "" ? yield* wrongAt(setting, "names a file that is empty") : text.trim()
})

/** A text that is secret, and the setting that told it: itself, or by the file that it names. */
interface Told {
  readonly path: ReadonlyArray<string>
  readonly isFile: boolean
  readonly text: string
}

/** Reads a secret text from its setting, or from the file that `…_FILE` names. */
const secretText = (prefix: string, name: string): Config.Config<Option.Option<Told>> => {
  const file = [prefix, `${name}_FILE`]
  return Config.mapEffect(
    Config.all({ direct: filled(name), path: filled(`${name}_FILE`) }),
    Effect.fnUntraced(
      function*({ direct, path }) {
        if (isText(direct)) {
          return Option.some({ path: [prefix, name], isFile: false, text: direct.value.trim() })
        }
        if (isText(path)) {
          return Option.some({ path: file, isFile: true, text: yield* fileText(file, path.value.trim()) })
        }
        if (Option.isSome(path)) return yield* untold(file, path, " to a path")
        return Option.isNone(direct) ? Option.none() : yield* untold([prefix, name], direct, BESIDE)
      },
      Effect.catch(refused)
    )
  )
}

/** Said in any notation of a provider: a name is a path in one, and joined by `_` in another. */
const BESIDE = ", or, with _FILE behind its name, the path of a file"

/** A problem of what a setting told. */
const ofTold = ({ isFile, path }: Pick<Told, "isFile" | "path">, problem: string): ConfigurationError =>
  wrongAt(path, isFile ? `names a file that ${problem}` : problem)

const secret = (prefix: string, name: string, { allowed, isValid }: KeyForm.Form) =>
  Config.mapEffect(secretText(prefix, name), (told) => {
    if (Option.isNone(told)) return refused(untold([prefix, name], Option.none(), BESIDE))
    const { isFile, path, text } = told.value
    return !isFile || isValid(text)
      ? Effect.succeed(Redacted.make(text, { label: `${prefix}_${name}` }))
      : refused(wrongAt(path, `names a file whose text is not valid; allowed: ${allowed}`))
  })

/** Reads further keys, and tells which setting told them. */
const furtherKeys = (prefix: string) =>
  Config.mapEffect(
    secretText(prefix, settings.apiKeys.name),
    Option.match({
      onNone: () => Effect.succeed({ path: [prefix], isFile: false, keys: [] }),
      onSome: (told) =>
        Result.match(FurtherKeys.parse(told.text), {
          onFailure: (problem) => refused(ofTold(told, problem)),
          onSuccess: (keys) => Effect.succeed({ path: told.path, isFile: told.isFile, keys })
        })
    })
  )

const isOption = (key: string): key is keyof typeof settings => Object.hasOwn(settings, key)

/**
 * Reads the options from the `variables`: `TALLYSTICK_BASE_URL` and the others, or `NORTH_BASE_URL` and so on with the prefix
 * `NORTH`. It reads `…_FILE` where a FileSystem is provided. It fails with a `ConfigurationError` as the cause of the cause,
 * which `load` takes out.
 */
export const config = (prefix: string = PREFIX): Config.Config<Options> => {
  return Config.all({
    baseUrl: required(prefix, "BASE_URL", " to the https address of the service"),
    apiKey: secret(prefix, "API_KEY", KeyForm.apiKey),
    secretKey: secret(prefix, "SECRET_KEY", KeyForm.secretKey),
    further: furtherKeys(prefix),
    allowHttp: setting(prefix, settings.allowHttp),
    rate: setting(prefix, settings.rate),
    timeout: setting(prefix, settings.timeout),
    retries: setting(prefix, settings.retries),
    retryBudget: setting(prefix, settings.retryBudget),
    maxWait: setting(prefix, settings.maxWait),
    maxBody: setting(prefix, settings.maxBody),
    concurrency: setting(prefix, settings.concurrency),
    conventions: setting(prefix, settings.conventions)
  }).pipe(
    Config.nested(prefix),
    Config.mapEffect(({ further, ...rest }) => {
      const options: Options = further.keys.length === 0 ? rest : { ...rest, apiKeys: further.keys }
      return Result.match(make(options), {
        onFailure: ({ problem, variable }) =>
          refused(
            variable === "apiKeys"
              ? ofTold(further, problem)
              : wrongAt([prefix, isOption(variable) ? settings[variable].name : variable], problem)
          ),
        onSuccess: () => Effect.succeed(options)
      })
    })
  )
}

/** Returns the error of a variable that a Config did not find, or could not read. It tells the path, and never the value. */
const named = ({ cause }: Config.ConfigError): ConfigurationError => {
  if (cause._tag === "SourceError") {
    return cause.cause instanceof ConfigurationError
      ? cause.cause
      : wrong("the configuration", "could not be read")
  }
  const { path } = Issue.first(cause)
  const problem = "is missing, or not of the form that is wanted"
  return path === "" ? wrong("the configuration", problem) : wrongAt(path.split("."), problem)
}

/** Loads the options of a Config; by default those of the environment, `config()`. */
export const load = (
  options: Config.Wrap<Options> = config()
): Effect.Effect<Options, ConfigurationError> => Effect.mapError(Config.unwrap(options), named)

/** Whether an input is no number: Effect reads such an input as a duration of zero. */
const isNoNumber = (input: unknown): boolean =>
  Number.isNaN(input) ||
  (typeof input === "object" && input !== null && !Duration.isDuration(input) &&
    Object.values(input).some(Number.isNaN))

const invalid = (key: "rate" | "timeout" | "retryBudget" | "maxWait") =>
  wrong(key, `is not valid; allowed: ${settings[key].allowed}`)

const duration = (input: Duration.Input): Option.Option<Duration.Duration> =>
  isNoNumber(input) ? Option.none() : Duration.fromInput(input)

const durationOf = (
  options: UnsignedOptions,
  key: "timeout" | "retryBudget" | "maxWait"
): Result.Result<Duration.Duration, ConfigurationError> => {
  const given = options[key]
  if (given === undefined) return Result.succeed(SettingTable.fallback(settings[key]))
  return Result.fromOption(duration(given), () => invalid(key))
}

const plain = ["rate", "timeout", "retries", "retryBudget", "maxWait", "maxBody", "concurrency", "allowHttp"] as const

/** Checks settings, however they were written, and the conditions that concern several settings. */
const problemOf = (checked: UnsignedSettings): ConfigurationError | undefined => {
  if (!KeyForm.apiKey.isValid(Redacted.value(checked.apiKey))) {
    return wrong("apiKey", `is not valid; allowed: ${KeyForm.apiKey.allowed}`)
  }
  for (const key of plain) {
    const { allowed, schema } = settings[key]
    if (!Schema.is(Schema.toType(schema))(checked[key])) return wrong(key, `is not valid; allowed: ${allowed}`)
  }
  const problem = ConventionsCheck.problem(checked.conventions)
  return problem === undefined ? undefined : wrong("conventions", problem)
}

/**
 * Fills in the defaults and checks everything but the secret. An error names the option of a wrong value, and
 * never the value.
 */
export const makeUnsigned = (options: UnsignedOptions): Result.Result<UnsignedSettings, ConfigurationError> =>
  Result.gen(function*() {
    const allowHttp = options.allowHttp ?? SettingTable.fallback(settings.allowHttp)
    const baseUrl = yield* BaseUrl.check(options.baseUrl, allowHttp).pipe(
      Result.mapError((problem) => wrong("baseUrl", problem))
    )
    const made: UnsignedSettings = {
      baseUrl,
      apiKey: options.apiKey,
      ...(options.secretKey === undefined ? {} : { secretKey: options.secretKey }),
      conventions: Conventions.make(options.conventions),
      rate: yield* rate(options),
      timeout: yield* durationOf(options, "timeout"),
      retries: options.retries ?? SettingTable.fallback(settings.retries),
      retryBudget: yield* durationOf(options, "retryBudget"),
      maxWait: yield* durationOf(options, "maxWait"),
      ...(options.retrySchedule === undefined ? {} : { retrySchedule: options.retrySchedule }),
      maxBody: options.maxBody ?? SettingTable.fallback(settings.maxBody),
      concurrency: options.concurrency ?? SettingTable.fallback(settings.concurrency),
      allowHttp
    }
    const problem = problemOf(made)
    return problem === undefined ? made : yield* Result.fail(problem)
  })

/** Returns the rate if it is valid; 20 requests in a second where none is given. */
export const rate = ({ rate }: Pick<Options, "rate">): Result.Result<Rate.Rate, ConfigurationError> => {
  if (rate === undefined) return Result.succeed(SettingTable.fallback(settings.rate))
  const made = Option.map(duration(rate.window), (window): Rate.Rate => ({ requests: rate.requests, window }))
  return Result.fromOption(Option.filter(made, Schema.is(Schema.toType(settings.rate.schema))), () => invalid("rate"))
}

/** Returns the secret if it is valid: one line of text, without white space around it. */
export const secretKey = (
  { secretKey }: Pick<Options, "secretKey">
): Result.Result<Redacted.Redacted, ConfigurationError> =>
  KeyForm.secretKey.isValid(Redacted.value(secretKey))
    ? Result.succeed(secretKey)
    : Result.fail(wrong("secretKey", `is not valid; allowed: ${KeyForm.secretKey.allowed}`))

/** Fills in the defaults and checks everything, the secrets included. */
export const make = (options: Options): Result.Result<Settings, ConfigurationError> =>
  Result.gen(function*() {
    const settings = yield* makeUnsigned(options)
    const { apiKeys = [] } = options
    const made = { ...settings, secretKey: yield* secretKey(options), apiKeys }
    const problem = FurtherKeys.problem(options.apiKey, apiKeys)
    return problem === undefined ? made : yield* Result.fail(wrong("apiKeys", problem))
  })
