/** The real client against the sandbox in one process: no sockets, no waiting. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Conventions from "@tallystick/core/Conventions"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import type * as Exchange from "@tallystick/sandbox/Exchange"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"

const apiKey = "test-key"
const secret = "test-secret"

export const credentials = [{
  apiKey,
  secretKey: Redacted.make(secret),
  permissions: ["SPOT_ACCOUNT_WRITE", "SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"]
}]

/** Signs at once, so that a simulation of thousands of requests spends its time on paging. */
const signer = Layer.succeed(Signer.Signer, {
  sign: (payload) => Effect.sync(() => createHmac("sha256", secret).update(payload).digest("hex"))
})

const unlimited = Layer.succeed(RateLimit.RateLimit, { permit: (attempt) => attempt })

const transport = (exchange: Exchange.Exchange["Service"]) =>
  HttpClient.make((request, url) =>
    Effect.map(
      exchange.handle({
        method: request.method,
        path: url.pathname,
        rawQuery: url.search.slice(1),
        headers: request.headers,
        body: ""
      }),
      ({ body, headers, status }) => HttpClientResponse.fromWeb(request, new Response(body, { status, headers }))
    )
  )

export const make = (
  exchange: Exchange.Exchange["Service"],
  conventions: Conventions.Conventions,
  options: Partial<BrokerConfig.Options> = {}
): Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError> =>
  Broker.Broker.layerNoDeps.pipe(
    Layer.provide([
      BrokerConfig.BrokerConfig.layer({
        baseUrl: "http://localhost",
        apiKey: Redacted.make(apiKey),
        secretKey: Redacted.make(secret),
        conventions,
        retries: 0,
        ...options
      }),
      signer,
      unlimited,
      Layer.succeed(HttpClient.HttpClient, transport(exchange))
    ])
  )
