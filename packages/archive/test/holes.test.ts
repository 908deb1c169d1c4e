import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Sync from "@tallystick/archive/Sync"
import { Broker } from "@tallystick/core/Broker"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Database } from "../src/internal/sql/Database.ts"
import * as Sqlite from "../src/internal/sqlite/Sqlite.ts"
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

/** Everything that the service showed of the deposits of a time. */
const reading = Effect.fnUntraced(function*(
  interval: Coverage.Interval,
  readAt: number,
  ...records: ReadonlyArray<ReturnType<typeof deposit>>
) {
  const { deposits } = yield* Archive
  const complete = { operation: "deposits", ...interval, readAt, state: "complete" } as const
  yield* deposits.saveSlice({ ...interval, records, bad: [], coverage: [complete] })
})

/** A deposit that was pending a minute before it was settled. */
const settled = Effect.fnUntraced(function*(day: Coverage.Interval, at: number) {
  for (const [status, readAt] of [[4, day.to], [4, at - HOUR / 60], [5, at]] as const) {
    yield* reading(day, readAt, deposit({ status, insertTime: day.from + HOUR }))
  }
})

/** The transfers of a time, all of which were read. */
const moved = Effect.fnUntraced(function*(interval: Coverage.Interval, ...times: ReadonlyArray<number>) {
  const { transfers } = yield* Archive
  const complete = { operation: "transfers", ...interval, readAt: interval.to + HOUR, state: "complete" } as const
  const records = times.map((timestamp, index) => transfer({ tranId: `${index}`, timestamp }))
  yield* transfers.saveSlice({ ...interval, records, bad: [], coverage: [complete] })
})

const codes = (range: Coverage.Interval) =>
  Effect.map(
    ArchiveReconciliation.run({ range, accounts: one }),
    ({ outcomes }) => outcomes.map(({ code }) => code)
  )

/** Control totals are of days. */
const FIRST = NOW - NOW % DAY

const lost = Effect.flatMap(Database, ({ sql }) => sql`DELETE FROM deposits`)

const losses = [
  ["whose row was lost", lost],
  [
    "whose row was lost and taken out",
    Effect.andThen(lost, Archive.use(({ deposits }) => deposits.repair({ from: FIRST, to: FIRST + DAY })))
  ],
  [
    "whose row and coverage were lost",
    Effect.andThen(lost, Effect.flatMap(Database, ({ sql }) => sql`DELETE FROM coverage WHERE from_ms = ${FIRST}`))
  ]
] as const

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
        const late = { from: NOW - 3 * DAY, to: NOW - 2 * DAY }
        yield* reading({ from: NOW - 9 * DAY, to: late.from }, NOW - 2 * DAY)
        yield* reading({ from: late.to, to: NOW + DAY }, NOW + 2 * DAY)
        if (isRead) yield* settled(late, NOW)
        yield* moved({ from: NOW - 9 * DAY, to: NOW + DAY }, NOW + HOUR / 60)
        assert.deepStrictEqual(yield* codes({ from: NOW - HOUR, to: NOW + HOUR }), [isRead ? "exact" : "coverage-gap"])
      }).pipe(Effect.provide(Archive.layerMemory())))
  }

  for (const days of [0, 2, 5]) {
    it.effect(`does so for a week behind its end, though it begins ${days} days before a report`, () =>
      Effect.gen(function*() {
        yield* reading({ from: NOW - 14 * DAY, to: NOW - days * DAY }, NOW - days * DAY + HOUR)
        yield* reading({ from: NOW + DAY, to: NOW + 14 * DAY }, NOW + 14 * DAY + HOUR)
        yield* moved({ from: NOW - 14 * DAY, to: NOW + 14 * DAY }, NOW + 7.5 * DAY, NOW + 8.5 * DAY)
        const report = yield* codes({ from: NOW, to: NOW + 10 * DAY })
        assert.deepStrictEqual(report, ["coverage-gap", "missing-deposit"])
      }).pipe(Effect.provide(Archive.layerMemory())))
  }

  it.effect("holds a deposit that could not be read, which may have settled within the week: nothing is missing for certain", () =>
    Effect.gen(function*() {
      const { deposits } = yield* Archive
      const week = { from: NOW - 6 * DAY, to: NOW + 3 * DAY }
      yield* reading(week, week.to + HOUR)
      yield* moved(week, NOW)
      const range = { from: NOW - HOUR, to: NOW + HOUR }
      const report = Effect.map(
        ArchiveReconciliation.run({ range, accounts: one }),
        ({ outcomes }) => outcomes.map(({ code, final }) => [code, final])
      )
      assert.deepStrictEqual(yield* report, [["missing-deposit", true]])
      const raw = JSON.stringify({ ...deposit({ insertTime: NOW - 3 * DAY }), amount: "much" })
      const bad = [{ side: "deposit", source: "page 1", path: "amount", reason: "wanted an amount", raw } as const]
      yield* deposits.savePage({ records: [], bad, readAt: week.to })
      assert.deepStrictEqual((yield* report).filter(([code]) => code === "missing-deposit"), [[
        "missing-deposit",
        false
      ]])
    }).pipe(Effect.provide(Archive.layerMemory())))

  for (const [what, lose] of losses) {
    it.effect(`a deposit of the first day that was read, ${what}, is not missing where it settled`, () =>
      Effect.gen(function*() {
        const first = { from: FIRST, to: FIRST + DAY }
        yield* settled(first, FIRST + 3 * DAY)
        yield* reading({ from: FIRST + DAY, to: FIRST + 9 * DAY }, FIRST + 9 * DAY + HOUR)
        yield* moved({ from: FIRST - DAY, to: FIRST + 9 * DAY }, FIRST + 3 * DAY + HOUR / 60)
        const range = { from: FIRST - HOUR, to: FIRST + 8 * DAY }
        assert.deepStrictEqual(yield* codes(range), ["exact"])
        yield* lose
        assert.deepStrictEqual(yield* codes(range), ["coverage-gap"])
      }).pipe(Effect.provide(Layer.provideMerge(Layer.fresh(Archive.layer), Sqlite.layerMemory()))))
  }
})
