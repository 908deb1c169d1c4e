/** Threads tell what their parent takes, and are gone with whoever waits for them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as Thread from "../src/Thread.ts"

const ENTRY = new URL("./support/CountingThread.ts", import.meta.url)

interface Told {
  readonly number: number
}

const isTold = (message: unknown): message is Told =>
  typeof message === "object" && message !== null && "number" in message

const started = (ending: string, count = 3) => {
  const shared = new SharedArrayBuffer(8)
  const [interrupted, told] = [0, 1].map((index) => () => Atomics.load(new Int32Array(shared), index))
  return {
    numbers: Thread.start(ENTRY, { count, ending, shared }, isTold),
    wasInterrupted: () => interrupted?.() === 1,
    told: () => told?.() ?? 0
  }
}

describe("a thread", () => {
  it.live("tells one thing after the other, each when the one before it was taken", () =>
    Effect.gen(function*() {
      const { numbers, told } = started("end", 5)
      const ahead = yield* Stream.runCollect(Stream.map(numbers, ({ number }) => told() - number))
      assert.lengthOf(ahead, 5)
      // It waits with the one after the next until the next one is taken.
      assert.isAtMost(Math.max(...ahead), 2)
    }))

  it.live("is lost where its work fails, where it ends by itself, and where it tells what nobody knows", () =>
    Effect.gen(function*() {
      const why = (ending: string) => Effect.flip(Stream.runDrain(started(ending).numbers))
      assert.deepInclude(yield* why("fail"), { _tag: "Lost", detail: "it cannot count further" })
      assert.deepInclude(yield* why("exit"), { _tag: "Lost", detail: "exit code 7" })
      const isNothing = (message: unknown): message is never => message === undefined
      const other = Thread.start(ENTRY, { count: 1, ending: "wait", shared: new SharedArrayBuffer(8) }, isNothing)
      assert.deepInclude(yield* Effect.flip(Stream.runDrain(other)), { detail: "it told what is not known" })
    }))

  it.live("has undone what it began, and is gone, when whoever waited for it goes on", () =>
    Effect.gen(function*() {
      const { numbers, wasInterrupted } = started("wait")
      const isCounting = Latch.makeUnsafe()
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(numbers, ({ number }) => number === 3 ? isCounting.open : Effect.void)
      )
      yield* isCounting.await
      yield* Fiber.interrupt(fiber)
      assert.isTrue(wasInterrupted())
    }))
})
