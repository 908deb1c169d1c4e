/** Measures the parts of the client: how long a request waited, how it ended, and what time the service tells. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type * as BrokerError from "../../BrokerError.ts"
import * as Metrics from "../../Metrics.ts"
import type * as RateLimit from "../../RateLimit.ts"
import * as Span from "../../Span.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import type * as Pause from "../time/Pause.ts"
import type * as ServerClock from "../time/ServerClock.ts"

/** The facts of a request that are no secret. `path` has neither the base URL's prefix nor a query. */
export interface Target {
  readonly operation: BrokerError.Operation
  readonly method: "GET" | "POST"
  readonly path: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
}

const NANOS = 1e9

const secondsSince = (start: bigint): Effect.Effect<number> =>
  Effect.map(Clock.monotonicTimeNanos, (now) => Number(now - start) / NANOS)

/** The outcomes of an operation that ends without an answer, or with one that cannot be read. */
const outcomes: Readonly<Record<string, string>> = {
  SendFailed: "Unavailable",
  BodyTooLong: "ProtocolError",
  NotText: "ProtocolError"
}

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "ok"
  const type = Span.failureType(exit.cause)
  return outcomes[type] ?? type
}

/** Returns the status that a failure tells where no whole answer came. */
const statusOf = (exit: Exit.Exit<unknown, unknown>): number | undefined => {
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  return typeof error === "object" && error !== null && "status" in error && typeof error.status === "number"
    ? error.status
    : undefined
}

/** Makes each series of a metric once. A new series merges and sorts its attributes, which costs more than the update. */
const series = <Input, State>(metric: Metric.Metric<Input, State>) => {
  const known = new Map<string, Metric.Metric<Input, State>>()
  return (attributes: Metric.Metric.AttributeSet): Metric.Metric<Input, State> => {
    const key = JSON.stringify(attributes)
    const found = known.get(key)
    if (found !== undefined) return found
    const made = Metric.withAttributes(metric, attributes)
    known.set(key, made)
    return made
  }
}

const calls = series(Metrics.calls)
const pages = series(Metrics.pages)
const records = series(Metrics.records)
const badRecords = series(Metrics.badRecords)
const retries = series(Metrics.retries)
const requests = series(Metrics.requests)
const requestDuration = series(Metrics.requestDuration)

/** Counts calls of an operation by how they ended. */
export const call =
  (operation: BrokerError.Operation) => <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onExit(
      self,
      (exit) => Metric.update(calls({ operation, outcome: outcomeOf(exit) }), 1)
    )

/** Counts a page and its records. */
export const page = (
  operation: BrokerError.Operation,
  page: { readonly bad: ReadonlyArray<unknown>; readonly records: ReadonlyArray<unknown> }
): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(pages({ operation }), 1),
    Effect.andThen(
      Metric.update(records({ operation }), page.records.length),
      Metric.update(badRecords({ operation }), page.bad.length)
    )
  )

/** Notes that a call goes on with another attempt, after `waited` ms. */
export const retry = Effect.fnUntraced(
  function*(operation: BrokerError.Operation, attempt: number, reason: BrokerError.Reason["_tag"], waited: number) {
    yield* Metric.update(retries({ operation, reason }), 1)
    const span = yield* Effect.option(Effect.currentSpan)
    if (Option.isSome(span)) span.value.event("retry", yield* Clock.currentTimeNanos, { reason, waited })
    yield* Effect.logDebug(`${operation} is tried again after ${Math.round(waited)} ms: ${reason}.`).pipe(
      Effect.annotateLogs({ operation, attempt, reason })
    )
  }
)

export const make = (baseUrl: string) => {
  const { hostname, port, protocol } = new URL(baseUrl)
  const scheme = protocol.slice(0, -1)
  const address = hostname.replace(/^\[|\]$/g, "")
  const number = port === "" ? (scheme === "https" ? 443 : 80) : Number(port)
  const server = { "server.address": address, "server.port": String(number) }

  /** Measures every wait for a permit. */
  const limit = ({ permit }: RateLimit.RateLimit["Service"]): RateLimit.RateLimit["Service"] => ({
    permit: (attempt) =>
      Effect.flatMap(Clock.monotonicTimeNanos, (asked) =>
        permit(
          Effect.flatMap(
            secondsSince(asked),
            (waited) => Effect.andThen(Metric.update(Metrics.permitWait, waited), attempt)
          )
        ))
  })

  const ban = Metric.withAttributes(Metrics.banRemaining, server)

  /** Measures the longest ban, which counts down as it is read. */
  const pause = (self: Pause.Pause): Pause.Pause => ({
    ...self,
    begin: (reason) =>
      Effect.tap(
        self.begin(reason),
        (begun) =>
          begun._tag !== "Banned" ? Effect.void : Effect.map(Effect.context(), (context) => {
            const get = (context: Context.Context<never>) => ({
              value: Math.max(0, self.banEnd() - MonotonicClock.millisUnsafe(Context.get(context, Clock.Clock))) / 1000
            })
            Metric.registerUnsafe(ban, context, { get, update: () => undefined, modify: () => undefined })
          })
      )
  })

  const clockOffset = Metric.withAttributes(Metrics.clockOffset, server)

  /** Measures every answer about the service's time. */
  const serverTime = <E>(read: Effect.Effect<Option.Option<ServerClock.Reading>, E>) =>
    Effect.tap(read, (reading) =>
      Option.match(reading, {
        onNone: () => Effect.void,
        onSome: ({ roundTrip, serverTime }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const offset = Math.round(serverTime - now)
            return Metric.update(clockOffset, offset).pipe(
              Effect.andThen(Effect.logDebug(`The service's clock is ${offset} ms from this machine's.`)),
              Effect.annotateLogs({ offset, roundTrip: Math.ceil(roundTrip) })
            )
          })
      }))

  /**
   * Measures one request on the wire: a span by OpenTelemetry's conventions for HTTP clients, a count and a duration. `send`
   * tells the status as soon as there is one.
   */
  const attempt = <A, E, R>(
    { attempt, method, operation, path }: Target,
    send: (answered: (status: number) => void) => Effect.Effect<A, E, R>
  ) => {
    const target = { "http.request.method": method, "url.template": path, "url.scheme": scheme }
    return Span.use(`${method} ${path}`, {
      kind: "client",
      attributes: {
        ...target,
        "server.address": address,
        "server.port": number,
        "tallystick.operation": operation,
        ...(attempt > 1 ? { "http.request.resend_count": attempt - 1 } : {})
      }
    }, (span) =>
      Effect.flatMap(Clock.monotonicTimeNanos, (started) => {
        let seen: number | undefined
        const answered = (status: number) => {
          seen = status
        }
        return Effect.onExit(send(answered), (exit) =>
          Effect.flatMap(secondsSince(started), (took) => {
            const outcome = outcomeOf(exit)
            const status = seen ?? statusOf(exit)
            if (status !== undefined) span.attribute("http.response.status_code", status)
            if (Exit.isFailure(exit) && outcome !== "interrupted") span.attribute("error.type", outcome)
            const duration = requestDuration({
              ...target,
              ...server,
              ...(status === undefined ? {} : { "http.response.status_code": String(status) }),
              ...(outcome === "ok" ? {} : { "error.type": outcome })
            })
            return Effect.andThen(
              Metric.update(requests({ operation, outcome }), 1),
              Metric.update(duration, took)
            )
          }))
      }))
  }

  return { limit, pause, serverTime, attempt }
}
