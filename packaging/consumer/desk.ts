/** A user's program that uses all packages: an exchange in process, a signer of its own, an archive, a report, a table. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as Table from "@tallystick/report/Table"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const ExchangeLayer = Sandbox.Sandbox.layerInProcess({
  history: { deposits: 300, subAccounts: 5, seed: 7 },
  rules: { rate: null }
})

const SignerLayer = Layer.effect(
  Signer.Signer,
  Sandbox.Sandbox.use(({ secretKey }) =>
    Effect.map(Signer.Signer.make(secretKey), ({ sign }) => ({ sign: (payload: string) => sign(payload) }))
  )
)

const BrokerLayer = Layer.unwrap(
  Sandbox.Sandbox.useSync(({ brokerOptions }) =>
    Broker.Broker.layerNoDeps(brokerOptions).pipe(
      Layer.provide([RateLimit.RateLimit.layer(brokerOptions), SignerLayer])
    )
  )
)

const MainLayer = Layer.merge(BrokerLayer, Archive.Archive.layerMemory()).pipe(Layer.provideMerge(ExchangeLayer))

const program = Effect.gen(function*() {
  const { history } = yield* Sandbox.Sandbox
  const accounts = { list: history.subAccounts, complete: true }
  const { completeTo } = yield* Sync.run({ accounts })
  const to = completeTo ?? (yield* Clock.currentTimeMillis)
  const range = { from: to - 24 * 3_600_000, to }
  const { report } = yield* ArchiveReconciliation.record({ range, accounts, addresses: history.addressBook })
  yield* Console.log(Table.render(report))
})

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
