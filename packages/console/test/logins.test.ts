/** Logins that their senders give up. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Logins from "../src/internal/security/Logins.ts"
import * as TokenHash from "../src/TokenHash.ts"

const person = { name: "clerk", role: "decide", identity: "token" } as const

/** Logins of one person. Each looks the person up, tells so, and goes on when it is let. */
const made = Effect.gen(function*() {
  const { hash, token } = yield* TokenHash.issue
  let looked = yield* Deferred.make<void>()
  const more = yield* Deferred.make<void>()
  const find = () =>
    Deferred.succeed(looked, undefined).pipe(
      Effect.andThen(Deferred.await(more)),
      Effect.as({ person, hash }),
      Effect.asSome
    )
  const layer = Logins.Logins.layerUsers({ find })
  const begun = Effect.fnUntraced(function*(login: Effect.Effect<unknown, unknown, Logins.Logins>) {
    looked = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(login)
    yield* Deferred.await(looked)
    return fiber
  })
  return { layer, token, begun, goOn: Deferred.succeed(more, undefined) }
})

const login = (token: Redacted.Redacted) =>
  Logins.Logins.use(({ login }) => login({ address: "203.0.113.7", name: "clerk", token }))

const wrong = login(Redacted.make("wrong"))

describe("a login that its sender gives up", () => {
  it.effect("counts as failed where its token is wrong", () =>
    Effect.gen(function*() {
      const { begun, goOn, layer, token } = yield* made
      yield* Effect.gen(function*() {
        yield* goOn
        for (let count = 0; count < 5; count++) yield* Fiber.interrupt(yield* begun(wrong))
        assert.strictEqual((yield* Effect.flip(login(token)))._tag, "TooManyLogins")
      }).pipe(Effect.provide(layer))
    }))

  it.effect("keeps its place until its hash is computed", () =>
    Effect.gen(function*() {
      const { begun, goOn, layer } = yield* made
      yield* Effect.gen(function*() {
        const given = yield* Effect.forEach(Array.from({ length: 4 }), () => begun(wrong))
        for (const fiber of given) yield* Effect.forkChild(Fiber.interrupt(fiber))
        yield* Effect.yieldNow
        const fifth = yield* Effect.forkChild(Effect.flip(wrong))
        yield* Effect.yieldNow
        yield* goOn
        assert.strictEqual((yield* Fiber.join(fifth))._tag, "Unavailable")
        yield* Fiber.awaitAll(given)
        assert.strictEqual((yield* Effect.flip(wrong))._tag, "Unauthenticated")
      }).pipe(Effect.provide(layer))
    }))
})
