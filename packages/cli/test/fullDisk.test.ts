import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as FullDisk from "../src/archive/FullDisk.ts"
import * as ZonedTimes from "../src/text/ZonedTimes.ts"

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 22, 9)

const full = ArchiveError.ArchiveError.of(new ArchiveError.DiskFull({ place: "books.db" }))

const GOES_ON = "make room: the next sync goes on where this one stopped"

it.layer(Layer.merge(Archive.Archive.layerMemory(), Broker.Broker.layerMemory({ deposits: [], transfers: [] })))(
  "a full disk",
  (it) => {
    it.effect("is told with what to do, and with the time until the service forgets what was not read", () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { deposits } = yield* Archive.Archive
        const read = { operation: "deposits" as const, from: NOW - 71 * HOUR, to: NOW - 60 * HOUR, readAt: NOW }
        yield* deposits.saveSlice(
          { ...read, records: [], bad: [], coverage: [{ ...read, state: "complete" }] },
          undefined
        )
        assert.deepStrictEqual(yield* FullDisk.advice(full, ZonedTimes.make()), [
          `${GOES_ON}; the service forgets the first unread deposit in 12.0 hours (2026-11-22 21:00 UTC)`
        ])
      }))

    it.effect("is told with what to do where nobody knows the time, and nothing is added to another error", () =>
      Effect.gen(function*() {
        const archive = yield* Archive.Archive
        const advice = (error: ArchiveError.ArchiveError) =>
          Effect.provideService(FullDisk.advice(error, ZonedTimes.make()), Archive.Archive, {
            ...archive,
            coverage: () => Effect.fail(full)
          })
        assert.deepStrictEqual(yield* advice(full), [GOES_ON])
        const locked = ArchiveError.ArchiveError.of(new ArchiveError.Locked({ place: "books.db" }))
        assert.deepStrictEqual(yield* advice(locked), [])
      }))
  }
)
