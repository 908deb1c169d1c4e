/** The tables of a cluster: beside those of another one, read by a backup, and seen by somebody who may only read. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { temporaryDatabase } from "../../archive/test/support/databases.ts"
import * as Cluster from "../src/Cluster.ts"
import * as Reconciling from "../src/Reconciling.ts"
import * as Processes from "./kill/Processes.ts"
import * as Desk from "./support/Desk.ts"

const { Reconciling: Jobs } = Reconciling

const session = (url: Redacted.Redacted) =>
  PgClient.make({ url, maxConnections: 2 }).pipe(Effect.provide(Reactivity.layer))

/** A role of a database, until the scope ends, and the address by which it comes in. */
const roleOf = Effect.fnUntraced(function*(url: Redacted.Redacted, sql: PgClient.PgClient) {
  const role = `role_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(
    sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'word'`),
    () => Effect.orDie(Effect.andThen(sql.unsafe(`DROP OWNED BY ${role} CASCADE`), sql.unsafe(`DROP ROLE ${role}`)))
  )
  const address = new URL(Redacted.value(url))
  address.username = role
  address.password = "word"
  return { role, url: Redacted.make(address.href) }
})

const client = (url: Redacted.Redacted) => Jobs.layer.pipe(Layer.provide(Cluster.client({ url })))

const runner = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const archive: ArchiveConfig.Location = { _tag: "Postgres", url }
  const address = { host: "127.0.0.1", port: yield* Processes.freePort }
  yield* Layer.build(Jobs.layerRunner({ archive }).pipe(Layer.provide(Cluster.runner({ url, address }))))
})

const list = (url: Redacted.Redacted) => Jobs.use(({ list }) => list(5)).pipe(Effect.provide(client(url)))

describe("the tables of a cluster", () => {
  it.live("in two schemas of one database are those of two clusters, and each does its jobs", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* session(url)
      const roles = [yield* roleOf(url, sql), yield* roleOf(url, sql)]
      for (const { role, url } of roles) {
        yield* sql.unsafe(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`)
        yield* sql.unsafe(`ALTER ROLE ${role} SET search_path = ${role}`)
        yield* Desk.keep({ _tag: "Postgres", url }, 20)
        yield* runner(url)
      }
      for (const { url } of roles) {
        yield* Effect.gen(function*() {
          const { follow, get, submit } = yield* Jobs
          const { id } = yield* submit(Desk.question).pipe(Desk.within({ _tag: "Postgres", url }))
          yield* Stream.runDrain(follow(id))
          assert.include(yield* get(id), { state: "done", execution: 1 })
        }).pipe(Effect.provide(client(url)))
      }
    }).pipe(Effect.scoped))

  it.live("are read, and runners begin, while a backup reads them", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* session(url)
      yield* Effect.scoped(runner(url))
      const tables = yield* sql<{ readonly name: string }>`SELECT relname AS name FROM pg_class
        WHERE relkind = 'r' AND relname LIKE 'tallystick_cluster%'`
      assert.isAbove(tables.length, 5)
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`)
        assert.deepStrictEqual(yield* list(url), [])
        yield* Effect.scoped(runner(url))
      }))
    }).pipe(Effect.scoped))

  it.live("that are of an earlier version wait for nobody who uses them: that is told", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* session(url)
      yield* list(url)
      yield* sql`DELETE FROM tallystick_cluster_job_migrations`
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`LOCK TABLE tallystick_cluster_job_migrations IN ACCESS SHARE MODE`
        const error = yield* Effect.flip(list(url))
        assert.strictEqual(error.reason._tag, "Busy")
      }))
    }).pipe(Effect.scoped))

  it.live("can be watched by a role that may only read", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const sql = yield* session(url)
      yield* Effect.scoped(runner(url))
      const watcher = yield* roleOf(url, sql)
      yield* sql.unsafe(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${watcher.role}`)
      assert.deepStrictEqual(yield* list(watcher.url), [])
    }).pipe(Effect.scoped))
})
