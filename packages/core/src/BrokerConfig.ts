/**
 * Everything a broker client is told: where the service is, who asks, how fast, and how long to keep trying.
 *
 * `config` reads it from any ConfigProvider, from the `variables` below.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as String from "effect/String"
import * as Struct from "effect/Struct"
import * as Conventions from "./Conventions.ts"
import * as BaseUrl from "./internal/BaseUrl.ts"
import * as Issue from "./internal/Issue.ts"
import * as SettingsCheck from "./internal/SettingsCheck.ts"
import * as Variables from "./internal/Variables.ts"
import type { Rate } from "./RateLimit.ts"

/** What is wrong with the configuration: the variable is named, its value never. */
export class ConfigurationError extends Schema.TaggedError<ConfigurationError>()("ConfigurationError", {
  variable: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.variable} ${this.problem}`
  }
}

/** One variable, for whoever shows or documents it. */
export type Variable = Variables.Variable

export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
  readonly conventions: Conventions.Conventions
  readonly rate: Rate
  /** Longest wait for one answer, permit not counted. */
  readonly timeout: Duration.Duration
  /** Attempts after the first. */
  readonly retries: number
  /** Longest time for all attempts of one call together; a Retry-After is waited out beside it. */
  readonly retryBudget: Duration.Duration
  /** Longest Retry-After or ban that is waited out; beyond it the call fails and says how long is left. */
  readonly maxWait: Duration.Duration
  /** Longest answer in bytes. */
  readonly maxBody: number
  /** Slices of a scan that are read at once, 1 to 64. */
  readonly concurrency: number
  /** Plain http to a host that is not loopback. */
  readonly allowHttp: boolean
}

/** What a program passes: address and credentials, and whatever it wants different. */
export interface Options
  extends
    Partial<Omit<Settings, "baseUrl" | "apiKey" | "secretKey" | "conventions" | "timeout" | "retryBudget" | "maxWait">>
{
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
  readonly conventions?: Partial<Conventions.Conventions>
  readonly timeout?: Duration.Input
  readonly retryBudget?: Duration.Input
  readonly maxWait?: Duration.Input
}

/** The same where a `Signer` of your own keeps the secret. One that is told all the same is kept out of all messages. */
export type UnsignedOptions = Omit<Options, "secretKey"> & Partial<Pick<Options, "secretKey">>
export type UnsignedSettings = Omit<Settings, "secretKey"> & Partial<Pick<Settings, "secretKey">>

/** What is read, in the order of the documentation. A secret also comes from the file that its name and `_FILE` name. */
export const variables: ReadonlyArray<Variable> = /*#__PURE__*/ Variables.all.map((variable) => ({
  ...variable,
  name: `${Variables.PREFIX}_${variable.name}`
}))

const wrong = (variable: string, problem: string) => new ConfigurationError({ variable, problem })

/** How a Config fails with an error of ours. */
const refused = (error: ConfigurationError) =>
  Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message: error.message, cause: error })))

/** What is read under a prefix. */
interface Reader {
  readonly prefix: string
  /** An empty variable counts as absent. */
  readonly text: (name: string) => Config.Config<Option.Option<string>>
}

const reader = (prefix: string): Reader => ({
  prefix,
  text: (name) => Config.map(Config.option(Config.String(name)), Option.filter((text) => text.trim() !== ""))
})

/** Reads one variable as it says what is allowed. */
const parsed = <A>({ prefix, text }: Reader, { allowed, fallback, name, parse }: Variables.Parsed<A>) =>
  Config.mapEffect(
    text(name),
    Option.match({
      onNone: () => Effect.succeed(fallback()),
      onSome: (text) =>
        Option.match(parse(text.trim()), {
          onNone: () => refused(wrong(`${prefix}_${name}`, `is not valid; allowed: ${allowed}`)),
          onSome: (value) => Effect.succeed(value)
        })
    })
  )

const required = ({ prefix, text }: Reader, name: string, advice: string) =>
  Config.mapEffect(
    text(name),
    Option.match({
      onNone: () => refused(wrong(`${prefix}_${name}`, `is missing; ${advice}`)),
      onSome: (text) => Effect.succeed(text.trim())
    })
  )

const decodeConventions = Schema.decodeUnknownResult(
  Schema.fromJsonString(Conventions.Conventions.mapFields(Struct.map(Schema.optionalKey))),
  { onExcessProperty: "error" }
)

const conventions = ({ prefix, text }: Reader) =>
  Config.mapEffect(
    text("CONVENTIONS"),
    Option.match({
      onNone: () => Effect.succeed({}),
      onSome: (text) =>
        Result.match(decodeConventions(text), {
          onFailure: (error) => {
            const { path } = Issue.first(error)
            return refused(wrong(
              `${prefix}_CONVENTIONS`,
              path === "" ? "is not valid JSON with settings of Conventions" : `has a wrong or unknown setting: ${path}`
            ))
          },
          onSuccess: (conventions) => Effect.succeed(conventions)
        })
    })
  )

/** The text of a file, without white space around it. */
const fileText = Effect.fnUntraced(function*(variable: string, path: string) {
  const fileSystem = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fileSystem)) return yield* wrong(variable, "is set, but no FileSystem is provided to read it with")
  const text = yield* fileSystem.value.readFileString(path).pipe(
    Effect.mapError((error) => wrong(variable, `names a file that cannot be read (${error.reason._tag})`))
  )
  return text.trim() === "" ? yield* wrong(variable, "names a file that is empty") : text.trim()
})

/** Reads a secret from its variable, or from the file that `…_FILE` names. */
const secret = ({ prefix, text }: Reader, name: string) => {
  const variable = `${prefix}_${name}`
  return Config.mapEffect(
    Config.all({ direct: text(name), path: text(`${name}_FILE`) }),
    Effect.fnUntraced(
      function*({ direct, path }) {
        if (Option.isSome(direct)) return direct.value.trim()
        if (Option.isSome(path)) return yield* fileText(`${variable}_FILE`, path.value.trim())
        return yield* wrong(variable, `is missing; set it, or ${variable}_FILE`)
      },
      Effect.map((text) => Redacted.make(text, { label: variable })),
      Effect.catch(refused)
    )
  )
}

/**
 * The options from the `variables` below: `TALLYSTICK_BASE_URL` and the others, or `NORTH_BASE_URL` with the prefix `NORTH`. A
 * FileSystem is used for `…_FILE` when there is one. Fails with a `ConfigurationError` as the cause of the cause; `load` takes it out.
 */
export const config = (prefix: string = Variables.PREFIX): Config.Config<Options> => {
  const read = reader(prefix)
  return Config.all({
    baseUrl: required(read, "BASE_URL", "set it to the https address of the service"),
    apiKey: secret(read, "API_KEY"),
    secretKey: secret(read, "SECRET_KEY"),
    conventions: conventions(read),
    allowHttp: parsed(read, Variables.allowHttp),
    rate: parsed(read, Variables.rate),
    timeout: parsed(read, Variables.timeout),
    retries: parsed(read, Variables.retries),
    retryBudget: parsed(read, Variables.retryBudget),
    maxWait: parsed(read, Variables.maxWait),
    maxBody: parsed(read, Variables.maxBody),
    concurrency: parsed(read, Variables.concurrency)
  }).pipe(
    Config.nested(prefix),
    Config.mapEffect((options) =>
      Result.match(make(options), {
        onFailure: ({ problem, variable }) =>
          refused(wrong(`${prefix}_${String.camelToSnake(variable).toUpperCase()}`, problem)),
        onSuccess: () => Effect.succeed(options)
      })
    )
  )
}

/** The variable that a Config did not find, or could not read: its path, never its value. */
const named = ({ cause }: Config.ConfigError): ConfigurationError => {
  if (cause._tag === "SourceError") {
    return cause.cause instanceof ConfigurationError
      ? cause.cause
      : wrong("the configuration", "could not be read")
  }
  const { path } = Issue.first(cause)
  return wrong(
    path === "" ? "the configuration" : path.replaceAll(".", "_"),
    "is missing, or not of the form that is wanted"
  )
}

/** The options that a Config tells: by default those of the environment, `config()`. */
export const load = (
  options: Config.Wrap<Options> = config()
): Effect.Effect<Options, ConfigurationError> => Effect.mapError(Config.unwrap(options), named)

const durationOr = (given: Duration.Input | undefined, variable: Variables.Parsed<Duration.Duration>) =>
  given === undefined ? variable.fallback() : Duration.fromInputUnsafe(given)

/** Fills in the defaults and checks everything but the secret; wrong input is named by its option, its value never. */
export const makeUnsigned = (options: UnsignedOptions): Result.Result<UnsignedSettings, ConfigurationError> =>
  Result.gen(function*() {
    const allowHttp = options.allowHttp ?? Variables.allowHttp.fallback()
    const baseUrl = yield* BaseUrl.check(options.baseUrl, allowHttp).pipe(
      Result.mapError((problem) => wrong("baseUrl", problem))
    )
    const settings: UnsignedSettings = {
      baseUrl,
      apiKey: options.apiKey,
      ...(options.secretKey === undefined ? {} : { secretKey: options.secretKey }),
      conventions: Conventions.make(options.conventions),
      rate: options.rate ?? Variables.rate.fallback(),
      timeout: durationOr(options.timeout, Variables.timeout),
      retries: options.retries ?? Variables.retries.fallback(),
      retryBudget: durationOr(options.retryBudget, Variables.retryBudget),
      maxWait: durationOr(options.maxWait, Variables.maxWait),
      maxBody: options.maxBody ?? Variables.maxBody.fallback(),
      concurrency: options.concurrency ?? Variables.concurrency.fallback(),
      allowHttp
    }
    const [problem] = SettingsCheck.problems(settings)
    return problem === undefined ? settings : yield* Result.fail(wrong(...problem))
  })

/** The secret, when it is one. */
export const secretKey = (
  { secretKey }: Pick<Options, "secretKey">
): Result.Result<Redacted.Redacted, ConfigurationError> =>
  Redacted.value(secretKey) === ""
    ? Result.fail(wrong("secretKey", "is not valid; allowed: a text that is not empty"))
    : Result.succeed(secretKey)

/** The same with the secret. */
export const make = (options: Options): Result.Result<Settings, ConfigurationError> =>
  Result.flatMap(
    makeUnsigned(options),
    (settings) => Result.map(secretKey(options), (secretKey) => ({ ...settings, secretKey }))
  )
