// Records decode faster. It is global, so the libraries never do it for you.
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Broker from "@tallystick/core/Broker"
import * as Report from "@tallystick/reconcile/Report"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "./Books.ts"
import * as Desk from "./Desk.ts"
import * as Ledger from "./Ledger.ts"

const HOUR = 3_600_000

const yesterday = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const to = (yield* broker.serverTime) - 9 * HOUR
  const { clean, counts } = yield* Books.close({ from: to - 24 * HOUR, to })
  const breaks = counts.filter(({ outcome }) => outcome === "discrepancy").reduce(
    (sum, count) => sum + Report.outcomesListed(count),
    0
  )
  yield* Console.log(clean ? "The books agree." : `${breaks} cases are on the desk.`)
})

const MainLayer = Layer.mergeAll(Broker.Broker.layerConfig(), Ledger.Ledger.layerHttp, Desk.Desk.layerHttp).pipe(
  Layer.provide(NodeHttpClient.layerUndici)
)

await yesterday.pipe(Effect.provide(MainLayer), Effect.runPromise)
