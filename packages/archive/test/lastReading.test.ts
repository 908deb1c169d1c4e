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

interface Rounds {
  /** So many ms lie between two rounds. */
  readonly every: number
  readonly late: number
  /** The first round is so many ms before the deposits. */
  readonly ahead?: number
  /** Somebody vouches for a file of the last half hour before each round. */
  readonly isImporting?: boolean
}

/** Lets rounds run for five days, and says what they found of the deposits. */
const watched = ({ ahead = HOUR, every, isImporting = false, late }: Rounds) =>
  Effect.gen(function*() {
    const archive = yield* Archive.Archive
    const memory = yield* BrokerMemory.BrokerMemory
    const broker = yield* Broker.Broker
    let lastReadings = 0
    let now = NOW - ahead
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
      if (isImporting) {
        yield* archive.vouch("deposits", { from: now - HOUR / 2, to: now - 60_000 }, now - 60_000)
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

  it.effect("finds what changed or went between rounds that are rare", () =>
    Effect.gen(function*() {
      for (const every of [6 * HOUR, 12 * HOUR, 24 * HOUR]) {
        for (const ahead of [1, 5, 10, 16, 23].map((hours) => hours * HOUR)) {
          // The last reading begins when no more than another round and three hours are left.
          const { changed, vanished } = yield* watched({ every, ahead, late: 69 * HOUR - every })
          assert.deepStrictEqual(
            { changed, vanished },
            { changed: 1, vanished: 1 },
            `every ${every} ms, ${ahead} ms ahead`
          )
        }
      }
    }))

  it.effect("goes on where somebody imports between rounds", () =>
    Effect.gen(function*() {
      for (const every of [HOUR, 24 * HOUR]) {
        const { changed, vanished } = yield* watched({ every, late: 45 * HOUR, isImporting: true })
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
