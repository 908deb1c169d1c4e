/** A runner that cannot be one says why before it takes any work. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { once } from "node:events"
import { createServer } from "node:net"
import { temporaryDatabase } from "../../archive/test/support/databases.ts"
import * as Pooler from "../../archive/test/support/Pooler.ts"
import * as Cluster from "../src/Cluster.ts"
import * as Reconciling from "../src/Reconciling.ts"
import * as Processes from "./kill/Processes.ts"

const HOST = "127.0.0.1"

/** Why no runner begins. */
const refused = (url: Redacted.Redacted, port: number) =>
  Effect.flip(Effect.scoped(Layer.build(Cluster.runner({ url, address: { host: HOST, port } }))))

describe("a runner", () => {
  it.live("is refused behind a pooler that shares sessions", () =>
    Effect.gen(function*() {
      const url = yield* Pooler.before(new URL(Redacted.value(yield* temporaryDatabase)))
      const error = yield* refused(Redacted.make(url.href), yield* Processes.freePort)
      assert.strictEqual(error.reason._tag, "Pooled")
      assert.include(error.message, "give the address of PostgreSQL itself")
    }).pipe(Effect.scoped))

  it.live("names the address at which another program listens", () =>
    Effect.gen(function*() {
      const server = createServer().listen(0, HOST)
      yield* Effect.acquireRelease(Effect.promise(() => once(server, "listening")), () =>
        Effect.sync(() => server.close()))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const error = yield* refused(yield* temporaryDatabase, port)
      assert.strictEqual(error.message, `no runner can listen at ${HOST}:${port}: another program listens there`)
    }).pipe(Effect.scoped))

  it.live("says that nothing answers where no PostgreSQL is", () =>
    Effect.gen(function*() {
      const port = yield* Processes.freePort
      const error = yield* refused(Redacted.make(`postgres://u:recognisable-secret@${HOST}:${port}/d`), port)
      assert.strictEqual(error.reason._tag, "Database")
      assert.notInclude(error.message, "recognisable-secret")
    }))

  it.live("quotes nothing of an address that is none, as no client does", () =>
    Effect.gen(function*() {
      const url = Redacted.make(`postgres://u:pw@${HOST}:1/d?sslmode=recognisable-secret`)
      const client = Effect.flip(Effect.scoped(Layer.build(Cluster.client({ url }))))
      for (const error of [yield* refused(url, yield* Processes.freePort), yield* client]) {
        assert.strictEqual(error.reason._tag, "Database")
        assert.include(error.message, "its address is not postgres://user:password@host:port/database")
        assert.notInclude(String(error), "recognisable-secret")
      }
    }))

  it.live("is told of while it is there", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const port = yield* Processes.freePort
      const runners = Reconciling.Reconciling.use(({ runners }) => runners).pipe(
        Effect.provide(Reconciling.Reconciling.layer.pipe(Layer.provide(Cluster.client({ url }))))
      )
      assert.deepStrictEqual(yield* runners, [])
      yield* Layer.build(Cluster.runner({ url, address: { host: HOST, port } }))
      assert.deepStrictEqual(yield* runners, [{ address: `${HOST}:${port}`, version: "0.1.0" }])
    }).pipe(Effect.scoped))
})
