/** The real client against the sandbox in one process: no sockets, no waiting. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Conventions from "@tallystick/core/Conventions"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import type * as Exchange from "@tallystick/sandbox/Exchange"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"

const apiKey = "test-key"
const secret = "test-secret"

export const credentials = [{
  apiKey,
  secretKey: Redacted.make(secret),
  permissions: ["SPOT_ACCOUNT_READ", "SPOT_ACCOUNT_WRITE", "SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"]
}]

/** As the real one, but at once: nothing then happens outside of virtual time. */
const signer = Layer.succeed(Signer.Signer, {
  sign: (payload) => Effect.sync(() => createHmac("sha256", secret).update(payload).digest("hex"))
})

const unlimited = Layer.succeed(RateLimit.RateLimit, { permit: (attempt) => attempt })

/** At most so many requests in any second, for a client that is limited. */
export const RATE = 20

const make = (
  exchange: Exchange.Exchange["Service"],
  limit: Layer.Layer<RateLimit.RateLimit, BrokerConfig.ConfigurationError>,
  options: Partial<BrokerConfig.UnsignedOptions>
): Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError> =>
  Broker.Broker.layerNoDeps({ baseUrl: "http://localhost", apiKey: Redacted.make(apiKey), ...options }).pipe(
    Layer.provide([limit, signer, Layer.succeed(HttpClient.HttpClient, Sandbox.httpClient(exchange))])
  )

/** Sends each request once and at once. */
export const unhurt = (exchange: Exchange.Exchange["Service"], conventions: Conventions.Conventions) =>
  make(exchange, unlimited, { conventions, retries: 0 })

/** As in production: rate, retries and patience. */
export const patient = (exchange: Exchange.Exchange["Service"], options: Partial<BrokerConfig.UnsignedOptions> = {}) =>
  make(exchange, RateLimit.RateLimit.layer({ rate: { requests: RATE, window: Duration.seconds(1) }, ...options }), {
    retries: 4,
    timeout: "10 seconds",
    maxBody: 300_000,
    ...options
  })
