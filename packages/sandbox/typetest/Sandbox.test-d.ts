/** What whoever tests against the sandbox may rely on. */
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import type * as HttpClient from "effect/http/HttpClient"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { expectTypeOf } from "vitest"

// A socket may be taken; in process nothing can go wrong, and the client comes along.
expectTypeOf(Sandbox.Sandbox.layer()).toEqualTypeOf<Layer.Layer<Sandbox.Sandbox, ServeError>>()
expectTypeOf(Sandbox.Sandbox.layerInProcess()).toEqualTypeOf<
  Layer.Layer<Sandbox.Sandbox | HttpClient.HttpClient>
>()

// A broker of either: it needs a sandbox and a client, and only wrong options can fail.
expectTypeOf(Sandbox.Sandbox.layerBroker).returns.toEqualTypeOf<
  Layer.Layer<Broker.Broker, BrokerConfig.ConfigurationError, Sandbox.Sandbox | HttpClient.HttpClient>
>()
expectTypeOf(Sandbox.Sandbox.layerBroker().pipe(Layer.provideMerge(Sandbox.Sandbox.layerInProcess()))).toEqualTypeOf<
  Layer.Layer<Broker.Broker | Sandbox.Sandbox | HttpClient.HttpClient, BrokerConfig.ConfigurationError>
>()
expectTypeOf<Sandbox.Service["brokerOptions"]>().toEqualTypeOf<BrokerConfig.Options>()

// Its key opens nothing else, and is a secret all the same.
expectTypeOf<Sandbox.Service["secretKey"]>().toEqualTypeOf<Redacted.Redacted>()
expectTypeOf<Sandbox.Service["truth"]>().toEqualTypeOf<Sandbox.Service["history"]["truth"]>()
