/** Declares the metrics of the client, for any exporter that a program has. */
import * as Metric from "effect/Metric"

/** The bounds that OpenTelemetry recommends for durations of HTTP requests, seconds. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Counts the requests that were sent, each attempt for itself, by `operation` and `outcome`. */
export const requests = Metric.counter("tallystick.client.requests", {
  description: "Requests sent to the service, every attempt counted",
  attributes: { unit: "{request}" },
  incremental: true
})

/**
 * Counts calls of an operation, all attempts and waits together, by `operation` and `outcome`. A page of a scan is a call. An
 * alarm is worth while for `createApiKey` with `OutcomeUnknown`.
 */
export const calls = Metric.counter("tallystick.client.calls", {
  description: "Calls of an operation, whatever number of attempts they took",
  attributes: { unit: "{call}" },
  incremental: true
})

/** Counts the attempts after the first one of a call, by `operation` and `reason`. */
export const retries = Metric.counter("tallystick.client.retries", {
  description: "Attempts after the first",
  attributes: { unit: "{retry}" },
  incremental: true
})

/** Measures how long a request waited for its permit under the rate limit, seconds. */
export const permitWait = Metric.histogram("tallystick.client.permit.wait", {
  description: "Time until the rate limit let a request go",
  attributes: { unit: "s" },
  boundaries: durations
})

/**
 * Measures how long an attempt took from sending to the whole answer, seconds. Its attributes are those of OpenTelemetry:
 * `http.request.method`, `url.template`, `url.scheme`, `server.address`, `server.port`, `http.response.status_code` where an
 * answer came, and `error.type` (as `outcome`) where the attempt failed.
 */
export const requestDuration = Metric.histogram("http.client.request.duration", {
  description: "Duration of HTTP client requests",
  attributes: { unit: "s" },
  boundaries: durations
})

/** Counts the pages of records that came, by `operation`. */
export const pages = Metric.counter("tallystick.client.pages", {
  description: "Pages of records that came",
  attributes: { unit: "{page}" },
  incremental: true
})

/** Counts the records that came and could be read, by `operation`. A record on two pages counts twice. */
export const records = Metric.counter("tallystick.client.records", {
  description: "Records that came and could be read",
  attributes: { unit: "{record}" },
  incremental: true
})

/** Counts the records that came and could not be read, by `operation`. */
export const badRecords = Metric.counter("tallystick.client.bad_records", {
  description: "Records that came and could not be read",
  attributes: { unit: "{record}" },
  incremental: true
})

/** Measures server time minus local time at the last reading, milliseconds, by `server.address` and `server.port`. */
export const clockOffset = Metric.gauge("tallystick.client.clock.offset", {
  description: "Server time minus local time, as last measured",
  attributes: { unit: "ms" }
})

/**
 * Measures how long the longest ban (HTTP 418) still lasts, seconds, by `server.address` and `server.port`. It is 0 when the ban
 * is over, and absent before the first ban. It counts down as it is read.
 */
export const banRemaining = Metric.gauge("tallystick.client.ban.remaining", {
  description: "Time until the service's ban ends",
  attributes: { unit: "s" }
})
