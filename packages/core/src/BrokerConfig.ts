/**
 * Everything a broker client is told: where the service is, who asks, how fast, and how long to keep trying.
 *
 * `layerConfig` reads it from any ConfigProvider, from the `variables` below.
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
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
  /** Nothing where a `Signer` of your own keeps it. */
  readonly secretKey: Redacted.Redacted | undefined
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
}

/** What a program passes: address and credentials, and whatever it wants different. */
export interface Options
  extends
    Partial<Omit<Settings, "baseUrl" | "apiKey" | "secretKey" | "conventions" | "timeout" | "retryBudget" | "maxWait">>
{
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** `Signer.layer` signs with it; a `Signer` of your own needs none. */
  readonly secretKey?: Redacted.Redacted | undefined
  readonly conventions?: Partial<Conventions.Conventions>
  readonly timeout?: Duration.Input
  readonly retryBudget?: Duration.Input
  readonly maxWait?: Duration.Input
  /** Plain http to a host that is not loopback. */
  readonly allowHttp?: boolean
}

/** What is read, in the order of the documentation. A secret also comes from the file that its name and `_FILE` name. */
export const variables: ReadonlyArray<Variable> = /*#__PURE__*/ Variables.all.map((variable) => ({
  ...variable,
  name: `${Variables.PREFIX}_${variable.name}`
}))

// Not taken apart: a namespace that is stays whole in every bundle.
const PREFIX = Variables.PREFIX

const wrong = (variable: string, problem: string) => new ConfigurationError({ variable, problem })

/** Reads one variable; an empty one counts as absent. */
const read = (name: string): Effect.Effect<Option.Option<string>, ConfigurationError> =>
  Config.option(Config.nested(Config.String(name), PREFIX)).pipe(
    Effect.mapError(() => wrong(`${PREFIX}_${name}`, "could not be read from the configuration")),
    Effect.map(Option.filter((text) => text.trim() !== ""))
  )

/** Reads one variable as it says what is allowed. */
const parsed = <A>({ allowed, fallback, name, parse }: Variables.Parsed<A>): Effect.Effect<A, ConfigurationError> =>
  Effect.flatMap(read(name), (text) =>
    Option.match(text, {
      onNone: () => Effect.succeed(fallback()),
      onSome: (text) =>
        Effect.fromOption(
          parse(text.trim()),
          () => wrong(`${PREFIX}_${name}`, `is not valid; allowed: ${allowed}`)
        )
    }))

const decodeConventions = Schema.decodeUnknownResult(
  Schema.fromJsonString(Conventions.Conventions.mapFields(Struct.map(Schema.optionalKey))),
  { onExcessProperty: "error" }
)

/** Reads a secret from its variable, or from the file that `…_FILE` names. */
const secret = Effect.fnUntraced(function*(name: string) {
  const direct = yield* read(name)
  if (Option.isSome(direct)) return Redacted.make(direct.value.trim(), { label: `${PREFIX}_${name}` })
  const variable = `${PREFIX}_${name}_FILE`
  const path = yield* read(`${name}_FILE`)
  if (Option.isNone(path)) return yield* wrong(`${PREFIX}_${name}`, `is missing; set it, or ${variable}`)
  const fileSystem = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fileSystem)) return yield* wrong(variable, "is set, but no FileSystem is provided to read it with")
  const text = yield* fileSystem.value.readFileString(path.value.trim()).pipe(
    Effect.mapError((error) => wrong(variable, `names a file that cannot be read (${error.reason._tag})`))
  )
  if (text.trim() === "") return yield* wrong(variable, "names a file that is empty")
  return Redacted.make(text.trim(), { label: `${PREFIX}_${name}` })
})

const durationOr = (given: Duration.Input | undefined, variable: Variables.Parsed<Duration.Duration>) =>
  given === undefined ? variable.fallback() : Duration.fromInputUnsafe(given)

/** The secret, where one is needed. */
export const secretKey = (settings: Settings): Result.Result<Redacted.Redacted, ConfigurationError> =>
  settings.secretKey === undefined
    ? Result.fail(wrong("secretKey", "is missing; give it, or provide a Signer of your own"))
    : Result.succeed(settings.secretKey)

/** Fills in the defaults and checks everything; wrong input is named by its option, its value never. */
export const make = (options: Options): Result.Result<Settings, ConfigurationError> =>
  Result.gen(function*() {
    const baseUrl = yield* BaseUrl.check(options.baseUrl, options.allowHttp ?? false).pipe(
      Result.mapError((problem) => wrong("baseUrl", problem))
    )
    const settings: Settings = {
      baseUrl,
      apiKey: options.apiKey,
      secretKey: options.secretKey,
      conventions: Conventions.make(options.conventions),
      rate: options.rate ?? Variables.rate.fallback(),
      timeout: durationOr(options.timeout, Variables.timeout),
      retries: options.retries ?? Variables.retries.fallback(),
      retryBudget: durationOr(options.retryBudget, Variables.retryBudget),
      maxWait: durationOr(options.maxWait, Variables.maxWait),
      maxBody: options.maxBody ?? Variables.maxBody.fallback(),
      concurrency: options.concurrency ?? Variables.concurrency.fallback()
    }
    const [problem] = SettingsCheck.problems(settings)
    return problem === undefined ? settings : yield* Result.fail(wrong(...problem))
  })

export class BrokerConfig extends Context.Service<BrokerConfig, Settings>()("@tallystick/core/BrokerConfig") {
  /** Settings from values. */
  static readonly layer = (options: Options): Layer.Layer<BrokerConfig, ConfigurationError> =>
    Layer.effect(BrokerConfig, Effect.fromResult(make(options)))

  /** Settings from the ConfigProvider; a FileSystem is used for `…_FILE` when there is one. */
  static readonly layerConfig: Layer.Layer<BrokerConfig, ConfigurationError> = Layer.effect(
    BrokerConfig,
    Effect.gen(function*() {
      const baseUrl = yield* read("BASE_URL")
      if (Option.isNone(baseUrl)) {
        return yield* wrong(`${PREFIX}_BASE_URL`, "is missing; set it to the https address of the service")
      }
      const conventions = Option.match(yield* read("CONVENTIONS"), {
        onNone: () => Result.succeed({}),
        onSome: decodeConventions
      })
      if (Result.isFailure(conventions)) {
        const { path } = Issue.first(conventions.failure)
        return yield* wrong(
          `${PREFIX}_CONVENTIONS`,
          path === "" ? "is not valid JSON with settings of Conventions" : `has a wrong or unknown setting: ${path}`
        )
      }
      const settings = make({
        baseUrl: baseUrl.value.trim(),
        apiKey: yield* secret("API_KEY"),
        secretKey: yield* secret("SECRET_KEY"),
        conventions: conventions.success,
        allowHttp: yield* parsed(Variables.allowHttp),
        rate: yield* parsed(Variables.rate),
        timeout: yield* parsed(Variables.timeout),
        retries: yield* parsed(Variables.retries),
        retryBudget: yield* parsed(Variables.retryBudget),
        maxWait: yield* parsed(Variables.maxWait),
        maxBody: yield* parsed(Variables.maxBody),
        concurrency: yield* parsed(Variables.concurrency)
      })
      return yield* Effect.fromResult(settings).pipe(
        Effect.mapError(({ problem, variable }) =>
          wrong(`${PREFIX}_${String.camelToSnake(variable).toUpperCase()}`, problem)
        )
      )
    })
  )
}
