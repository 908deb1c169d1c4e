/** Sends spans, metrics and log lines to a collector, by OTLP over HTTP. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"

export const TelemetryLayer = Layer.unwrap(
  Effect.map(
    Config.String("COLLECTOR_URL"),
    (baseUrl) => Otlp.layerJson({ baseUrl, resource: { serviceName: "books" }, shutdownTimeout: "2 seconds" })
  )
).pipe(Layer.provide(FetchHttpClient.layer))
