import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Server from "@tallystick/sandbox/Server"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { Agent } from "node:http"
import * as Client from "../client.ts"
import { overSocket } from "../socket.ts"
import * as Requests from "./requests.ts"
import { table } from "./table.ts"

const clients = {
  fetch: FetchHttpClient.layer.pipe(
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  ),
  undici: NodeHttpClient.layerUndici,
  "node:http": NodeHttpClient.layerNodeHttp
}

/** A server of its own with these faults; its deposits are those of now. */
const serve = Effect.fnUntraced(function*(faults: Faults.Faults) {
  const exchange = yield* Client.make({ deposits: Requests.deposits(yield* Clock.currentTimeMillis), faults })
  return { exchange, baseUrl: yield* Server.serve(exchange) }
})

describe.each(Object.entries(clients))("over a socket, through %s", (_, client) => {
  it.live.each(Object.entries(table))("a client sees %s", ([, { fault, most, ran, sees }]) =>
    Effect.gen(function*() {
      const { baseUrl, exchange } = yield* serve({})
      const whole = yield* Client.send(exchange, "GET", Client.DEPOSITS)
      yield* exchange.setFaults({ wire: [fault] })
      sees(yield* Requests.receive(yield* Requests.list(baseUrl), most), whole.body)
      const posting = yield* serve({ wire: [fault] })
      yield* Requests.receive(yield* Requests.create(posting.baseUrl), most)
      assert.strictEqual((yield* posting.exchange.keys).length, ran ? 1 : 0)
    }).pipe(Effect.provide(client)))
})

describe("a connection", () => {
  it.live("that was reset behind an answer is dead for the next request, and the one after has another", () =>
    Effect.gen(function*() {
      const { baseUrl, exchange } = yield* serve({ wire: [{ kind: "reset", at: "end", requests: [1] }] })
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 1 })),
        (agent) => Effect.sync(() => agent.destroy())
      )
      const ask = overSocket(baseUrl, { target: Client.TIME, agent })
      assert.strictEqual((yield* ask).status, 200)
      const error = yield* Effect.flip(ask)
      assert.strictEqual(Requests.codeOf(error), "ECONNRESET")
      assert.strictEqual((yield* ask).status, 200)
      assert.strictEqual((yield* exchange.requests).length, 2)
    }))

  it.live("that is reset behind a long answer brings all of it first", () =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const exchange = yield* Client.make({
        deposits: Array.from({ length: 1000 }, (_, i) => Client.deposit(`d${i}`, now - i)),
        faults: { spellings: ["amount-64"], wire: [{ kind: "reset", at: "end" }] }
      })
      const path = `${Client.DEPOSITS}?${
        Client.sign(Client.render({ limit: 1000, timestamp: now, recvWindow: 60_000 }))
      }`
      const headers = { "x-mexc-apikey": Client.API_KEY }
      const { body } = yield* overSocket(yield* Server.serve(exchange), { target: path, headers })
      assert.isAbove(body.length, 300_000)
      assert.strictEqual(JSON.parse(body).length, 1000)
    }))

  it.live("waits as long as the latency says, and is given up with its client or its server", () =>
    Effect.gen(function*() {
      const { baseUrl, exchange } = yield* serve({ latency: [[0, 3_600_000]] })
      const asking = yield* Effect.forkChild(overSocket(baseUrl, { target: Client.TIME }))
      while ((yield* exchange.requests).length === 0) yield* Effect.sleep("1 millis")
      assert.isUndefined(asking.pollUnsafe())
      yield* Fiber.interrupt(asking)
      yield* Effect.forkChild(overSocket(baseUrl, { target: Client.TIME }))
      while ((yield* exchange.requests).length === 1) yield* Effect.sleep("1 millis")
    }))
})
