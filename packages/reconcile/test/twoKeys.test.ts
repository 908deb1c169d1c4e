/** A report that was read with two keys says so. */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as BrokerReconciliation from "../src/BrokerReconciliation.ts"
import * as Run from "./support/Run.ts"

const options = { range: { from: Run.T0, to: Run.T0 + Run.DAY }, accounts: { list: ["a"], complete: true } }

/** A broker that tells these fingerprints, one after the other. */
const telling = (...keys: ReadonlyArray<string>) => {
  const left = [...keys]
  return Layer.effect(
    Broker.Broker,
    Effect.map(Broker.Broker, (broker): Broker.Service => ({
      ...broker,
      origin: Effect.sync(() => ({ baseUrl: "memory:", fingerprint: left.shift() ?? "none" }))
    }))
  ).pipe(Layer.provide(Broker.Broker.layerMemory({})))
}

const warningsOf = Effect.gen(function*() {
  yield* TestClock.setTime(Run.T0 + 2 * Run.DAY)
  return (yield* BrokerReconciliation.run(options)).warnings.filter((warning) => warning.includes("more than one key"))
})

const streamed = Effect.gen(function*() {
  yield* TestClock.setTime(Run.T0 + 2 * Run.DAY)
  const last = (yield* Stream.runCollect(BrokerReconciliation.events(options))).at(-1)
  const warnings = last?._tag === "Summary" ? last.summary.warnings : []
  return warnings.filter((warning) => warning.includes("more than one key"))
})

describe.each([["a report", warningsOf], ["a stream", streamed]] as const)("%s", (_, warnings) => {
  it.effect("says that the key changed while it was read", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.provide(warnings, telling("one", "other"))).length, 1)
    }))

  it.effect("says nothing of a key that did not change", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Effect.provide(warnings, telling("one", "one")), [])
    }))
})
