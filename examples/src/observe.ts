import * as Broker from "@tallystick/core/Broker"
import * as Metrics from "@tallystick/core/Metrics"
import * as Span from "@tallystick/core/Span"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Otlp from "effect/observability/Otlp"

const OtlpLayer = Layer.unwrap(
  Effect.map(
    Config.String("COLLECTOR_URL"),
    (baseUrl) => Otlp.layerJson({ baseUrl, resource: { serviceName: "sweeper" } })
  )
)

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  yield* broker.subAccountDeposits({ limit: 10 })
  // The same metrics without an exporter.
  const answered = Metric.withAttributes(Metrics.requests, { operation: "subAccountDeposits", outcome: "ok" })
  const { count } = yield* Metric.value(answered)
  yield* Console.log(`${count} requests for deposits were answered`)
})

// The exporter is built first and closed last: it delivers the last spans.
const MainLayer = Broker.Broker.layerConfig().pipe(
  Layer.provideMerge(OtlpLayer),
  Layer.provide(FetchHttpClient.layer)
)

await program.pipe(Span.within("sweep"), Effect.provide(MainLayer), Effect.runPromise)
