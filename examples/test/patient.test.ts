import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { patiently } from "../src/patient.ts"

class Server extends Context.Service<Server, number>()("Server") {}

it.effect("a layer is built again until it comes about", () =>
  Effect.gen(function*() {
    let attempts = 0
    const server = Layer.effect(
      Server,
      Effect.suspend(() => (++attempts < 3 ? Effect.fail("down") : Effect.succeed(7)))
    )
    const connected = yield* Effect.forkChild(Effect.provide(Effect.service(Server), patiently(server)))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(attempts, 2)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* Fiber.join(connected), 7)
  }))
