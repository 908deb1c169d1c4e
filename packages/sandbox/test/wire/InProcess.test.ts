import { assert, describe, it } from "@effect/vitest"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
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
