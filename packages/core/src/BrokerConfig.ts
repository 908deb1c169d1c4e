/**
 * Holds the settings of a broker client: where the service is, who asks, how fast, and how long to keep trying.
 *
 * `config` reads them from any ConfigProvider, by the names in `variables`.
 */
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as BrokerError from "./BrokerError.ts"
import * as Conventions from "./Conventions.ts"
import * as Issue from "./internal/decoding/Issue.ts"
import * as BaseUrl from "./internal/settings/BaseUrl.ts"
import { ConfigurationError, wrong, wrongAt } from "./internal/settings/ConfigurationError.ts"
import * as ConventionsCheck from "./internal/settings/ConventionsCheck.ts"
import * as FurtherKeys from "./internal/settings/FurtherKeys.ts"
import * as KeyForm from "./internal/settings/KeyForm.ts"
import * as Provided from "./internal/settings/Provided.ts"
import type * as Rate from "./internal/settings/Rate.ts"
import * as SettingTable from "./internal/settings/SettingTable.ts"

export {
  /** A mistake in the configuration: a setting that is missing or wrong. */
  ConfigurationError
} from "./internal/settings/ConfigurationError.ts"

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

const isOption = (key: string): key is keyof typeof settings => Object.hasOwn(settings, key)

/**
 * Reads the options from the `variables`: `TALLYSTICK_BASE_URL` and the others, or `NORTH_BASE_URL` and so on with the prefix
 * `NORTH`. It reads `…_FILE` where a FileSystem is provided. It fails with a `ConfigurationError` as the cause of the cause,
 * which `load` takes out.
 */
export const config = (prefix: string = PREFIX): Config.Config<Options> => {
  return Config.all({
    baseUrl: Provided.required(prefix, "BASE_URL", " to the https address of the service"),
    apiKey: Provided.secret(prefix, "API_KEY", KeyForm.apiKey),
    secretKey: Provided.secret(prefix, "SECRET_KEY", KeyForm.secretKey),
    further: Provided.furtherKeys(prefix),
    allowHttp: Provided.setting(prefix, settings.allowHttp),
    rate: Provided.setting(prefix, settings.rate),
    timeout: Provided.setting(prefix, settings.timeout),
    retries: Provided.setting(prefix, settings.retries),
    retryBudget: Provided.setting(prefix, settings.retryBudget),
    maxWait: Provided.setting(prefix, settings.maxWait),
    maxBody: Provided.setting(prefix, settings.maxBody),
    concurrency: Provided.setting(prefix, settings.concurrency),
    conventions: Provided.setting(prefix, settings.conventions)
  }).pipe(
    Config.nested(prefix),
    Config.mapEffect(({ further, ...rest }) => {
      const options: Options = further.keys.length === 0 ? rest : { ...rest, apiKeys: further.keys }
      return Result.match(make(options), {
        onFailure: ({ problem, variable }) =>
          Provided.refused(
            variable === "apiKeys"
              ? Provided.ofTold(further, problem)
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
