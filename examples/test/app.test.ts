/** What the application promises beyond a run that goes well. */
import { assert, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Books from "../src/app/Books.ts"
import * as Desk from "../src/app/Desk.ts"
import * as Ledger from "../src/app/Ledger.ts"

const HOUR = 3_600_000
const now = 1_790_000_000_000
const SLICES = 50
const SIZE = 500

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

it.effect("the ledger is read no faster than the desk takes cases", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const desk = yield* Latch.make()
    let read = 0
    let taken = 0
    const services = Layer.mergeAll(
      Broker.Broker.layerMemory({}),
      Layer.succeed(Ledger.Ledger, {
        bookings: ({ from, to }) =>
          Stream.range(0, SLICES - 1).pipe(
            Stream.rechunk(1),
            Stream.map((index): Slice.Slice<Entry.Entry> => {
              read++
              const length = (to - from) / SLICES
              const start = from + index * length
              return {
                from: start,
                to: start + length,
                records: Array.from({ length: SIZE }, (_, n) => ({
                  side: "transfer",
                  id: `${index}/${n}`,
                  asset: "USDT",
                  amount: `${1 + index * SIZE + n}`,
                  at: start + n,
                  status: "settled"
                })),
                bad: [],
                coverage: [{ operation: "transfers", from: start, to: start + length, readAt: now, state: "complete" }]
              }
            })
          )
      }),
      Layer.succeed(Desk.Desk, {
        open: (outcomes) => Effect.andThen(desk.await, Effect.sync(() => void (taken += outcomes.length)))
      })
    )
    const closing = yield* Books.close({ from: now - 40 * HOUR, to: now - 10 * HOUR }).pipe(
      Effect.provide(services),
      Effect.forkChild
    )
    yield* Effect.repeat(turn, { times: 200 })
    const ahead = read
    assert.isAbove(ahead, 0)
    yield* Effect.repeat(turn, { times: 200 })
    assert.deepStrictEqual([read, taken], [ahead, 0])
    assert.isBelow(ahead, SLICES)
    yield* desk.open
    const { counts } = yield* Fiber.join(closing)
    assert.strictEqual(read, SLICES)
    const breaks = counts.filter(({ outcome }) => outcome === "discrepancy")
    assert.strictEqual(taken, breaks.reduce((sum, { outcomes }) => sum + outcomes, 0))
  }))
