import { assert, describe, it } from "@effect/vitest"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "../client.ts"
import * as Requests from "./requests.ts"
import { table } from "./table.ts"

const { NOW } = Client
const NOWHERE = "http://127.0.0.1"

const make = (faults: Faults.Faults) =>
  Effect.andThen(TestClock.setTime(NOW), Client.make({ deposits: Requests.deposits(NOW), faults }))

type Exchange = Effect.Success<ReturnType<typeof make>>

const through = (exchange: Exchange) => Effect.provideService(HttpClient.HttpClient, Sandbox.httpClient(exchange))

/** Runs to the end under virtual time and says how long it took. */
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const ended = Effect.flatMap(effect, (value) => Effect.map(Clock.currentTimeMillis, (at) => ({ value, at })))
    const fiber = yield* Effect.forkChild(ended)
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })

describe("in process", () => {
  it.effect.each(Object.entries(table))("a client sees %s", ([, { fault, most, ran, sees }]) =>
    Effect.gen(function*() {
      const whole = yield* Effect.flatMap(make({}), (exchange) => Client.send(exchange, "GET", Client.DEPOSITS))
      const exchange = yield* make({ wire: [fault] })
      const { value } = yield* timed(
        Effect.flatMap(Requests.list(NOWHERE), (request) => Requests.receive(request, most)).pipe(through(exchange))
      )
      sees(value, whole.body)
      const posting = yield* make({ wire: [fault] })
      yield* timed(
        Effect.flatMap(Requests.create(NOWHERE), (request) => Requests.receive(request, most)).pipe(through(posting))
      )
      assert.strictEqual((yield* posting.keys).length, ran ? 1 : 0)
    }))
})

describe("latency", () => {
  it.effect("delays the answer, not the operation, by what the distribution says", () =>
    Effect.gen(function*() {
      const exchange = yield* make({ latency: [[0, 100], [1, 100]] })
      const fiber = yield* Effect.forkChild(
        Effect.flatMap(Requests.create(NOWHERE), Requests.receive).pipe(through(exchange))
      )
      yield* TestClock.adjust(99)
      assert.isUndefined(fiber.pollUnsafe())
      assert.strictEqual((yield* exchange.keys).length, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
    }))

  it.effect("is linear between quantiles and constant beyond them", () =>
    Effect.gen(function*() {
      const exchange = yield* make({ seed: 5, latency: [[0.25, 100], [0.75, 300], [0.9, 1000]] })
      const delays = yield* Effect.replicateEffect(
        Effect.map(Client.send(exchange, "GET", Client.TIME), ({ delivery }) => delivery?.delay ?? 0),
        4000
      )
      const within = (low: number, high: number) => delays.filter((ms) => ms >= low && ms <= high).length / 4000
      assert.closeTo(within(100, 100), 0.25, 0.03)
      assert.closeTo(within(101, 200), 0.25, 0.03)
      assert.closeTo(within(201, 300), 0.25, 0.03)
      assert.closeTo(within(301, 999), 0.15, 0.03)
      assert.closeTo(within(1000, 1000), 0.1, 0.03)
    }))
})

describe("interruption", () => {
  it.effect.each<Faults.Faults>([
    { latency: [[0, 60_000]] },
    { wire: [{ kind: "drip", bytes: 1, every: 60_000 }] },
    { wire: [{ kind: "endless", every: 1000 }] },
    { wire: [{ kind: "endless", filler: "records", bytes: 10 }] }
  ])("ends %j at once", (faults) =>
    Effect.gen(function*() {
      const exchange = yield* make(faults)
      const fiber = yield* Effect.forkChild(
        Effect.flatMap(Requests.list(NOWHERE), (request) => Requests.receive(request, Infinity)).pipe(through(exchange))
      )
      yield* TestClock.adjust(10)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* Clock.currentTimeMillis, NOW + 10)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }))
})

describe("a body in drips", () => {
  it.effect("takes as long as its parts", () =>
    Effect.gen(function*() {
      const exchange = yield* make({ wire: [{ kind: "drip", bytes: 3, every: 7 }] })
      const fiber = yield* Effect.forkChild(
        Effect.flatMap(
          Effect.map(HttpClient.get(NOWHERE + Client.TIME), ({ stream }) => stream),
          Stream.runCollect
        ).pipe(through(exchange))
      )
      const whole = JSON.stringify({ serverTime: NOW })
      const parts = Math.ceil(whole.length / 3)
      yield* TestClock.adjust(7 * (parts - 1) - 1)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const chunks = yield* Fiber.join(fiber)
      assert.strictEqual(chunks.length, parts)
      assert.strictEqual(chunks.map((chunk) => new TextDecoder().decode(chunk)).join(""), whole)
    }))
})

describe("a response", () => {
  it.effect("can be read as text, JSON and bytes, also twice", () =>
    Effect.gen(function*() {
      const exchange = yield* make({})
      const response = yield* HttpClient.get(NOWHERE + Client.TIME).pipe(through(exchange))
      const text = `{"serverTime":${NOW}}`
      assert.strictEqual(yield* response.text, text)
      assert.deepStrictEqual(yield* response.json, { serverTime: NOW })
      assert.strictEqual((yield* response.arrayBuffer).byteLength, text.length)
      assert.strictEqual(response.url, NOWHERE + Client.TIME)
    }))
})
