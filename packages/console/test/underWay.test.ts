/** Places for what is under way, and that each is given back. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as UnderWay from "../src/internal/security/UnderWay.ts"

/** Does something with one of three places of a key. */
const placed = (underWay: UnderWay.UnderWay, key: string, effect: Effect.Effect<unknown, string> = Effect.void) =>
  Effect.scoped(Effect.andThen(underWay.within(key, 3, () => "full" as const), effect))

describe("what is under way", () => {
  it.effect("has so many places of a key and no more, however many begin at once", () =>
    Effect.gen(function*() {
      const underWay = UnderWay.make()
      const end = yield* Deferred.make<void>()
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.forkChild(Effect.result(placed(underWay, "one", Deferred.await(end))))
      )
      yield* Effect.yieldNow
      assert.strictEqual(all.filter((fiber) => fiber.pollUnsafe() === undefined).length, 3)
      assert.strictEqual(yield* Effect.flip(placed(underWay, "one")), "full")
      yield* placed(underWay, "other")
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.awaitAll(all)
      yield* placed(underWay, "one")
    }))

  it.effect("gives its place back however it ends", () =>
    Effect.gen(function*() {
      const underWay = UnderWay.make()
      for (let count = 0; count < 4; count++) {
        yield* placed(underWay, "one")
        assert.strictEqual(yield* Effect.flip(placed(underWay, "one", Effect.fail("failed"))), "failed")
        const begun = yield* Deferred.make<void>()
        const stuck = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
        const fiber = yield* Effect.forkChild(placed(underWay, "one", stuck))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
      }
    }))
})
