/**
 * What the client counts and measures, for whatever exporter a program has.
 *
 * Effect keeps these in `Metric.MetricRegistry`. Names follow OpenTelemetry; the attribute `unit` is the UCUM unit, which
 * Effect's exporters read from there. Every attribute has few values: no account, no record, no time is among them. A
 * series is addressed by all of its attributes:
 * `Metric.value(Metric.withAttributes(Metrics.requests, { operation: "subAccountDeposits", outcome: "ok" }))`.
 *
 * | attribute | values |
 * |---|---|
 * | `operation` | `createApiKey`, `universalTransfers`, `subAccountDeposits`, `serverTime` |
 * | `outcome` | `ok`, the tag of a `BrokerError.Reason`, `interrupted`, or `defect` |
 * | `reason` | the tag of the `BrokerError.Reason` that made another attempt necessary |
 */
import * as Metric from "effect/Metric"

/** Bounds that OpenTelemetry recommends for durations of HTTP requests, seconds. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Requests that were sent, each attempt for itself, by `operation` and `outcome`. */
export const requests = Metric.counter("tallystick.client.requests", {
  description: "Requests sent to the service, every attempt counted",
  attributes: { unit: "{request}" },
  incremental: true
})

/**
 * Calls of an operation, all attempts and waits together, by `operation` and `outcome`. A page of a scan is a call. Worth
 * an alarm: `createApiKey` with `OutcomeUnknown`.
 */
export const calls = Metric.counter("tallystick.client.calls", {
  description: "Calls of an operation, whatever number of attempts they took",
  attributes: { unit: "{call}" },
  incremental: true
})

/** Attempts after the first of a call, by `operation` and `reason`. */
export const retries = Metric.counter("tallystick.client.retries", {
  description: "Attempts after the first",
  attributes: { unit: "{retry}" },
  incremental: true
})

/** How long a request waited for its permit under the rate limit, seconds. */
export const permitWait = Metric.histogram("tallystick.client.permit.wait", {
  description: "Time until the rate limit let a request go",
  attributes: { unit: "s" },
  boundaries: durations
})

/**
 * How long an attempt took from sending to the whole answer, seconds. Attributes as OpenTelemetry has them:
 * `http.request.method`, `url.template`, `url.scheme`, `server.address`, `server.port`, `http.response.status_code` where
 * an answer came, `error.type` (as `outcome`) where it failed.
 */
export const requestDuration = Metric.histogram("http.client.request.duration", {
  description: "Duration of HTTP client requests",
  attributes: { unit: "s" },
  boundaries: durations
})

/** Pages of records that came, by `operation`. */
export const pages = Metric.counter("tallystick.client.pages", {
  description: "Pages of records that came",
  attributes: { unit: "{page}" },
  incremental: true
})

/** Records that came and could be read, by `operation`. A record on two pages counts twice. */
export const records = Metric.counter("tallystick.client.records", {
  description: "Records that came and could be read",
  attributes: { unit: "{record}" },
  incremental: true
})

/** Records that came and could not be read, by `operation`. */
export const badRecords = Metric.counter("tallystick.client.bad_records", {
  description: "Records that came and could not be read",
  attributes: { unit: "{record}" },
  incremental: true
})

/** Server time minus local time as last measured, milliseconds, by `server.address` and `server.port`. */
export const clockOffset = Metric.gauge("tallystick.client.clock.offset", {
  description: "Server time minus local time, as last measured",
  attributes: { unit: "ms" }
})

/**
 * How long the longest ban (HTTP 418) still lasts, seconds, by `server.address` and `server.port`; 0 when it is over, absent
 * before the first. It counts down as it is read.
 */
export const banRemaining = Metric.gauge("tallystick.client.ban.remaining", {
  description: "Time until the service's ban ends",
  attributes: { unit: "s" }
})
