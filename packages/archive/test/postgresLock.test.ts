/** The lock of a PostgreSQL archive, when it is lost, and behind a pooler that keeps no session for anybody. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Drivers from "../src/internal/Drivers.ts"
import { KNOWN } from "../src/internal/migrations/Migrations.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { temporaryDatabase } from "./support/databases.ts"
import * as Earlier from "./support/Earlier.ts"
import * as Holder from "./support/Holder.ts"
import * as Pooler from "./support/Pooler.ts"
import { reason } from "./support/reason.ts"
import { client, write, written } from "./support/Stamps.ts"

const open = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(Layer.fresh(Drivers.layerPostgres({ url }))), (context) => Context.get(context, Database))

const WRITER = 0x54616c7a

/** Ends the connection that holds the lock, and no other. */
const cut = (admin: SqlClient.SqlClient) =>
  Effect.map(
    admin`SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE locktype = 'advisory' AND classid = ${WRITER} AND datname = current_database()`,
    (rows) => assert.strictEqual(rows.length, 1)
  )

/** Another who comes for it; the server notices a moment later that a connection is gone. */
const taken = (database: Database["Service"], purpose: string) => Effect.eventually(database.exclusive(purpose))

describe("the lock of a PostgreSQL archive, also when its connection is cut", () => {
  it.live("is looked at without being taken: who lost it unnoticed goes on while nobody else took over", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const [first, second] = [yield* open(url), yield* open(url)]
      assert.deepStrictEqual(yield* second.holder, Option.none())
      yield* Effect.scoped(Effect.gen(function*() {
        yield* first.exclusive("sync")
        assert.match(Option.getOrThrow(yield* second.holder), /^sync, process \d+ on /)
        assert.match(Option.getOrThrow(yield* first.holder), /^sync, process \d+ on /)
        yield* cut(admin)
        yield* Effect.eventually(Effect.filterOrFail(second.holder, Option.isNone))
        yield* write(first, "still")
      }))
      assert.deepStrictEqual(yield* written(second.sql), ["still"])
    }))

  it.live("is noticed by its number when another took over: the loser writes nothing more, and says who did", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const [first, second] = [yield* open(url), yield* open(url)]
      yield* Effect.scoped(Effect.gen(function*() {
        yield* first.exclusive("sync")
        yield* write(first, "held")
        yield* cut(admin)
        yield* Effect.scoped(Effect.gen(function*() {
          yield* taken(second, "import")
          const lost = yield* reason(write(first, "lost"))
          assert.strictEqual(lost._tag, "Superseded")
          assert.include(lost.message, "was taken over by import, process ")
          yield* write(second, "next")
        }))
        assert.strictEqual((yield* reason(write(first, "lost too")))._tag, "Superseded")
        assert.deepStrictEqual(yield* written(first.sql), ["held", "next"])
      }))
      yield* Effect.scoped(Effect.andThen(first.exclusive("sync"), write(first, "later")))
      assert.deepStrictEqual(yield* written(admin), ["held", "later", "next"])
    }).pipe(Effect.scoped))

  it.live("keeps nobody from going on while nobody took over", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const first = yield* open(url)
      yield* first.exclusive("sync")
      yield* cut(admin)
      yield* write(first, "held")
      assert.deepStrictEqual(yield* written(admin), ["held"])
    }).pipe(Effect.scoped))

  it.live("keeps no row of the database from being cleaned up, however long it lasts", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      yield* (yield* open(url)).exclusive("sync")
      const idle = admin`SELECT backend_xid::text AS xid, backend_xmin::text AS xmin FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`
      assert.deepStrictEqual(yield* idle.values, [[null, null]])
    }).pipe(Effect.scoped))

  it.live("lets what the loser had begun be finished before another takes over", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const [first, second] = [yield* open(url), yield* open(url)]
      yield* first.exclusive("sync")
      const taking = yield* first.sql.withTransaction(Effect.gen(function*() {
        yield* first.sql`INSERT INTO stamps ${first.sql.insert({ base_url: "begun", fingerprint: "" })}`
        yield* cut(admin)
        return yield* Effect.forkScoped(taken(second, "import"))
      }))
      yield* Fiber.join(taking)
      assert.deepStrictEqual(yield* written(second.sql), ["begun"])
      assert.strictEqual((yield* reason(write(first, "lost")))._tag, "Superseded")
    }).pipe(Effect.scoped))
})

describe("a PostgreSQL archive behind a pooler in transaction mode", () => {
  const pooled = Effect.gen(function*() {
    const url = yield* temporaryDatabase
    const address = yield* Pooler.before(new URL(Redacted.value(url)))
    return { url, address: Redacted.make(address.href) }
  })

  it.live("has one writer, who may write, and another when that one has ended", () =>
    Effect.gen(function*() {
      const { address, url } = yield* pooled
      const admin = yield* client(url)
      const [first, second] = [yield* open(address), yield* open(address)]
      yield* Effect.scoped(Effect.gen(function*() {
        yield* first.exclusive("sync")
        const held = yield* reason(Effect.scoped(second.exclusive("import")))
        assert.include(held.message, "is in use: sync, process ")
        yield* Effect.forEach(Array.from({ length: 20 }, (_, n) => `${n}`), (word) => write(first, word), {
          concurrency: "unbounded"
        })
        assert.strictEqual((yield* reason(Effect.scoped(second.exclusive("import"))))._tag, "Held")
      }))
      yield* taken(second, "import")
      yield* write(second, "next")
      assert.strictEqual((yield* written(admin)).length, 21)
    }).pipe(Effect.scoped))

  it.live("gives two clients one session in turn, so that what a session holds is nobody's", () =>
    Effect.gen(function*() {
      const { address } = yield* pooled
      const [first, second] = [yield* client(address), yield* client(address)]
      const session = (sql: SqlClient.SqlClient) => sql`SELECT pg_try_advisory_lock(7) AS done, pg_backend_pid() AS pid`
      for (const sql of [first, second]) yield* sql`SELECT 1`
      assert.deepStrictEqual(yield* session(first), yield* session(second))
    }).pipe(Effect.scoped))

  it.live("is free again when its writer is killed", () =>
    Effect.gen(function*() {
      const { address } = yield* pooled
      const holder = yield* Holder.start({ _tag: "Postgres", url: address })
      assert.strictEqual(yield* holder.said, "open")
      assert.strictEqual(yield* holder.said, "held")
      const database = yield* open(address)
      assert.strictEqual((yield* reason(Effect.scoped(database.exclusive("sync"))))._tag, "Held")
      yield* holder.kill
      yield* taken(database, "sync")
    }).pipe(Effect.scoped))
})

describe("a PostgreSQL archive that programs of two versions use", () => {
  it.live("is not brought to the later one's tables while the earlier one writes", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      yield* Effect.scoped(open(url))
      yield* Earlier.asOfNinth(admin)
      yield* admin`DROP TABLE holder`
      yield* admin`CREATE TABLE holder (purpose TEXT NOT NULL, process BIGINT NOT NULL, host TEXT NOT NULL, since BIGINT NOT NULL)`
      yield* admin`DROP TABLE moves`
      yield* admin`DELETE FROM tallystick_migrations WHERE migration_id >= 8`
      yield* Effect.scoped(Effect.gen(function*() {
        const session = yield* admin.reserve
        yield* session.executeUnprepared(
          `SELECT pg_advisory_lock(${WRITER}, oid::int4)::text FROM pg_namespace WHERE nspname = current_schema()`,
          [],
          undefined
        )
        const refused = yield* reason(Effect.scoped(open(url)))
        assert.strictEqual(refused._tag, "Held")
        assert.include(refused.message, "an earlier version of Tallystick")
        yield* session.executeUnprepared("SELECT pg_advisory_unlock_all()::text", [], undefined)
      }))
      yield* open(url)
      const early = { purpose: "sync", process: 1, host: "h", since: 1 }
      assert.include(String(yield* Effect.flip(admin`INSERT INTO holder ${admin.insert(early)}`)), "SqlError")
    }).pipe(Effect.scoped))

  it.live("is brought to the later one's tables as soon as the server has ended a session that was killed", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      yield* Earlier.make({ _tag: "Postgres", url }, 7)
      const lock = `pg_advisory_lock(${WRITER}, oid::int4)::text FROM pg_namespace WHERE nspname = current_schema()`
      const opening = yield* Effect.scoped(Effect.gen(function*() {
        const killed = yield* admin.reserve
        yield* killed.executeUnprepared(`SELECT ${lock}`, [], undefined)
        const opening = yield* Effect.forkDetach(Effect.scoped(open(url)), { startImmediately: true })
        const asked = admin<{ readonly asked: number }>`SELECT COUNT(*) AS asked FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE ${"%pg_try_advisory_xact_lock%"} AND pid <> pg_backend_pid()`
        yield* Effect.repeat(asked, {
          until: ([row]) => Number(row?.asked) > 0 || opening.pollUnsafe() !== undefined
        })
        yield* killed.executeUnprepared("SELECT pg_advisory_unlock_all()::text", [], undefined)
        return opening
      }))
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(opening)))
    }).pipe(Effect.scoped))

  it.live("is left by the earlier one at its next round", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const admin = yield* client(url)
      const database = yield* open(url)
      yield* Effect.scoped(database.exclusive("sync"))
      yield* admin`INSERT INTO tallystick_migrations ${admin.insert({ migration_id: KNOWN + 1, name: "later" })}`
      const refused = yield* reason(Effect.scoped(database.exclusive("sync")))
      assert.deepInclude(refused, { _tag: "Newer", found: KNOWN + 1, known: KNOWN })
    }).pipe(Effect.scoped))
})
