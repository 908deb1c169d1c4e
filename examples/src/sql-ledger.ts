import * as SqliteClient from "@tallystick/archive/SqliteClient"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as SqlSink from "@tallystick/reconcile/SqlSink"
import * as SqlSource from "@tallystick/reconcile/SqlSource"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** These are all our sub-accounts: a deposit to an address that nobody knows is one of theirs. */
const accounts = { list: ["sub00001", "sub00002"], complete: true }

const program = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const sql = yield* SqlClient.SqlClient
  const now = yield* broker.serverTime
  const policy = yield* Policy.make({ window: { after: "2 hours" }, late: "6 hours" })
  const wide = Policy.horizon(policy)
  const hour = Math.floor(now / HOUR) * HOUR
  const range = { from: hour - 32 * HOUR, to: hour - 8 * HOUR }
  const around = { policy, accounts, from: range.from - wide, to: now }

  const ledger = SqlSource.transfers({
    ...around,
    name: "bookings",
    // Our books are written within five minutes, and never changed. Only their owner can say so.
    completeTo: now - 5 * MINUTE,
    query: (sql, { from, to }) =>
      sql`SELECT booking AS id, currency AS asset, amount, booked_at AS at, sub_account AS account
        FROM bookings WHERE booked_at >= ${from} AND booked_at < ${to}`
  })

  yield* SqlSink.migrate()
  // The same range is the same run: repeated, or begun again after a failure, it adds nothing twice.
  const run = `${range.from}/${range.to}`
  yield* Reconciliation.events(BrokerSource.deposits(around), ledger, { policy, accounts, range }).pipe(
    Stream.run(SqlSink.make({ run }))
  )

  const breaks = yield* sql<{ code: string; explanation: string }>`SELECT code, explanation FROM tallystick_outcomes
    WHERE run = ${run} AND withdrawn = 0 AND outcome = 'discrepancy' ORDER BY at`
  yield* Effect.forEach(breaks, ({ code, explanation }) => Console.log(`${code}: ${explanation}`))
})

const MainLayer = Layer.merge(
  Broker.Broker.layerConfig().pipe(Layer.provide(FetchHttpClient.layer)),
  // For PostgreSQL: PgClient.layerConfig({ url: Config.Redacted("LEDGER_DATABASE") }) of @effect/sql-pg
  SqliteClient.layerConfig({ filename: Config.String("LEDGER_DATABASE") })
)

await program.pipe(Effect.provide(MainLayer), Effect.runPromise)
