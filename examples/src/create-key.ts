import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Broker from "@tallystick/core/Broker"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const makeKey = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const { note, permissions, subAccount } = yield* broker.createApiKey({
    subAccount: "sub00001",
    permissions: ["SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"],
    // If the answer is lost, only the note finds the key again: never use a note twice.
    note: "nightly report 2026-11"
  })
  // `secretKey` is Redacted and is shown this once: hand it to your vault here.
  yield* Console.log(`${subAccount} has a key for ${permissions.join(" and ")}, noted as ${note}`)
}).pipe(
  Effect.catchReason(
    "BrokerError",
    "OutcomeUnknown",
    ({ note, subAccount }) =>
      Console.error(`Nobody knows whether it was made: look for ${note} among the keys of ${subAccount}`)
  )
)

// undici sends a request once. Node's fetch may send it again by itself, and so make two keys.
const BrokerLayer = Broker.Broker.layerConfig().pipe(Layer.provide(NodeHttpClient.layerUndici))

await makeKey.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
