import { assert, describe, it } from "@effect/vitest"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type * as Entry from "../src/Entry.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

const COUNT = 4000

/** Pairs, of which every tenth lacks its transfer, in one slice. */
const side = (side: Entry.Side): Slice.Slice<Entry.Entry> => {
  const make = side === "deposit" ? Run.deposit : Run.transfer
  const [from, to] = [Run.T0, Run.T0 + 2 * COUNT * Run.MINUTE]
  return {
    from,
    to,
    records: Array.from({ length: COUNT }, (_, index) => index)
      .filter((index) => side === "deposit" || index % 10 !== 0)
      .map((index) => make(`${side}${index}`, index, { amount: `${index + 1}` })),
    bad: [],
    coverage: [{ operation: `${side}s`, from, to, readAt: to, state: "complete" }]
  }
}

const runs = {
  reconcile: Reconciliation.reconcile(Stream.make(side("deposit")), Stream.make(side("transfer"))),
  events: Stream.runDrain(
    Reconciliation.events(Stream.make(side("deposit")), Stream.make(side("transfer")))
  )
}

for (const [name, run] of Object.entries(runs)) {
  describe(`while ${name} matches`, () => {
    it.effect("other fibers have their turn again and again", () =>
      Effect.gen(function*() {
        let turns = 0
        const other = yield* Effect.forkChild(
          Effect.forever(Effect.andThen(Effect.sync(() => turns++), Effect.yieldNow))
        )
        yield* run
        yield* Fiber.interrupt(other)
        // A run in one piece would leave two or three turns.
        assert.isAbove(turns, 30)
      }))

    it.effect("it can be interrupted", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(run)
        for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      }))
  })
}

describe("the progress of a report", () => {
  it.effect("is told again and again, only grows, and ends with everything", () =>
    Effect.gen(function*() {
      const told: Array<{ readonly done: number; readonly of: number }> = []
      const onProgress = (progress: { readonly done: number; readonly of: number }) =>
        Effect.sync(() => {
          told.push(progress)
        })
      yield* Reconciliation.reconcile(Stream.make(side("deposit")), Stream.make(side("transfer")), { onProgress })
      assert.isAbove(told.length, 30)
      const shares = told.map(({ done, of }) => done / of)
      assert.isTrue(told.every(({ done, of }, index) => {
        const before = told[index - 1] ?? { done: 0, of: 0 }
        return before.done <= done && before.of <= of && done <= of
      }))
      assert.strictEqual(shares.at(-1), 1)
      // It does not stand still for long.
      assert.isBelow(Math.max(...shares.map((share, index) => share - (shares[index - 1] ?? 0))), 0.3)
    }))

  it.effect("of a run without entries is nothing of nothing, and a defect in who is told ends the run", () =>
    Effect.gen(function*() {
      yield* Reconciliation.reconcile(Stream.empty, Stream.empty, {
        onProgress: (progress) => Effect.sync(() => assert.deepStrictEqual(progress, { done: 0, of: 0 }))
      })
      const exit = yield* Effect.exit(Reconciliation.reconcile(Stream.empty, Stream.empty, {
        onProgress: () => Effect.die("no room")
      }))
      assert.isTrue(Exit.hasDies(exit))
    }))
})
