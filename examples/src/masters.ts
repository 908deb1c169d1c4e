import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const reconcile = Effect.fnUntraced(
  function*(master: string) {
    const broker = yield* Broker.Broker
    const to = (yield* broker.serverTime) - 24 * 3_600_000
    const { clean, outcomes } = yield* BrokerReconciliation.run({
      range: { from: to - 24 * 3_600_000, to },
      accounts: { list: ["sub00001", "sub00002"], complete: false }
    })
    const { fingerprint } = yield* broker.origin
    yield* Console.log(
      `${master}, key ${fingerprint}: ${outcomes.length} outcomes, ${clean ? "the books agree" : "look at them"}`
    )
  },
  // Each has its own key, rate limit and clock, from NORTH_BASE_URL, NORTH_API_KEY, NORTH_RATE and so on.
  (effect, master) => Effect.provide(effect, Broker.Broker.layerConfig(BrokerConfig.config(master)))
)

await Effect.forEach(["NORTH", "SOUTH"], reconcile, { concurrency: 2, discard: true }).pipe(
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise
)
