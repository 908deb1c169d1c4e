import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Sync from "@tallystick/archive/Sync"
import { Broker } from "@tallystick/core/Broker"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const one = { list: ["a@x"], complete: true }
const both = { list: ["a@x", "b@x"], complete: true }

/** Both accounts once, then one of them alone for five days. */
const leaveOut = Effect.gen(function*() {
  yield* TestClock.setTime(NOW)
  yield* Sync.run({ accounts: both })
  for (let round = 0; round < 20; round++) {
    yield* TestClock.adjust("6 hours")
    yield* Sync.run({ accounts: one })
  }
})

const layer = (deposits: ReadonlyArray<ReturnType<typeof deposit>>) =>
  Layer.merge(Archive.layerMemory(), Broker.layerMemory({ deposits }))

describe("time that nobody read, although later time was read,", () => {
  it.effect("is a gap between two stretches that a person vouched for", () =>
    Effect.gen(function*() {
      const archive = yield* Archive
      for (const operation of ["deposits", "transfers"] as const) {
        yield* archive.vouch(operation, { from: NOW - 30 * DAY, to: NOW }, NOW + 90 * DAY)
        yield* archive.vouch(operation, { from: NOW + 30 * DAY, to: NOW + 60 * DAY }, NOW + 90 * DAY)
      }
      yield* archive.deposits.importRecords([deposit({ insertTime: NOW - HOUR / 6 })])
      const report = yield* ArchiveReconciliation.run({ range: { from: NOW - DAY, to: NOW }, accounts: one })
      assert.deepStrictEqual(report.outcomes.map(({ code }) => code), ["coverage-gap"])
      assert.isFalse(report.clean)
    }).pipe(Effect.provide(Archive.layerMemory())))

  it.effect("is a gap of an account that is asked no more: nothing is decided about its deposits", () =>
    Effect.gen(function*() {
      yield* leaveOut
      const range = { from: NOW - HOUR, to: NOW + 30 * HOUR }
      const report = yield* ArchiveReconciliation.run({ range, accounts: both })
      assert.deepStrictEqual(report.outcomes.map(({ code }) => code), ["coverage-gap"])
      assert.isAbove(report.unread.length, 0)
    }).pipe(Effect.provide(layer([deposit({ insertTime: NOW + 20 * HOUR })]))))

  it.effect("is none of those that were asked on, nor behind the last reading", () =>
    Effect.gen(function*() {
      yield* leaveOut
      const range = { from: NOW - HOUR, to: NOW + 30 * HOUR }
      const report = yield* ArchiveReconciliation.run({ range, accounts: one })
      assert.deepStrictEqual(report.unread, [])
      const last = { from: NOW + 5 * DAY - HOUR, to: NOW + 5 * DAY }
      const recent = yield* ArchiveReconciliation.run({ range: last, accounts: one })
      assert.deepStrictEqual(recent.outcomes.map(({ code }) => code), ["in-flight"])
    }).pipe(Effect.provide(layer([deposit({ insertTime: NOW + 5 * DAY - HOUR / 3 })]))))

  for (const isRead of [true, false]) {
    const time = isRead ? "was read" : "was not read, although deposits of before were"
    it.effect(`the time of a deposit that settled days later ${time}: it is ${isRead ? "matched" : "not missing"}`, () =>
      Effect.gen(function*() {
        const archive = yield* Archive
        const operation = "deposits" as const
        const late = { from: NOW - 3 * DAY, to: NOW - 2 * DAY }
        const deposits = (
          interval: Coverage.Interval,
          readAt: number,
          ...records: ReadonlyArray<ReturnType<typeof deposit>>
        ) =>
          archive.deposits.saveSlice({
            ...interval,
            records,
            bad: [],
            coverage: [{ operation, ...interval, readAt, state: "complete" }]
          })
        yield* deposits({ from: NOW - 9 * DAY, to: late.from }, NOW - 2 * DAY)
        yield* deposits({ from: late.to, to: NOW + DAY }, NOW + 2 * DAY)
        if (isRead) {
          for (const [status, readAt] of [[4, late.to], [4, NOW - HOUR / 60], [5, NOW]] as const) {
            yield* deposits(late, readAt, deposit({ status, insertTime: late.from + HOUR }))
          }
        }
        const all = { from: NOW - 9 * DAY, to: NOW + DAY }
        yield* archive.transfers.saveSlice({
          ...all,
          records: [transfer({ timestamp: NOW + HOUR / 60 })],
          bad: [],
          coverage: [{ operation: "transfers", ...all, readAt: NOW + 2 * DAY, state: "complete" }]
        })
        const { outcomes } = yield* ArchiveReconciliation.run({
          range: { from: NOW - HOUR, to: NOW + HOUR },
          accounts: one
        })
        assert.deepStrictEqual(outcomes.map(({ code }) => code), [isRead ? "exact" : "coverage-gap"])
      }).pipe(Effect.provide(Archive.layerMemory())))
  }
})
