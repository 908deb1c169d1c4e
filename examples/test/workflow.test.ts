/** The workflow over histories in memory: their clock is the test's, so that a day passes at once. */
import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Runs from "@tallystick/archive/Runs"
import * as Broker from "@tallystick/core/Broker"
import * as History from "@tallystick/sandbox/History"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import * as WorkflowEngine from "effect/workflow/WorkflowEngine"
import { CloseDay, CloseDayLayer } from "../src/workflow.ts"

const HOUR = 3_600_000
const now = 1_790_000_000_000

const { deposits, transfers } = History.generate({ deposits: 60, subAccounts: 2, breaks: 4, to: now })

const TestLayer = CloseDayLayer.pipe(
  Layer.provideMerge(WorkflowEngine.layerMemory),
  Layer.provideMerge(Broker.Broker.layerMemory({ deposits, transfers })),
  Layer.provideMerge(Archive.Archive.layerMemory())
)

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

it.effect("CloseDay waits for late transfers, and closes a day once however often it is asked to", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(now)
    const range = { from: now - 24 * HOUR, to: now - HOUR }
    const program = Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const closing = yield* Effect.forkChild(CloseDay.execute(range))
      const id = yield* CloseDay.execute(range, { discard: true })
      assert.strictEqual(id, yield* CloseDay.execute(range, { discard: true }))
      // Everything that needs no time to pass comes about.
      yield* Effect.repeat(turn, { times: 300 })
      assert.strictEqual(Option.getOrUndefined(yield* CloseDay.poll(id))?._tag, "Suspended")
      yield* TestClock.adjust("25 hours")
      const closed = yield* Fiber.join(closing)
      assert.strictEqual(closed.clean, false)
      const listed = yield* runs.list()
      assert.deepStrictEqual(listed.map(({ id }) => id), [closed.run])
    })
    yield* program.pipe(Effect.provide(TestLayer))
  }))
