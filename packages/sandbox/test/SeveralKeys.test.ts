/** Several keys of one master: how the sandbox counts their requests, and a client that takes them in turn. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Conventions from "@tallystick/core/Conventions"
import { allPermissions, type Credential } from "@tallystick/sandbox/Credential"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const credential = (number: number): Credential => ({
  apiKey: `mx0key${number}`,
  secretKey: Redacted.make(`secret-${number}`),
  permissions: allPermissions
})

const credentials = (count: number): readonly [Credential, ...ReadonlyArray<Credential>] => [
  credential(1),
  ...Array.from({ length: count - 1 }, (_, index) => credential(index + 2))
]

const rate = { limit: 5, window: 1000, patience: 10, ban: 60 }

const perKey = Conventions.make({ ratePer: "key" })

describe("the sandbox", () => {
  const send = (exchange: Effect.Success<ReturnType<typeof Client.make>>, apiKey: string | undefined) =>
    Effect.map(
      exchange.handle({
        method: "GET",
        path: Client.TIME,
        rawQuery: "",
        headers: { "x-mexc-apikey": apiKey },
        body: ""
      }),
      ({ status }) => status
    )
  const statuses = (
    exchange: Effect.Success<ReturnType<typeof Client.make>>,
    keys: ReadonlyArray<string | undefined>
  ) => Effect.forEach(keys, (key) => send(exchange, key))
  const six = (key: string | undefined) => Array.from({ length: 6 }, () => key)
  const five = [200, 200, 200, 200, 200]

  it.effect("counts the requests of each key by themselves where its conventions say so, and the others together", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const exchange = yield* Client.make({ rules: { rate }, conventions: perKey, credentials: credentials(2) })
      assert.deepStrictEqual(yield* statuses(exchange, six("mx0key1")), [...five, 429])
      assert.deepStrictEqual(yield* statuses(exchange, six("mx0key2")), [...five, 429])
      assert.deepStrictEqual(yield* statuses(exchange, [undefined, "unknown", "", "other", undefined, "more"]), [
        ...five,
        429
      ])
    }))

  it.effect("counts the requests of all keys together else", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const exchange = yield* Client.make({ rules: { rate }, credentials: credentials(2) })
      const keys = ["mx0key1", "mx0key2", "mx0key1", "mx0key2", undefined, "mx0key2"]
      assert.deepStrictEqual(yield* statuses(exchange, keys), [...five, 429])
    }))

  it.effect("bans all keys", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const exchange = yield* Client.make({
        rules: { rate },
        conventions: perKey,
        credentials: credentials(2),
        faults: { wire: [{ kind: "ban", seconds: 60, operations: ["serverTime"], requests: [1] }] }
      })
      assert.deepStrictEqual(yield* statuses(exchange, ["mx0key1", "mx0key2", undefined]), [418, 418, 418])
    }))
})

/** A sandbox on a socket with so many keys, and a broker that takes them in turn. */
const onSocket = (keys: number, ratePer: "master" | "key") =>
  Sandbox.Sandbox.layerBroker().pipe(
    Layer.provideMerge(Sandbox.Sandbox.layer({
      credentials: credentials(keys),
      history: { to: Client.NOW, deposits: 400, seed: 7 },
      conventions: Conventions.make({ ratePer, depositPage: { default: 20, maximum: 20 } }),
      rules: { rate: { ...rate, limit: 20, window: 100 } }
    })),
    Layer.provideMerge(NodeHttpClient.layerUndici)
  )

describe("a client with several keys, over real sockets", () => {
  it.live.each(
    [["master", 1], ["master", 4], ["key", 1], ["key", 2], ["key", 4]] as const
  )("is never refused for its rate, counted by %s, with %d keys", ([ratePer, keys]) =>
    Effect.gen(function*() {
      const broker = yield* Broker.Broker
      const { exchange } = yield* Sandbox.Sandbox
      yield* Effect.forEach(Array.from({ length: 200 }), () => broker.subAccountDeposits({ limit: 1 }), {
        concurrency: 64,
        discard: true
      })
      const seen = yield* exchange.requests
      assert.isTrue(seen.every(({ status }) => status === 200))
      assert.isAtLeast(seen.length, 200)
    }).pipe(Effect.provide(onSocket(keys, ratePer))), 20_000)

  it.effect("proves of a long list what a client with one key proves", () =>
    Effect.gen(function*() {
      const read = (keys: number) =>
        Effect.gen(function*() {
          yield* TestClock.setTime(Client.NOW)
          const broker = yield* Broker.Broker
          const range = { from: Client.NOW - 71 * Client.HOUR, to: Client.NOW }
          return Array.from(yield* Stream.runCollect(broker.scanSubAccountDeposits(range)))
        }).pipe(Effect.provide(
          Sandbox.Sandbox.layerBroker().pipe(Layer.provideMerge(Sandbox.Sandbox.layerInProcess({
            credentials: credentials(keys),
            history: { to: Client.NOW, deposits: 400, seed: 7 },
            conventions: Conventions.make({ depositPage: { default: 20, maximum: 20 } }),
            rules: { rate: null }
          })))
        ))
      const alone = yield* read(1)
      assert.isAbove(alone.flatMap(({ records }) => records).length, 100)
      assert.deepStrictEqual(yield* read(3), alone)
    }))
})
