import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Table from "@tallystick/report/Table"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const HOUR = 3_600_000
/** These are all our sub-accounts: a deposit to an address that nobody knows is one of theirs. */
const accounts = { list: ["sub00001", "sub00002"], complete: true }

const bytes = (file: string) => Stream.unwrap(Effect.map(FileSystem.FileSystem, (files) => files.stream(file)))

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const now = yield* broker.serverTime
  const policy = yield* Policy.make({ window: { after: "2 hours" }, late: "6 hours" })
  const wide = Policy.horizon(policy)
  const range = { from: now - 32 * HOUR, to: now - 8 * HOUR }

  const deposits = BrokerSource.deposits({ policy, accounts, from: range.from - wide, to: now })
  const file = yield* Config.String("LEDGER")
  const ledger = bytes(file).pipe(
    EntryStream.fromCsv({
      side: "transfer",
      name: file,
      // The ledger's own columns: booking, currency, amount, booked_at (ISO 8601), sub_account.
      names: { id: "booking", asset: "currency", at: "booked_at", account: "sub_account" },
      policy,
      accounts,
      // The ledger holds every booking up to now, and only its owner can say so.
      coverage: [{ operation: "transfers", from: 0, to: now, readAt: now, state: "complete" }]
    })
  )

  const report = yield* Reconciliation.reconcile(deposits, ledger, { policy, accounts, range })
  yield* Console.log(Table.render(report, { width: 100 }))
})

const MainLayer = Layer.merge(
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)),
  NodeServices.layer
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
