/**
 * Everything a broker client is told: where the service is, who asks, how fast, and how long to keep trying.
 *
 * `layerConfig` reads it from any ConfigProvider under `TALLYSTICK_*`:
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `BASE_URL` | address of the service, with any path prefix | required |
 * | `API_KEY`, or `API_KEY_FILE` | the key | required |
 * | `SECRET_KEY`, or `SECRET_KEY_FILE` | its secret | required |
 * | `ALLOW_HTTP` | `true` allows plain http to hosts other than loopback | `false` |
 * | `RATE` | requests a second, or `500/10 seconds` | `20` |
 * | `TIMEOUT` | longest wait for one answer | `30 seconds` |
 * | `RETRIES` | attempts after the first | `5` |
 * | `RETRY_BUDGET` | longest time that attempts may take together | `2 minutes` |
 * | `MAX_WAIT` | longest Retry-After or ban that is waited out | `5 minutes` |
 * | `MAX_BODY` | longest answer in bytes | `33554432` (32 MiB) |
 * | `CONCURRENCY` | slices of a scan read at once | `4` |
 * | `CONVENTIONS` | JSON with settings of `Conventions` to change | none |
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
  /** Plain http to a host that is not loopback. */
  readonly allowHttp?: boolean
}

const PREFIX = "TALLYSTICK"

const wrong = (variable: string, problem: string) => new ConfigurationError({ variable, problem })

/** Reads one variable; an empty one counts as absent. */
const read = (name: string): Effect.Effect<Option.Option<string>, ConfigurationError> =>
  Config.option(Config.nested(Config.String(name), PREFIX)).pipe(
    Effect.mapError(() => wrong(`${PREFIX}_${name}`, "could not be read from the configuration")),
    Effect.map(Option.filter((text) => text.trim() !== ""))
  )

/** Reads one variable through `parse`, which says what is allowed by failing. */
const parsed = <A>(name: string, fallback: A, parse: (text: string) => Option.Option<A>, allowed: string) =>
  Effect.flatMap(read(name), (text) =>
    Option.match(text, {
      onNone: () => Effect.succeed(fallback),
      onSome: (text) =>
        Effect.fromOption(
          parse(text.trim()),
          () => wrong(`${PREFIX}_${name}`, `is not valid; allowed: ${allowed}`)
        )
    }))

const integer = (least: number, most: number) => (text: string): Option.Option<number> =>
  /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most ? Option.some(Number(text)) : Option.none()

/** `30 seconds`, or a number of milliseconds. */
const duration = (text: string): Option.Option<Duration.Duration> =>
  Option.filter(
    /^\d+$/.test(text)
      ? Option.some(Duration.millis(Number(text)))
      : Schema.decodeOption(Schema.DurationFromString)(text),
    (duration) => Duration.isFinite(duration) && Duration.isPositive(duration)
  )

const DURATION = "a duration (30 seconds), or a number of milliseconds"

const boolean = (text: string): Option.Option<boolean> =>
  text === "true" || text === "false" ? Option.some(text === "true") : Option.none()

/** `20`, or `500/10 seconds`. */
const rate = (text: string): Option.Option<Rate> => {
  const [requests = "", window = "1 second", ...rest] = text.split("/")
  return rest.length > 0
    ? Option.none()
    : Option.all({ requests: integer(1, 100_000)(requests.trim()), window: duration(window.trim()) })
}

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
      rate: options.rate ?? { requests: 20, window: Duration.seconds(1) },
      timeout: Duration.fromInputUnsafe(options.timeout ?? "30 seconds"),
      retries: options.retries ?? 5,
      retryBudget: Duration.fromInputUnsafe(options.retryBudget ?? "2 minutes"),
      maxWait: Duration.fromInputUnsafe(options.maxWait ?? "5 minutes"),
      maxBody: options.maxBody ?? 32 * 1024 * 1024,
      concurrency: options.concurrency ?? 4
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
        allowHttp: yield* parsed("ALLOW_HTTP", false, boolean, "true or false"),
        rate: yield* parsed(
          "RATE",
          { requests: 20, window: Duration.seconds(1) },
          rate,
          "requests a second (20), or requests and a window (500/10 seconds)"
        ),
        timeout: yield* parsed("TIMEOUT", Duration.seconds(30), duration, DURATION),
        retries: yield* parsed("RETRIES", 5, integer(0, 100), "0 to 100"),
        retryBudget: yield* parsed("RETRY_BUDGET", Duration.minutes(2), duration, DURATION),
        maxWait: yield* parsed("MAX_WAIT", Duration.minutes(5), duration, DURATION),
        maxBody: yield* parsed("MAX_BODY", 32 * 1024 * 1024, integer(1024, 1024 ** 3), "1024 to 1073741824 bytes"),
        concurrency: yield* parsed("CONCURRENCY", 4, integer(1, 64), "1 to 64")
      })
      return yield* Effect.fromResult(settings).pipe(
        Effect.mapError(({ problem, variable }) =>
          wrong(`${PREFIX}_${String.camelToSnake(variable).toUpperCase()}`, problem)
        )
      )
    })
  )
}
