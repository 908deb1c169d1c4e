/** The writer's lock of a PostgreSQL archive is a lease: it does not outlive a process that stands still or is cut off. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as Drivers from "../src/internal/Drivers.ts"
import * as Migrations from "../src/internal/migrations/Migrations.ts"
import * as Lease from "../src/internal/postgres/Lease.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { temporaryDatabase } from "./support/databases.ts"
import * as Holder from "./support/Holder.ts"
import * as Network from "./support/Network.ts"
import * as Pooler from "./support/Pooler.ts"
import { reason } from "./support/reason.ts"
import { client, write, written } from "./support/Stamps.ts"

const SECOND = 1000

/** As short as a lease may be: the tests wait for its end. */
const SHORT = SECOND

/** The promise is 15 seconds for a lease of 10. A busy machine may need the rest to notice, ms by the server's clock. */
const SOON = SHORT * 1.5 + 4 * SECOND

const open = (url: Redacted.Redacted, lease?: number) =>
  Effect.map(
    Layer.build(Layer.fresh(Drivers.layerPostgres({
      url,
      ...(lease === undefined ? {} : { lease: Duration.millis(lease) })
    }))),
    (context) => Context.get(context, Database)
  )

/** The server's clock, Unix ms. */
const now = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ now: number }>`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
    ([row]) => row?.now ?? Number.NaN
  )

/** Another who comes for it again and again. */
const taken = (database: Database["Service"], purpose: string) => Effect.eventually(database.exclusive(purpose))

const places = [
  { name: "", via: (url: Redacted.Redacted) => Effect.succeed(url) },
  {
    name: " behind a pooler in transaction mode",
    via: (url: Redacted.Redacted) =>
      Effect.map(Pooler.before(new URL(Redacted.value(url))), ({ href }) => Redacted.make(href))
  }
]

describe.each(places)("the lock of a PostgreSQL archive$name", ({ via }) => {
  const holding = Effect.gen(function*() {
    const direct = yield* temporaryDatabase
    const url = yield* via(direct)
    const holder = yield* Holder.start({ _tag: "Postgres", url }, { program: "writer.ts", lease: SHORT })
    for (const line of ["open", "claim sync", "write held"]) assert.strictEqual(yield* holder.tell(line), "ok")
    return { holder, database: yield* open(url, SHORT), admin: yield* client(direct) }
  })

  it.live("is given free when its holder stands still, which writes nothing more when it wakes", () =>
    Effect.gen(function*() {
      const { admin, database, holder } = yield* holding
      const from = yield* now(admin)
      yield* holder.pause
      yield* Effect.scoped(Effect.gen(function*() {
        yield* taken(database, "import")
        assert.isBelow((yield* now(admin)) - from, SOON)
        yield* write(database, "next")
      }))
      yield* holder.resume
      assert.strictEqual(yield* holder.tell("write lost"), "Superseded")
      assert.strictEqual(yield* holder.tell("release"), "ok")
      assert.deepStrictEqual(yield* written(admin), ["held", "next"])
      assert.strictEqual(yield* holder.tell("claim sync"), "ok")
      assert.strictEqual(yield* holder.tell("write later"), "ok")
      assert.deepStrictEqual(yield* written(admin), ["held", "later", "next"])
    }).pipe(Effect.scoped))

  it.live("is given free when its holder stands still in a transaction, of which nothing is kept", () =>
    Effect.gen(function*() {
      const { admin, database, holder } = yield* holding
      const told = yield* Effect.forkScoped(holder.tell("stop begun"), { startImmediately: true })
      yield* Effect.scoped(Effect.gen(function*() {
        yield* taken(database, "import")
        yield* write(database, "next")
      }))
      yield* holder.resume
      assert.strictEqual(yield* Fiber.join(told), "Unreachable")
      assert.strictEqual(yield* holder.tell("write lost"), "Superseded")
      assert.deepStrictEqual(yield* written(admin), ["held", "next"])
    }).pipe(Effect.scoped))
})

describe("the lease of a PostgreSQL archive", () => {
  const SESSION = "state = 'idle in transaction' AND datname = current_database()"
  const at = (sql: SqlClient.SqlClient) =>
    Effect.map(
      sql.unsafe<{ at: string }>(`SELECT state_change::text AS at FROM pg_stat_activity WHERE ${SESSION}`),
      (rows) => {
        assert.lengthOf(rows, 1)
        return rows[0]?.at
      }
    )

  it.effect("is renewed three times in its length, by what keeps no row from being cleaned up", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const hour = Duration.hours(1)
      yield* (yield* open(url, Duration.toMillis(hour))).exclusive("sync")
      for (let sign = 0; sign < 4; sign++) {
        const before = yield* at(admin)
        yield* TestClock.adjust(Duration.minutes(20))
        yield* Effect.repeat(at(admin), { until: (after) => after !== before })
        const held = admin.unsafe(`SELECT backend_xid::text, backend_xmin::text FROM pg_stat_activity WHERE ${SESSION}`)
        assert.deepStrictEqual(yield* held.values, [[null, null]])
      }
    }).pipe(Effect.scoped))

  it.live("is 10 seconds, and at least one", () =>
    Effect.sync(() => {
      assert.strictEqual(Lease.length(), 10 * SECOND)
      assert.strictEqual(Lease.length("1 millis"), SECOND)
      assert.strictEqual(Lease.length("1500.4 millis"), 1500)
      assert.strictEqual(Lease.length(Duration.infinity), 2 ** 31 - 1)
    }))

  it.live("bounds transactions and nothing else", () =>
    Effect.gen(function*() {
      const { sql } = yield* open(yield* temporaryDatabase, 2 * SECOND)
      const bounds = Effect.map(
        sql<{ idle: string; unsent: string }>`SELECT current_setting('idle_in_transaction_session_timeout') AS idle,
          current_setting('tcp_user_timeout') AS unsent`,
        ([row]) => row
      )
      assert.strictEqual((yield* sql.withTransaction(bounds))?.idle, "2s")
      assert.include(["2000", "2s", "0"], (yield* sql.withTransaction(bounds))?.unsent)
      assert.deepStrictEqual(yield* bounds, { idle: "0", unsent: "0" })
    }).pipe(Effect.scoped))

  it.live("ends when the network carries nothing more, and whoever was cut off writes nothing after it", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const network = yield* Network.before(new URL(Redacted.value(url)))
      const admin = yield* client(url)
      const [near, far] = [yield* open(url, SHORT), yield* open(Redacted.make(network.url.href), SHORT)]
      yield* Effect.scoped(Effect.gen(function*() {
        yield* far.exclusive("sync")
        yield* write(far, "held")
        const from = yield* now(admin)
        yield* network.cut
        const late = yield* Effect.forkScoped(reason(write(far, "lost")), { startImmediately: true })
        yield* taken(near, "import")
        assert.isBelow((yield* now(admin)) - from, SOON)
        yield* network.heal
        assert.strictEqual((yield* Fiber.join(late))._tag, "Superseded")
      }))
      assert.deepStrictEqual(yield* written(admin), ["held"])
    }).pipe(Effect.scoped))

  it.live("is no way around a change of the tables: who lost it before writes nothing after", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const earlier = yield* open(url, SHORT)
      yield* earlier.exclusive("sync")
      yield* write(earlier, "held")
      yield* admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`
      const before = yield* written(admin)
      yield* admin`DELETE FROM ${admin(Migrations.TABLE)} WHERE migration_id = ${Migrations.KNOWN}`
      yield* admin`DROP TABLE items, item_terms`
      yield* admin`DROP INDEX entry_states_outcome`
      yield* Effect.eventually(Effect.scoped(open(url, SHORT)))
      const lost = yield* reason(write(earlier, "lost"))
      assert.strictEqual(lost._tag, "Superseded")
      assert.include(lost.message, "was taken over by a later version of Tallystick, process ")
      assert.deepStrictEqual(yield* written(admin), before)
    }).pipe(Effect.scoped))
})
