import * as Broker from "@tallystick/core/Broker"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const program = Effect.gen(function*() {
  const { apiKey, baseUrl, history, secretKey } = yield* Sandbox.Sandbox
  const broker = yield* Broker.Broker.make({ baseUrl, apiKey, secretKey })
  const { records } = yield* broker.subAccountDeposits({ limit: 100 })
  yield* Console.log(`${records.length} of the sandbox's ${history.deposits.length} deposits on one page`)
})

await program.pipe(
  Effect.provide([Sandbox.Sandbox.layer({ history: { deposits: 1000, seed: 7 } }), FetchHttpClient.layer]),
  Effect.runPromise
)
