import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const ExchangeTest = Sandbox.Sandbox.layerBroker().pipe(
  Layer.provideMerge([
    Sandbox.Sandbox.layer({
      history: { seed: 7, deposits: 100 },
      faults: { wire: [{ kind: "reset", at: "body", operations: ["createApiKey"], requests: [1] }] }
    }),
    NodeHttpClient.layerUndici
  ])
)

it.live("does not ask for a key twice when the connection breaks within the answer", () =>
  Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const { exchange } = yield* Sandbox.Sandbox
    const error = yield* Effect.flip(
      broker.createApiKey({ subAccount: "sub00001", note: "nightly report", permissions: ["SPOT_DEPOSIT_READ"] })
    )
    assert.strictEqual(error.reason._tag, "OutcomeUnknown")
    // The key was made all the same: the sandbox knows what the program cannot.
    assert.strictEqual((yield* exchange.keys).length, 1)
  }).pipe(Effect.provide(ExchangeTest)))
