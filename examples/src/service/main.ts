import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Broker from "@tallystick/core/Broker"
import * as ReportApiServer from "@tallystick/report/ReportApiServer"
import * as Reports from "@tallystick/report/Reports"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { Api, Guard } from "./Api.ts"
import { RoundsLayer } from "./Rounds.ts"
import { TelemetryLayer } from "./Telemetry.ts"

/** Of equal length, so that the time of comparing tells nothing of the token. */
const digest = (token: Redacted.Redacted) => createHash("sha256").update(Redacted.value(token)).digest()

const GuardLayer = Layer.effect(
  Guard,
  Effect.map(Config.Redacted("BOOKS_TOKEN"), (token) =>
    Guard.of({
      bearer: (answer, { credential }) =>
        timingSafeEqual(digest(credential), digest(token)) ? answer : Effect.fail(new HttpApiError.Unauthorized({}))
    }))
)

const HealthLayer = HttpApiBuilder.group(Api, "health", (handlers) => handlers.handle("ready", () => Effect.void))

const ApiLayer = Layer.merge(
  HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide([HealthLayer, ReportApiServer.layer(Api)]),
    Layer.provide(GuardLayer)
  ),
  // A page for people, of the description alone: it shows no report.
  HttpApiScalar.layer(Api, { path: "/docs" })
)

const ServerLayer = HttpRouter.serve(ApiLayer).pipe(
  Layer.provide(NodeHttpServer.layerConfig(createServer, {
    host: Config.succeed("127.0.0.1"),
    port: Config.Int("PORT").pipe(Config.withDefault(8080)),
    // Those who watch never go by themselves.
    gracefulShutdownTimeout: Config.succeed("1 second")
  }))
)

const MainLayer = Layer.merge(ServerLayer, RoundsLayer).pipe(
  Layer.provide(Reports.Reports.layer()),
  Layer.provide(Broker.Broker.layerConfig()),
  Layer.provide(FetchHttpClient.layer),
  // Telemetry is built first and closed last: it delivers the last spans.
  Layer.provide(TelemetryLayer)
)

NodeRuntime.runMain(Layer.launch(MainLayer))
