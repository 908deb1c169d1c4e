import * as Broker from "@tallystick/core/Broker"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const program = Effect.gen(function*() {
  const { history } = yield* Sandbox.Sandbox
  const broker = yield* Broker.Broker
  const { records } = yield* broker.subAccountDeposits({ limit: 100 })
  yield* Console.log(`${records.length} of the sandbox's ${history.deposits.length} deposits on one page`)
})

const MainLayer = Sandbox.Sandbox.layerBroker().pipe(
  Layer.provideMerge([Sandbox.Sandbox.layer({ history: { deposits: 1000, seed: 7 } }), FetchHttpClient.layer])
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
