import * as Broker from "@tallystick/core/Broker"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"

const yesterday = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const to = (yield* broker.serverTime) - 24 * 3_600_000
  const report = yield* BrokerReconciliation.run({
    range: { from: to - 24 * 3_600_000, to },
    accounts: { list: ["sub00001", "sub00002"], complete: false }
  })
  for (const { code, explanation, outcome } of report.outcomes) {
    if (outcome === "discrepancy") yield* Console.log(`${code}: ${explanation}`)
  }
  yield* Console.log(report.clean ? "The books agree." : "The books do not agree, or not everything can be known.")
})

const BrokerLayer = Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer))

await yesterday.pipe(Effect.provide(BrokerLayer), Effect.runPromise)
