/** A first moment to keep, given where an archive has a gap. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { deposit, NOW } from "./support/records.ts"

const HOUR = 3_600_000

const accounts = { list: ["a@x"], complete: true }
const layer = Layer.merge(
  Archive.layerMemory(),
  Broker.Broker.layerMemory({ deposits: [deposit({ insertTime: NOW - 90 * HOUR })] })
)

describe("a sync from a first moment inside a gap", () => {
  it.effect("reads the rest of the gap as well", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      yield* Sync.run({ accounts })
      yield* TestClock.adjust("10 hours")
      const { completeTo, gaps, holes } = yield* Sync.run({ accounts, since: NOW + 5 * HOUR })
      assert.deepStrictEqual([gaps, holes], [[], []])
      assert.isAbove(completeTo ?? 0, NOW + 9 * HOUR)
    }).pipe(Effect.provide(layer)))

  it.effect("names the rest of the gap where the service has forgotten it, in each round that asks for it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { completeTo } = yield* Sync.run({ accounts })
      yield* TestClock.adjust("90 hours")
      const end = completeTo ?? 0
      for (let round = 0; round < 2; round++) {
        const { gaps, lost } = yield* Sync.run({ accounts, since: NOW + 10 * HOUR })
        assert.deepStrictEqual(lost, [])
        const deposits = gaps.filter(({ operation }) => operation === "deposits")
        assert.deepStrictEqual(deposits.map(({ gap, to }) => [to, gap?.code]), [[NOW + 18 * HOUR, "retention"]])
        assert.isAtMost(deposits[0]?.from ?? 0, round === 0 ? end : NOW + 10 * HOUR)
      }
    }).pipe(Effect.provide(layer)))
})
