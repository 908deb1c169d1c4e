/** The workflow in an engine that keeps it in a file. */
import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Broker from "@tallystick/core/Broker"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { join } from "node:path"
import { DurableLayer } from "../src/durable.ts"
import { CloseDay } from "../src/workflow.ts"
import * as Program from "./support/Program.ts"

const HOUR = 3_600_000

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

it.live("CloseDay still waits for late transfers after the process was started again", () =>
  Effect.gen(function*() {
    const WORKFLOWS = join(yield* Program.folder, "workflows.db")
    /** A process of its own: everything is opened and closed again. */
    const process = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof DurableLayer>>) =>
      Effect.provide(
        effect,
        DurableLayer.pipe(
          Layer.provide([Broker.Broker.layerMemory({}), Archive.Archive.layerMemory()]),
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ WORKFLOWS }))),
          Layer.fresh
        )
      )
    const to = Math.floor(Date.now() / HOUR) * HOUR
    const range = { from: to - 24 * HOUR, to }
    const waits = (id: string) =>
      CloseDay.poll(id).pipe(
        Effect.tap(() => turn),
        Effect.repeat({ until: Option.isSome }),
        Effect.map((found) => Option.getOrUndefined(found)?._tag)
      )
    const first = yield* process(Effect.gen(function*() {
      const id = yield* CloseDay.execute(range, { discard: true })
      assert.strictEqual(yield* waits(id), "Suspended")
      return id
    }))
    yield* process(Effect.gen(function*() {
      assert.strictEqual(yield* CloseDay.execute(range, { discard: true }), first)
      assert.strictEqual(yield* waits(first), "Suspended")
    }))
  }).pipe(Effect.scoped), 60_000)
