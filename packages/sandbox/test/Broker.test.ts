/** The broker of a sandbox: one layer, in process or on a socket. */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "./client.ts"

const HOUR = 3_600_000
const history = { to: Client.NOW, deposits: 300, seed: 7 }

const inProcess = (options: Sandbox.Options, broker: Partial<BrokerConfig.Options> = {}) =>
  Sandbox.Sandbox.layerBroker(broker).pipe(Layer.provideMerge(Sandbox.Sandbox.layerInProcess({ history, ...options })))

const since = (hours: number) => ({ from: Client.NOW - hours * HOUR, to: Client.NOW, openTail: true })

describe("the broker of a sandbox", () => {
  it.effect("reads its history in process, and waits for nothing where the rules set no rate", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const broker = yield* Broker.Broker
      const { exchange, history } = yield* Sandbox.Sandbox
      const read = yield* Stream.runCollect(broker.streamSubAccountDeposits(since(71)))
      const shown = history.deposits.filter(({ insertTime }) => insertTime >= Client.NOW - 71 * HOUR)
      assert.isNotEmpty(read)
      assert.strictEqual(read.length, shown.length)
      for (let page = 0; page < 60; page++) yield* broker.subAccountDeposits({ limit: 1 })
      assert.isTrue((yield* exchange.requests).every(({ status }) => status === 200))
    }).pipe(Effect.provide(inProcess({ rules: { rate: null } }))))

  it.effect("keeps the rate of the sandbox's rules, and is not refused", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const broker = yield* Broker.Broker
      const { exchange } = yield* Sandbox.Sandbox
      const asked = yield* Effect.forkChild(
        Effect.all(Array.from({ length: 7 }, () => broker.subAccountDeposits({ limit: 1 })), { concurrency: 7 })
      )
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(asked)).length, 7)
      assert.isTrue((yield* exchange.requests).every(({ status }) => status === 200))
    }).pipe(Effect.provide(inProcess({ rules: { rate: { limit: 2, window: 5000, patience: 10, ban: 60 } } }))))

  it.effect("repeats a request after a fault when the clock comes to it: one step of time is enough", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const broker = yield* Broker.Broker
      const asked = yield* Effect.forkChild(broker.subAccountDeposits({ limit: 5 }))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(asked)).records.length, 5)
    }).pipe(
      Effect.provide(inProcess({
        faults: { wire: [{ kind: "error", operations: ["subAccountDeposits"], requests: [1] }] }
      }))
    ))

  it.effect("takes options that differ, and refuses those that are none", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Client.NOW)
      const wire = [{ kind: "error", operations: ["subAccountDeposits"], requests: [1] }] as const
      const unhurt = Broker.Broker.use((broker) => broker.subAccountDeposits()).pipe(
        Effect.provide(inProcess({ faults: { wire } }, { retries: 0 }))
      )
      assert.strictEqual((yield* Effect.flip(unhurt))._tag, "BrokerError")
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(inProcess({}, { retries: 1000 }))))
      assert.deepStrictEqual([refused._tag, refused.variable], ["ConfigurationError", "retries"])
    }))

  it.live("reads the same over a real socket, and asks by the sandbox's own conventions", () =>
    Effect.gen(function*() {
      const broker = yield* Broker.Broker
      assert.strictEqual(broker.conventions.depositPage.maximum, 50)
      assert.strictEqual((yield* broker.subAccountDeposits({ limit: 50 })).records.length, 50)
    }).pipe(Effect.provide(
      Sandbox.Sandbox.layerBroker().pipe(
        Layer.provideMerge([
          Sandbox.Sandbox.layer({
            history: { deposits: 60, seed: 7 },
            conventions: Conventions.make({ depositPage: { default: 10, maximum: 50 } })
          }),
          FetchHttpClient.layer
        ])
      )
    )))

  it.effect("gives a program's own environment the same options, by any prefix", () =>
    Effect.gen(function*() {
      const { brokerOptions, environment } = yield* Sandbox.Sandbox
      for (const prefix of ["TALLYSTICK", "NORTH"]) {
        const options = yield* BrokerConfig.load(BrokerConfig.config(prefix)).pipe(
          Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment(prefix))))
        )
        const [told, own] = yield* Effect.forEach([options, brokerOptions], (options) =>
          Effect.map(Effect.fromResult(BrokerConfig.make(options)), (settings) => ({
            ...settings,
            apiKey: Redacted.value(settings.apiKey),
            secretKey: Redacted.value(settings.secretKey)
          })))
        assert.deepStrictEqual(told, own)
      }
    }).pipe(Effect.provide(Sandbox.Sandbox.layerInProcess({
      conventions: Conventions.make({ depositPage: { default: 10, maximum: 50 } }),
      rules: { rate: { limit: 3, window: 250, patience: 1, ban: 1 } }
    }))))
})
