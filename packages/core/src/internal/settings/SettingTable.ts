/**
 * Lists every setting of a client once. Options, variables, configuration files, help and reference all read this table. A
 * setting's schema takes the value as JSON would write it, and gives the value of the option.
 */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import * as Conventions from "../../Conventions.ts"
import * as FurtherKeys from "./FurtherKeys.ts"

export interface Row {
  /** The name after the prefix: `RETRY_BUDGET` of `TALLYSTICK_RETRY_BUDGET`. */
  readonly name: string
  /** The allowed values, with units and range. */
  readonly allowed: string
  /** Whether the setting must be given. */
  readonly required?: true
  /** Whether its value is a secret. */
  readonly secret?: true
}

export interface Setting<A> extends Row {
  readonly schema: Schema.Codec<A, unknown>
  /** The default as it would be written; the schema decodes it. */
  readonly default: string | number | boolean | Conventions.Changes
}

const LENGTH = "\\d+(?:\\.\\d+)?\\s+(?:milli|second|minute|hour|day)s?"

/** A length of time as people write it, or in ms. */
const duration = (shortest: 0 | 1) =>
  Schema.Union([
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(shortest)).pipe(Schema.decodeTo(Schema.DurationFromMillis)),
    Schema.String.check(Schema.isPattern(/^\d{1,15}$/)).pipe(
      Schema.decodeTo(Schema.FiniteFromString),
      Schema.decodeTo(Schema.DurationFromMillis)
    ),
    Schema.String.check(Schema.isPattern(new RegExp(`^${LENGTH}$`))).pipe(Schema.decodeTo(Schema.DurationFromString))
  ]).check(
    Schema.makeFilter((length: Duration.Duration) => Duration.isFinite(length) && Duration.toMillis(length) >= shortest)
  )

const integer = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const make = () => {
  const requests = integer(1, 100_000)
  const Rate = Schema.Struct({ requests, window: duration(1) })
  const ofText = Schema.String.check(Schema.isPattern(new RegExp(`^[1-9]\\d{0,5}(?:\\s*/\\s*(?:\\d+|${LENGTH}))?$`)))
  const written = Schema.Union([requests, ofText]).pipe(
    Schema.decodeTo(
      Schema.Struct({ requests: Schema.Int, window: Schema.Union([Schema.Int, Schema.String]) }),
      SchemaTransformation.transform({
        decode: (written) => {
          const [requests = "", window = "1 second"] = String(written).split("/").map((part) => part.trim())
          return { requests: Number(requests), window: /^\d+$/.test(window) ? Number(window) : window }
        },
        encode: ({ requests, window }) => `${requests}/${window}`
      })
    ),
    Schema.decodeTo(Rate)
  )
  return {
    baseUrl: {
      name: "BASE_URL",
      allowed: "an https address; http for loopback, or where ALLOW_HTTP says so",
      required: true
    },
    apiKey: {
      name: "API_KEY",
      allowed: "text",
      required: true,
      secret: true
    },
    secretKey: { name: "SECRET_KEY", allowed: "text", required: true, secret: true },
    apiKeys: { name: "API_KEYS", allowed: FurtherKeys.ALLOWED, secret: true },
    rate: {
      name: "RATE",
      allowed: "requests a second (20), or requests and a window (500/10 seconds)",
      schema: Schema.Union([Rate, written]),
      default: 20
    },
    timeout: {
      name: "TIMEOUT",
      allowed: "a length of time (30 seconds), or a number of milliseconds above 0",
      schema: duration(1),
      default: "30 seconds"
    },
    retries: {
      name: "RETRIES",
      allowed: "0 to 100",
      schema: integer(0, 100),
      default: 5
    },
    retryBudget: {
      name: "RETRY_BUDGET",
      allowed: "a length of time (2 minutes), or a number of milliseconds above 0",
      schema: duration(1),
      default: "2 minutes"
    },
    maxWait: {
      name: "MAX_WAIT",
      allowed: "a length of time (5 minutes), or a number of milliseconds; 0 waits for none",
      schema: duration(0),
      default: "5 minutes"
    },
    maxBody: {
      name: "MAX_BODY",
      allowed: "1024 to 1073741824",
      schema: integer(1024, 1024 ** 3),
      default: 33_554_432
    },
    concurrency: {
      name: "CONCURRENCY",
      allowed: "1 to 64",
      schema: integer(1, 64),
      default: 4
    },
    allowHttp: {
      name: "ALLOW_HTTP",
      allowed: "true or false",
      schema: Schema.Boolean,
      default: false
    },
    conventions: {
      name: "CONVENTIONS",
      allowed: "a JSON object with settings of Conventions",
      schema: Conventions.Conventions.mapFields(Struct.map(Schema.optionalKey)),
      default: {}
    }
  } as const satisfies Readonly<Record<string, Row | Setting<unknown>>>
}

export const table = /*#__PURE__*/ make()

/** Returns the default of a setting, decoded. */
export const fallback = <A>({ default: written, schema }: Setting<A>): A => Schema.decodeSync(schema)(written)

/**
 * The meaning of each setting, in a sentence or two without a full stop. It stands outside of the table, so that no bundle
 * carries these words.
 */
export const meanings: Readonly<Record<keyof typeof table, string>> = {
  baseUrl: "Address of the exchange, with any path prefix; https unless it is this machine",
  apiKey: "The key. For reports SPOT_TRANSFER_READ and SPOT_DEPOSIT_READ are enough",
  secretKey: "The key's secret",
  apiKeys:
    "Further keys of the same master, which sign requests in turn with the first; keys are made by the first alone",
  rate:
    "Requests a second, or requests in a window (500/10 seconds). No sliding window at the exchange ever holds more, of all keys " +
    "or of each, as ratePer of the conventions says",
  timeout: "Longest wait for one answer; the wait for a permit does not count",
  retries: "Attempts after the first, for requests that are safe to repeat",
  retryBudget: "Longest time that all attempts of one call may take together; a Retry-After is waited out beside it",
  maxWait: "Longest Retry-After or ban that is waited out; beyond it the call fails and says how long is left",
  maxBody: "Longest answer, in bytes",
  concurrency: "Slices of a scan that are read at once",
  allowHttp: "Whether plain http is allowed to hosts other than loopback",
  conventions: "Settings of Conventions to change; what is not given stays as it is"
}
