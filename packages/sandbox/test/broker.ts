/** The real client against the sandbox in one process: no sockets, no waiting. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Conventions from "@tallystick/core/Conventions"
import type * as Exchange from "@tallystick/sandbox/Exchange"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Duration from "effect/Duration"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

const apiKey = "test-key"
const secret = "test-secret"

export const credentials = [{
  apiKey,
  secretKey: Redacted.make(secret),
  permissions: ["SPOT_ACCOUNT_WRITE", "SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"]
}]

/** At most so many requests in any second, for a client that is limited. */
export const RATE = 20

const make = (
  exchange: Exchange.Exchange["Service"],
  options: Partial<BrokerConfig.Options>
): Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError> =>
  Broker.Broker.layer({
    baseUrl: "http://localhost",
    apiKey: Redacted.make(apiKey),
    secretKey: Redacted.make(secret),
    ...options
  }).pipe(
    // It signs at once: nothing then happens outside of virtual time.
    Layer.provide([NodeCrypto.layerMac, Layer.succeed(HttpClient.HttpClient, Sandbox.httpClient(exchange))])
  )

/** Sends each request once and at once. */
export const unhurt = (exchange: Exchange.Exchange["Service"], conventions: Conventions.Conventions) =>
  make(exchange, { conventions, retries: 0, rate: { requests: 100_000, window: Duration.seconds(1) } })

/** As in production: rate, retries and patience. */
export const patient = (exchange: Exchange.Exchange["Service"], options: Partial<BrokerConfig.Options> = {}) =>
  make(exchange, {
    rate: { requests: RATE, window: Duration.seconds(1) },
    retries: 4,
    timeout: "10 seconds",
    maxBody: 300_000,
    ...options
  })
