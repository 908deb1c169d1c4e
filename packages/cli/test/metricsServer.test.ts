/** The server of metrics: what it answers, and what clients and neighbours cannot do to it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as TestConsole from "effect/testing/TestConsole"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import * as ListenPlace from "../src/network/ListenPlace.ts"
import * as MetricsServer from "../src/network/MetricsServer.ts"
import { ask, portOf, quietly } from "./support/Metrics.ts"

const content = { contentType: "text/plain; version=0.0.4; charset=utf-8", text: Effect.succeed("a 1\n") }

/** Waits until the server says where it is; the clock of the test stands still. */
const told = Effect.gen(function*() {
  for (;;) {
    const lines = (yield* TestConsole.errorLines).map(String)
    if (lines.length > 0) return lines
    yield* quietly
  }
})

const portIn = (lines: ReadonlyArray<string>): number => Number(/:(\d+)\/metrics$/.exec(lines.at(-1) ?? "")?.[1])

const serving = Effect.gen(function*() {
  yield* MetricsServer.serve({ host: "127.0.0.1", port: 0 }, content)
  return portIn(yield* told)
})

describe("the server of metrics", () => {
  it.effect("answers GET and HEAD at /metrics, and nothing else", () =>
    Effect.gen(function*() {
      const port = yield* serving
      const { body, headers, status } = yield* ask(port)
      assert.deepStrictEqual([status, body], [200, "a 1\n"])
      assert.strictEqual(headers["content-type"], content.contentType)
      assert.deepInclude(yield* ask(port, { method: "HEAD" }), { status: 200, body: "" })
      assert.deepInclude(yield* ask(port, { path: "/metrics?name=a" }), { status: 200 })
      assert.deepInclude(yield* ask(port, { path: "/" }), { status: 404, body: "Metrics are at /metrics.\n" })
      assert.deepInclude(yield* ask(port, { path: "/metrics/../etc" }), { status: 404 })
      const posted = yield* ask(port, { method: "POST" }, "x".repeat(100_000))
      assert.deepInclude(posted, { status: 405, body: "GET is wanted.\n" })
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("answers no request that names it otherwise than by a loopback name, and gives no page leave to read it", () =>
    Effect.gen(function*() {
      const port = yield* serving
      for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "1270.0.0.1", "[::2]"]) {
        assert.deepInclude(yield* ask(port, { headers: { host } }), { status: 403 }, host)
      }
      for (const host of ["localhost", `127.0.0.1:${port}`, "[::1]"]) {
        const { headers, status } = yield* ask(port, { headers: { host, origin: "https://evil.example" } })
        assert.strictEqual(status, 200, host)
        assert.isUndefined(headers["access-control-allow-origin"])
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("goes on beside clients that send too much, never finish, never read, or hold all connections", () =>
    Effect.gen(function*() {
      const port = yield* serving
      assert.deepInclude(yield* ask(port, { headers: { "x-much": "x".repeat(20_000) } }), { status: 431 })
      const silent = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"))
      for (const socket of silent) {
        socket.on("error", () => undefined).pause()
        socket.write("GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20))
        socket.write("GET /metrics HTTP/1.1\r\nhost: ")
      }
      assert.deepInclude(yield* ask(port), { status: 200, body: "a 1\n" })
      const many = Array.from({ length: 40 }, () => connect(port, "127.0.0.1").on("error", () => undefined))
      yield* Effect.promise(() => Promise.any(many.map((socket) => once(socket, "close"))))
      for (const socket of [...silent, ...many]) socket.destroy()
      yield* quietly
      assert.deepInclude(yield* ask(port), { status: 200, body: "a 1\n" })
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("says once that its port is taken, and serves when it is free", () =>
    Effect.gen(function*() {
      const other = createServer()
      yield* Effect.promise(() => once(other.listen(0, "127.0.0.1"), "listening"))
      const port = portOf(other)
      yield* MetricsServer.serve({ host: "127.0.0.1", port }, content)
      assert.deepStrictEqual(yield* told, [
        `no metrics: http://127.0.0.1:${port}/metrics cannot be served (EADDRINUSE); tried again every minute`
      ])
      yield* TestClock.adjust("1 minute")
      yield* quietly
      other.close()
      yield* Effect.promise(() => once(other, "close"))
      for (let lines = yield* told; lines.length < 2; lines = yield* told) {
        yield* TestClock.adjust("1 minute")
        yield* quietly
      }
      assert.strictEqual((yield* told).at(-1), `metrics at http://127.0.0.1:${port}/metrics`)
      assert.deepInclude(yield* ask(port), { status: 200 })
    }).pipe(Effect.provide(NodeServices.layer)))

  it("is told where to listen by a port, or by an address and a port", () => {
    const read = (text: string) => Result.getOrElse(ListenPlace.parse(text), () => undefined)
    const problem = (text: string) => Result.getFailure(ListenPlace.parse(text)).pipe(Option.getOrElse(() => ""))
    assert.deepStrictEqual(read("9464"), { host: "127.0.0.1", port: 9464 })
    assert.deepStrictEqual(read("0.0.0.0:9464"), { host: "0.0.0.0", port: 9464 })
    assert.deepStrictEqual(read("[::1]:1"), { host: "::1", port: 1 })
    assert.deepStrictEqual(read("localhost:0"), { host: "localhost", port: 0 })
    for (const text of ["", "localhost", ":1", "::1:1", "host:70000", "http://host:1", "host:1/x", "a b:1", "1:2:3"]) {
      assert.match(problem(text), /^cannot be ".*"; wanted: a port, or an address and a port/, text)
    }
  })
})
