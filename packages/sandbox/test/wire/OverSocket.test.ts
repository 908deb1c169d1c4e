import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Server from "@tallystick/sandbox/Server"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Client from "../client.ts"
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
