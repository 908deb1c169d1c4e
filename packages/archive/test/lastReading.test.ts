/** Deposits are read once more before the service forgets them. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerMemory from "@tallystick/core/BrokerMemory"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { deposit, NOW } from "./support/records.ts"

const HOUR = 3_600_000

/** Of these, one stays, one is taken back and one goes, the latter two `late` ms after they arrived. */
const stays = deposit({ txId: "stays", insertTime: NOW + 1 })
const reverts = deposit({ txId: "reverts", insertTime: NOW + 2 })
const goes = deposit({ txId: "goes", insertTime: NOW + 3 })

/** Lets rounds run `every` so many ms for five days, and says what they found of the deposits. */
const watched = ({ every, late }: { readonly every: number; readonly late: number }) =>
  Effect.gen(function*() {
    const memory = yield* BrokerMemory.BrokerMemory
    const broker = yield* Broker.Broker
    let lastReadings = 0
    let now = NOW - HOUR
    const counting: Broker.Service = {
      ...broker,
      scanSubAccountDeposits: (input) => {
        const { from, to } = Result.getOrThrow(TimeRange.make(input))
        if (from > now - 72 * HOUR && to === now - 66 * HOUR) lastReadings++
        return broker.scanSubAccountDeposits(input)
      }
    }
    const round = Effect.provideService(
      Sync.run({ accounts: { list: [], complete: true } }),
      Broker.Broker,
      counting
    )
    const found = { changed: 0, vanished: 0 }
    let isChanged = false
    for (; now < NOW + 120 * HOUR; now += every) {
      yield* TestClock.setTime(now)
      if (!isChanged && now >= NOW + late) {
        isChanged = true
        yield* memory.update((records) => ({ ...records, deposits: [stays, { ...reverts, status: 6 }] }))
      }
      const { changed, gaps, vanished } = yield* round
      assert.deepStrictEqual(gaps, [])
      found.changed += changed
      found.vanished += vanished
    }
    return { ...found, lastReadings }
  }).pipe(
    Effect.provide(Layer.merge(
      Broker.Broker.layerMemory({ deposits: [stays, reverts, goes], transfers: [] }),
      Archive.Archive.layerMemory()
    ))
  )

describe("the last reading of what the service will soon forget", () => {
  it.effect("finds what changed or went long after it was settled, at any distance of rounds", () =>
    Effect.gen(function*() {
      for (const every of [20 * 60_000, HOUR, 2.5 * HOUR]) {
        const { changed, vanished } = yield* watched({ every, late: 64 * HOUR })
        assert.deepStrictEqual({ changed, vanished }, { changed: 1, vanished: 1 }, `every ${every} ms`)
      }
    }))

  it.effect("is a scan every three hours", () =>
    Effect.gen(function*() {
      const { lastReadings } = yield* watched({ every: 20 * 60_000, late: 64 * HOUR })
      // What the archive began with is forgotten after three days: from then on there is something to read a last time.
      assert.isAtMost(lastReadings, Math.ceil(121 / 3) + 1)
      assert.isAtLeast(lastReadings, Math.floor((121 - 72) / 3))
    }))
})
