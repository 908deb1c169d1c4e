/** Tells the metrics of a process and of an archive in the text format of Prometheus. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Gauges from "./Gauges.ts"

/** The type of the text, for the header `Content-Type`. */
export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** The endings by which Prometheus tells a unit; what is counted by itself has none. */
const units: Readonly<Record<string, string>> = { s: "_seconds", ms: "_milliseconds", By: "_bytes" }

/** Names a metric as OpenTelemetry does for Prometheus: with its unit, and a counter with `_total`. */
const nameOf = ({ attributes, id, type }: Metric.Metric.Snapshot): string => {
  const unit = units[attributes?.["unit"] ?? ""] ?? ""
  return `${id}${unit}${type === "Counter" ? "_total" : ""}`
}

/** Tells the metrics of the registry that a context has. */
const format = (context: Context.Context<never>): string => {
  const names = new Map(Metric.snapshotUnsafe(context).map((metric) => [metric.id, nameOf(metric)]))
  return PrometheusMetrics.formatUnsafe(context, { metricNameMapper: (id) => names.get(id) ?? id })
}

/**
 * Gives the text: every metric of the process, and the facts of an archive as they were read last; without a reading it says that there
 * is none. It asks nobody.
 */
export const text = Effect.fnUntraced(function*(reading: Gauges.Reading | undefined) {
  const context = yield* Effect.context()
  const own = Context.add(context, Metric.MetricRegistry, new Map())
  yield* Effect.provideContext(Gauges.set(reading), own)
  return format(context) + format(own)
})
