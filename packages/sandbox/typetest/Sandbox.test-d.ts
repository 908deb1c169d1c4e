/** What whoever tests against the sandbox may rely on. */
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import type * as HttpClient from "effect/http/HttpClient"
import type { ServeError } from "effect/http/HttpServerError"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { expectTypeOf } from "vitest"

// A socket may be taken; in process nothing can go wrong, and the client comes along.
expectTypeOf(Sandbox.Sandbox.layer()).toEqualTypeOf<Layer.Layer<Sandbox.Sandbox, ServeError>>()
expectTypeOf(Sandbox.Sandbox.layerInProcess()).toEqualTypeOf<
  Layer.Layer<Sandbox.Sandbox | HttpClient.HttpClient>
>()

// Its key opens nothing else, and is a secret all the same.
expectTypeOf<Sandbox.Service["secretKey"]>().toEqualTypeOf<Redacted.Redacted>()
expectTypeOf<Sandbox.Service["truth"]>().toEqualTypeOf<Sandbox.Service["history"]["truth"]>()
