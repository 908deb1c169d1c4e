/** Whoever interrupts a call ends it at once: on the wire, in every wait, and for good. */
import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Service from "./support/service.ts"
import * as Wire from "./support/wire.ts"

type Call = (broker: Broker.Service) => Effect.Effect<unknown, BrokerError.BrokerError>
const get: Call = (broker) => broker.subAccountDeposits()
const post: Call = (broker) =>
  broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" })

const interrupted = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function*() {
    yield* Fiber.interrupt(fiber)
    assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
  })

/** Sockets and WebCrypto take real time. */
const until = (holds: () => boolean): Effect.Effect<void> =>
  holds()
    ? Effect.void
    : Effect.andThen(TestClock.withLive(Effect.sleep("1 millis")), Effect.suspend(() => until(holds)))

describe.each(Wire.clientNames)("an interruption over real sockets with %s", (name) => {
  /** A server that is silent until told otherwise, and counts the connections that were given up. */
  const silent = Effect.gen(function*() {
    const state = { closed: 0, speaks: false }
    const server = yield* Wire.server((request, response, socket) => {
      if (state.speaks) return Wire.sendJson([])(request, response, socket)
      socket.once("close", () => state.closed++)
    })
    return { state, server }
  })

  const rate = { requests: 1, window: Duration.seconds(1) }

  it.effect.each([["a GET", get], ["a POST", post]] as const)(
    "closes the connection of %s, sends nothing more and gives the permit back",
    ([, call]) =>
      Effect.gen(function*() {
        const { server, state } = yield* silent
        const broker = yield* Wire.broker(server.baseUrl, name, { rate, retries: 5 })
        const fiber = yield* Effect.forkChild(call(broker))
        yield* server.arrival(1)
        yield* interrupted(fiber)
        yield* until(() => state.closed === 1)
        state.speaks = true
        yield* TestClock.adjust("1 hour")
        yield* get(broker)
        assert.strictEqual(server.arrived.length, 2)
      })
  )

  it.effect("closes every connection of a scan", () =>
    Effect.gen(function*() {
      const { server, state } = yield* silent
      yield* TestClock.setTime(1_700_000_000_000)
      const broker = yield* Wire.broker(server.baseUrl, name, { concurrency: 3 })
      const scan = broker.scanSubAccountDeposits({ from: 1_700_000_000_000 - 250_000_000, to: 1_700_000_000_000 })
      const fiber = yield* Effect.forkChild(Stream.runDrain(scan))
      yield* server.arrival(3)
      yield* interrupted(fiber)
      yield* until(() => state.closed === 3)
      state.speaks = true
      yield* TestClock.adjust("1 hour")
      yield* get(broker)
      assert.strictEqual(server.arrived.length, 4)
    }))

  it.effect("ends the wait before a retry", () =>
    Effect.gen(function*() {
      let status = 503
      const server = yield* Wire.server((_, response) => {
        response.writeHead(status, { "content-type": "application/json" }).end("[]")
      })
      const broker = yield* Wire.broker(server.baseUrl, name, { retries: 5 })
      const fiber = yield* Effect.forkChild(get(broker))
      yield* server.arrival(1)
      yield* interrupted(fiber)
      status = 200
      yield* TestClock.adjust("1 hour")
      yield* get(broker)
      assert.strictEqual(server.arrived.length, 2)
    }))
})

describe("an interruption", () => {
  const held: ReadonlyArray<readonly [string, Service.Handler, Call]> = [
    ["a Retry-After", () => Service.refusal(429, 429, { "retry-after": "60" }), get],
    ["the end of a ban", () => Service.refusal(418, 418, { "retry-after": "60" }), post],
    ["a retry", () => Service.refusal(1, 503), get],
    ["an answer", () => Effect.never, get],
    ["an answer to a POST", () => Effect.never, post]
  ]

  it.effect.each(held)(
    "ends a call that waits for %s, and nothing more is sent",
    ([, handler, call]) =>
      Effect.gen(function*() {
        const service = Service.make(handler)
        const broker = yield* Service.broker(service)
        const fiber = yield* Effect.forkChild(call(broker))
        yield* TestClock.adjust(100)
        yield* interrupted(fiber)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(service.seen.length, 1)
      })
  )

  it.effect("ends a call that waits for a permit, and leaves the permit to the next one", () =>
    Effect.gen(function*() {
      const service = Service.make((_, n) => n === 0 ? Effect.never : Service.json([]))
      const broker = yield* Service.broker(service, {
        rate: { requests: 1, window: Duration.seconds(1) },
        conventions: { serverTimePath: null }
      })
      const holder = yield* Effect.forkChild(get(broker))
      const waiters = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(get(broker)))
      yield* TestClock.adjust("1 second")
      yield* interrupted(waiters[0]!)
      yield* interrupted(waiters[1]!)
      yield* interrupted(holder)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(waiters[2]!)
      assert.strictEqual(service.seen.length, 2)
    }))

  it.effect("of the one who asks for the time leaves the question to the next one", () =>
    Effect.gen(function*() {
      let asked = 0
      const time = Effect.suspend((): Service.Reply => asked++ === 0 ? Effect.never : Service.timeAhead(5000))
      const service = Service.make(() => Service.json([]), time)
      const broker = yield* Service.broker(service)
      const first = yield* Effect.forkChild(get(broker))
      const second = yield* Effect.forkChild(get(broker))
      yield* TestClock.adjust("1 second")
      yield* interrupted(first)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(second)
      assert.deepStrictEqual([asked, service.seen.length], [2, 1])
      const [seen] = service.seen
      assert.strictEqual(Number(seen?.url.searchParams.get("timestamp")), (seen?.at ?? 0) + 5000)
    }))
})
