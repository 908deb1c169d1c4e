/** What a repair could not bring back, and what may be said of that time afterwards. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Database } from "../src/internal/sql/Database.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const range = { from: NOW - 5 * DAY, to: NOW + 5 * DAY }

const complete = (operation: "deposits" | "transfers", readAt: number): Coverage.Coverage => ({
  operation,
  ...range,
  readAt,
  state: "complete"
})

/** A complete reading of all time. */
const read = (readAt: number, ...records: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>) =>
  Archive.Archive.use(({ deposits }) =>
    deposits.saveSlice({ ...range, records, bad: [], coverage: [complete("deposits", readAt)] })
  )

const moved = (at: number) =>
  Archive.Archive.use(({ transfers }) => {
    const coverage = [complete("transfers", NOW + 6 * DAY)]
    return transfers.saveSlice({ ...range, records: [transfer({ timestamp: at })], bad: [], coverage })
  })

const repair = Archive.Archive.use(({ deposits, transfers }) =>
  Effect.andThen(deposits.repair(range), transfers.repair(range))
)

/** What is said of the hours around a time, records that cannot be read aside. */
const outcomes = (at: number) =>
  Effect.map(
    ArchiveReconciliation.run({
      range: { from: at - HOUR, to: at + HOUR },
      accounts: { list: ["a@x"], complete: true }
    }),
    ({ outcomes }) => outcomes.filter(({ code }) => code !== "bad-record")
  )

const codes = (at: number) =>
  Effect.map(outcomes(at), (found) => found.map(({ code, final }) => final ? `${code}, final` : code))

/** A deposit that was seen to settle a day after it was inserted; its transfer came ten minutes later. */
const settledLate = Effect.gen(function*() {
  yield* read(NOW + MINUTE, deposit({ status: 4 }))
  yield* read(NOW + DAY - MINUTE, deposit({ status: 4 }))
  yield* read(NOW + DAY, deposit({ status: 5 }))
  yield* read(NOW + 6 * DAY, deposit({ status: 5 }))
  yield* moved(NOW + DAY + 10 * MINUTE)
})

/** A deposit that was moved, and is no longer shown. */
const vanished = Effect.gen(function*() {
  yield* read(NOW + 5 * DAY, deposit())
  yield* read(NOW + 6 * DAY)
  yield* moved(NOW + MINUTE)
})

/** The day (UTC) of `NOW`, of which less than two hours are left. */
const TODAY = Math.floor(NOW / DAY) * DAY

const shown = [NOW - 2 * DAY, NOW - HOUR].map((insertTime) => deposit({ insertTime, txId: `${insertTime}` }))

/** A round of sync at a time. */
const round = (now: number) =>
  Sync.run({ accounts: { list: ["a@x"], complete: true } }).pipe(
    Effect.provide(Broker.Broker.layerMemory({ deposits: shown })),
    at(now)
  )

describe.each(databases)("what a repair took out of an archive in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(body, archive))

  for (
    const [what, statement] of [
      ["row was lost", "DELETE FROM deposits"],
      ["earlier versions were lost", "DELETE FROM versions"],
      ["earlier version was edited", "UPDATE versions SET seen_at = 5"]
    ] as const
  ) {
    test(
      `leaves nothing that is missing for certain where a deposit settled late and its ${what}`,
      Effect.gen(function*() {
        const { sql } = yield* Database
        yield* settledLate
        assert.deepStrictEqual(yield* codes(NOW), ["exact"])
        yield* sql.unsafe(statement)
        yield* repair
        yield* read(NOW + 7 * DAY, deposit({ status: 5 }))
        const { deposits } = yield* Archive.Archive
        const day = Math.floor(NOW / DAY) * DAY
        assert.deepStrictEqual(yield* deposits.lost(range), [{ from: day, to: day + DAY }])
        for (const at of [NOW, NOW + DAY]) {
          const found = yield* outcomes(at)
          assert.isAbove(found.length, 0)
          assert.isTrue(found.every(({ final }) => !final), JSON.stringify(found.map(({ explanation }) => explanation)))
        }
      })
    )
  }

  test(
    "is not said to be missing where it had vanished, and its text stays after a complete reading",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* vanished
      assert.deepStrictEqual(yield* codes(NOW), ["vanished, final"])
      yield* sql`UPDATE deposits SET memo = 'edited'`
      yield* repair
      yield* read(NOW + 7 * DAY)
      assert.deepStrictEqual(yield* codes(NOW), ["coverage-gap"])
      const slices = yield* Stream.runCollect(deposits.slices(range))
      const bad = slices.flatMap(({ bad }) => bad)
      assert.isTrue(bad.some(({ raw }) => raw.includes("edited")))
      assert.deepStrictEqual(bad.map(({ reason }) => reason), [
        "the archive's row is not as it was written, its checksum differs"
      ])
    })
  )

  test(
    "is no record that could not be read where no row is left of it",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* read(NOW + 5 * DAY, deposit(), deposit({ insertTime: NOW + MINUTE, txId: "other" }))
      yield* moved(NOW + MINUTE)
      yield* sql`DELETE FROM deposits WHERE at = ${NOW}`
      yield* repair
      assert.strictEqual((yield* deposits.counts).unreadable, 0)
      const day = Math.floor(NOW / DAY) * DAY
      assert.deepStrictEqual(yield* deposits.lost(range), [{ from: day, to: day + DAY }])
      const slices = yield* Stream.runCollect(deposits.slices(range))
      assert.deepStrictEqual(slices.flatMap(({ bad }) => bad), [])
      assert.isTrue(slices.some(({ coverage }) => coverage.some(({ gap }) => gap?.code === "damaged")))
      const { counts, unread } = yield* ArchiveReconciliation.run({
        range,
        accounts: { list: ["a@x"], complete: true }
      })
      assert.deepStrictEqual(counts.filter(({ code }) => code === "bad-record"), [])
      assert.isTrue(unread.some(({ operation }) => operation === "deposits"))
      assert.deepStrictEqual(yield* deposits.check(range), [])
    })
  )

  test(
    "is not covered by a person's word for an import either",
    Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const { sql } = yield* Database
      yield* vanished
      yield* sql`DELETE FROM deposits`
      yield* repair
      yield* archive.deposits.importRecords([deposit()])
      yield* archive.vouch("deposits", range, NOW + 7 * DAY)
      assert.isTrue((yield* outcomes(NOW)).every(({ final }) => !final))
      const slices = yield* Stream.runCollect(archive.deposits.slices({ from: NOW, to: NOW + 1 }))
      assert.deepStrictEqual(slices.flatMap(({ coverage }) => coverage.map(({ gap, state }) => [state, gap])), [[
        "incomplete",
        {
          code: "damaged",
          detail: "the archive lost rows of this time, and the exchange shows only what it knows now: restore a backup"
        }
      ]])
    })
  )

  it.live("stays a hole for every later sync, which calls nothing of a day complete of which rows were lost", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const first = yield* round(NOW)
      assert.deepStrictEqual(first.holes, [])
      yield* sql`DELETE FROM deposits WHERE at = ${NOW - 2 * DAY}`
      assert.strictEqual((yield* round(NOW)).damaged.length, 1)
      const later = yield* round(NOW)
      assert.deepStrictEqual([later.damaged, later.gaps, later.completeTo], [[], [], first.completeTo])
      assert.deepStrictEqual(later.holes.map(({ from, gap, operation, to }) => [operation, from, to, gap?.code]), [
        ["deposits", TODAY - 2 * DAY, TODAY - DAY, "damaged"]
      ])
    }).pipe(Effect.provide(archive)))

  it.live("is a gap of each sync that reads more of the day, and of no sync that only reads some of it again", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* round(NOW)
      yield* sql`DELETE FROM deposits WHERE at = ${NOW - HOUR}`
      const mended = yield* round(NOW + 10 * MINUTE)
      assert.deepStrictEqual([mended.damaged.length, mended.completeTo, mended.holes], [1, TODAY, []])
      const rest = yield* round(NOW + 110 * MINUTE)
      assert.deepStrictEqual(rest.gaps.map(({ gap, operation, to }) => [operation, to, gap?.code]), [
        ["deposits", TODAY + DAY, "damaged"]
      ])
      assert.isAbove(rest.completeTo ?? 0, TODAY + DAY)
      const next = yield* round(NOW + 115 * MINUTE)
      assert.deepStrictEqual([next.damaged, next.gaps, next.holes.length], [[], [], 1])
    }).pipe(Effect.provide(archive)))

  test(
    "leaves a record in dispute that was told in two ways and whose row was lost",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* read(NOW + 6 * DAY, deposit())
      yield* moved(NOW + MINUTE)
      const other = transfer({ timestamp: NOW + MINUTE, amount: "2.5" })
      yield* transfers.savePage({ readAt: NOW + 6 * DAY, records: [other], bad: [] })
      yield* sql`DELETE FROM transfers`
      yield* repair
      yield* moved(NOW + MINUTE)
      assert.include((yield* outcomes(NOW)).map(({ code }) => code), "source-conflict")
    })
  )

  test(
    "leaves a record in dispute at both times that were told of it, before and after the repair",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const { sql } = yield* Database
      yield* read(NOW + 6 * DAY, deposit({ insertTime: NOW + 3 * DAY }))
      yield* moved(NOW)
      const other = transfer({ timestamp: NOW + 3 * DAY + MINUTE })
      yield* transfers.savePage({ readAt: NOW + 6 * DAY, records: [other], bad: [] })
      const before = yield* codes(NOW + 3 * DAY)
      assert.deepStrictEqual(before, ["missing-transfer", "source-conflict, final"])
      yield* sql`DELETE FROM transfers`
      assert.deepStrictEqual(yield* codes(NOW + 3 * DAY), before)
      yield* repair
      assert.deepStrictEqual(yield* codes(NOW + 3 * DAY), before)
    })
  )

  test(
    "is taken out once, and counted again day by day, where the control totals were lost",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const { sql } = yield* Database
      const days = [-2, 0, 2].map((day) => deposit({ insertTime: NOW + day * DAY, txId: `${day}` }))
      yield* read(NOW + 6 * DAY, ...days)
      yield* sql`DELETE FROM controls`
      assert.isAbove((yield* deposits.repair(range)).length, 0)
      assert.deepStrictEqual(yield* deposits.check(range), [])
      assert.deepStrictEqual(yield* deposits.repair(range), [])
    })
  )

  for (const isRepaired of [false, true]) {
    test(
      `leaves no final match of a record whose contradiction was lost at another time${
        isRepaired ? ", repaired or not" : ""
      }`,
      Effect.gen(function*() {
        const { transfers } = yield* Archive.Archive
        const { sql } = yield* Database
        yield* read(NOW + 6 * DAY, deposit())
        yield* moved(NOW + MINUTE)
        const other = transfer({ timestamp: NOW + 3 * DAY, amount: "2.5" })
        yield* transfers.savePage({ readAt: NOW + 6 * DAY, records: [other], bad: [] })
        assert.include((yield* outcomes(NOW)).map(({ code }) => code), "source-conflict")
        yield* sql`DELETE FROM versions`
        if (isRepaired) yield* transfers.repair(range)
        const found = yield* outcomes(NOW)
        assert.isAbove(found.length, 0)
        assert.isTrue(found.every(({ final }) => !final), JSON.stringify(found))
        const { lost } = yield* Integrity.check()
        assert.isTrue(lost.some(({ from, to }) => from === NOW + MINUTE && to === from + 1), "a check names the record")
        assert.deepStrictEqual(lost.filter(({ operation }) => operation === "deposits"), [])
      })
    )
  }
})
