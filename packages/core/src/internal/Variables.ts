/** The variables of the client: what each means, what it may be, and what it is when it is not set. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Rate } from "../RateLimit.ts"

export const PREFIX = "TALLYSTICK"

export interface Variable {
  /** `TALLYSTICK_RATE`; inside this package without the prefix. */
  readonly name: string
  /** One sentence or two, in Markdown. */
  readonly meaning: string
  /** What it may be, with units and range. */
  readonly allowed: string
  /** As it would be written; absent where there is none. */
  readonly default?: string
  /** Whether nothing works without it. */
  readonly required?: true
  /** Whether its value is a secret. */
  readonly secret?: true
}

/** What reading it needs: what it means is told where all of them are listed, so that no bundle carries the words. */
export interface Parsed<A> extends Omit<Variable, "meaning"> {
  readonly default: string
  readonly parse: (text: string) => Option.Option<A>
  readonly fallback: () => A
}

const parsed = <A>(
  parse: (text: string) => Option.Option<A>,
  variable: Omit<Variable, "meaning"> & { readonly default: string }
): Parsed<A> => ({ ...variable, parse, fallback: () => Option.getOrThrow(parse(variable.default)) })

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
const perWindow = (text: string): Option.Option<Rate> => {
  const [requests = "", window = "1 second", ...rest] = text.split("/")
  return rest.length > 0
    ? Option.none()
    : Option.all({ requests: integer(1, 100_000)(requests.trim()), window: duration(window.trim()) })
}

export const allowHttp = /*#__PURE__*/ parsed(boolean, {
  name: "ALLOW_HTTP",
  allowed: "true or false",
  default: "false"
})

export const rate = /*#__PURE__*/ parsed(perWindow, {
  name: "RATE",
  allowed: "requests a second (20), or requests and a window (500/10 seconds)",
  default: "20"
})

export const timeout = /*#__PURE__*/ parsed(duration, {
  name: "TIMEOUT",
  allowed: DURATION,
  default: "30 seconds"
})

export const retries = /*#__PURE__*/ parsed(/*#__PURE__*/ integer(0, 100), {
  name: "RETRIES",
  allowed: "0 to 100",
  default: "5"
})

export const retryBudget = /*#__PURE__*/ parsed(duration, {
  name: "RETRY_BUDGET",
  allowed: DURATION,
  default: "2 minutes"
})

export const maxWait = /*#__PURE__*/ parsed(duration, {
  name: "MAX_WAIT",
  allowed: DURATION,
  default: "5 minutes"
})

export const maxBody = /*#__PURE__*/ parsed(/*#__PURE__*/ integer(1024, 1024 ** 3), {
  name: "MAX_BODY",
  allowed: "1024 to 1073741824 bytes",
  default: "33554432"
})

export const concurrency = /*#__PURE__*/ parsed(/*#__PURE__*/ integer(1, 64), {
  name: "CONCURRENCY",
  allowed: "1 to 64",
  default: "4"
})

const listed = ({ allowed, default: usual, name }: Parsed<unknown>, meaning: string): Variable => ({
  name,
  meaning,
  allowed,
  default: usual
})

/** All of them, in the order of the documentation. */
export const all: ReadonlyArray<Variable> = [
  {
    name: "BASE_URL",
    meaning: "Address of the exchange, with any path prefix.",
    allowed: "an https URL; http for loopback, or where ALLOW_HTTP says so",
    required: true
  },
  {
    name: "API_KEY",
    meaning: "The key. For reports `SPOT_TRANSFER_READ` and `SPOT_DEPOSIT_READ` are enough.",
    allowed: "text",
    required: true,
    secret: true
  },
  { name: "SECRET_KEY", meaning: "The key's secret.", allowed: "text", required: true, secret: true },
  /*#__PURE__*/ listed(allowHttp, "`true` allows plain http to hosts other than loopback."),
  /*#__PURE__*/ listed(
    rate,
    "Requests a second, or in another window. No sliding window at the exchange ever holds more."
  ),
  /*#__PURE__*/ listed(timeout, "Longest wait for one answer; the wait for a permit does not count."),
  /*#__PURE__*/ listed(retries, "Attempts after the first, for requests that are safe to repeat."),
  /*#__PURE__*/ listed(
    retryBudget,
    "Longest time that all attempts of one call may take together; a Retry-After is waited out beside it."
  ),
  /*#__PURE__*/ listed(
    maxWait,
    "Longest Retry-After or ban that is waited out; beyond it the call fails and says how long is left."
  ),
  /*#__PURE__*/ listed(maxBody, "Longest answer, in bytes."),
  /*#__PURE__*/ listed(concurrency, "Slices of a scan that are read at once."),
  {
    name: "CONVENTIONS",
    meaning: "Settings of `Conventions` to change; what is not given stays as it is.",
    allowed: "a JSON object"
  }
]
