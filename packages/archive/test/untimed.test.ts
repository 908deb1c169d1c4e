/** Records that cannot be read and tell no time: one of them may belong anywhere in the slice that it came with. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as ControlTable from "../src/internal/coverage/ControlTable.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Sqlite from "../src/internal/sqlite/Sqlite.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const FIRST = NOW - NOW % DAY
const END = FIRST + 30 * DAY

/** Of a day, counted from the first. */
const at = (day: number): number => FIRST + day * DAY
const span = (from: number, to: number): Coverage.Interval => ({ from: at(from), to: at(to) })

const bad = (raw: string, side: "deposit" | "transfer" = "transfer"): BadRecord.BadRecord => ({
  side,
  source: "page 1, record 1",
  path: "",
  reason: "wanted a record",
  raw
})

const complete = (
  operation: "deposits" | "transfers",
  interval: Coverage.Interval,
  readAt = END
): Coverage.Coverage => ({
  operation,
  ...interval,
  readAt,
  state: "complete"
})

/** What the service showed of transfers; it showed none that can be read. */
const read = (interval: Coverage.Interval, ...raw: ReadonlyArray<string>) =>
  Archive.Archive.use(({ transfers }) =>
    transfers.saveSlice({
      ...interval,
      records: [],
      bad: raw.map((one) => bad(one)),
      coverage: [complete("transfers", interval)]
    })
  )

/** Deposits without transfers, at noon of days of which everything was read. */
const deposited = (...days: ReadonlyArray<number>) =>
  Archive.Archive.use(({ deposits }) => {
    const records = days.map((day) => deposit({ insertTime: at(day) + DAY / 2, txId: `${day}` }))
    return deposits.saveSlice({ ...span(0, 25), records, bad: [], coverage: [complete("deposits", span(0, 25))] })
  })

/** Whether the deposit of a day finally has no transfer, in a report of that day. */
const isFinal = (day: number, batch = 4096) =>
  Effect.map(
    ArchiveReconciliation.run({ range: span(day, day + 1), accounts: { list: ["a@x"], complete: true }, batch }),
    ({ outcomes }) => outcomes.some(({ code, final }) => code === "missing-transfer" && final)
  )

/** The texts that are given of an interval, in order of time. */
const given = (interval: Coverage.Interval, batch = 4096) =>
  Archive.Archive.use(({ transfers }) =>
    Effect.map(
      Stream.runCollect(transfers.slices({ ...interval, batch })),
      (slices) => slices.flatMap(({ bad }) => bad.map(({ raw }) => raw))
    )
  )

const unreadable = Archive.Archive.use(({ transfers }) => Effect.map(transfers.counts, ({ unreadable }) => unreadable))

const damages = Archive.Archive.use(({ transfers }) => transfers.check(span(0, 30)))

describe.each(databases)("a record that tells no time, in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(body, archive))

  test(
    "leaves nothing final on each day that showed its text, also when the text comes again on a later day",
    Effect.gen(function*() {
      yield* deposited(3, 12, 20)
      yield* read(span(0, 30))
      for (const day of [3, 12]) {
        yield* read(span(day, day + 1), "null")
        assert.isFalse(yield* isFinal(day))
      }
      assert.isFalse(yield* isFinal(3))
      assert.isTrue(yield* isFinal(20))
      assert.deepStrictEqual(yield* given(span(0, 30)), ["null", "null"])
      assert.strictEqual(yield* unreadable, 2)
      assert.deepStrictEqual(yield* damages, [])
    })
  )

  test(
    "is looked for in the whole slice that it came with, whatever part a report is about and however it is cut",
    Effect.gen(function*() {
      yield* deposited(2, 6, 9, 20)
      yield* read(span(0, 30))
      yield* read(span(1, 10), "null")
      for (const batch of [1, 4096]) {
        for (const day of [2, 6, 9]) assert.isFalse(yield* isFinal(day, batch), `day ${day}, ${batch} at a time`)
        assert.isTrue(yield* isFinal(20, batch))
        assert.deepStrictEqual(yield* given(span(0, 30), batch), ["null"])
        assert.deepStrictEqual(yield* given({ from: at(4) + 5, to: at(4) + 6 }, batch), ["null"])
      }
      assert.strictEqual(yield* unreadable, 1)
    })
  )

  test(
    "is counted once however often the last hours are read again, and belongs in all of them",
    Effect.gen(function*() {
      for (let hour = 0; hour < 30; hour++) {
        yield* read({ from: at(1) + hour * HOUR, to: at(1) + (hour + 2) * HOUR }, "null")
      }
      assert.strictEqual(yield* unreadable, 1)
      assert.deepStrictEqual(yield* given(span(0, 5)), ["null"])
      assert.deepStrictEqual(yield* given({ from: at(1) + 30 * HOUR, to: at(1) + 31 * HOUR }), ["null"])
      yield* read({ from: at(1) + 20 * HOUR, to: at(1) + 21 * HOUR }, "null", "null")
      assert.deepStrictEqual(yield* given(span(0, 5)), ["null", "null"])
      assert.strictEqual(yield* unreadable, 2)
      assert.deepStrictEqual(yield* damages, [])
    })
  )

  test(
    "is another one where it is shown hours apart of the same day",
    Effect.gen(function*() {
      yield* read({ from: at(1), to: at(1) + HOUR }, "null")
      yield* read({ from: at(1) + 5 * HOUR, to: at(1) + 6 * HOUR }, "null")
      assert.deepStrictEqual(yield* given(span(0, 5)), ["null", "null"])
      assert.strictEqual(yield* unreadable, 2)
    })
  )

  test(
    "that was damaged is no longer complete on that day, though its text comes again",
    Effect.gen(function*() {
      yield* deposited(3)
      yield* read(span(0, 30))
      const { sql } = yield* Database
      const { transfers } = yield* Archive.Archive
      for (const [change, again] of [["raw = 'x'", span(3, 4)], ["until = at", span(2, 5)]] as const) {
        yield* read(span(3, 4), "null")
        yield* sql.unsafe(`UPDATE bad_records SET ${change} WHERE at = ${at(3)} AND timed = 0`)
        yield* read(again, "null")
        assert.isFalse(yield* isFinal(3))
        const slices = yield* Stream.runCollect(transfers.slices(span(3, 4)))
        const gaps = slices.flatMap(({ coverage }) => coverage).filter(({ gap }) => gap?.code === "damaged")
        assert.deepStrictEqual(gaps.map(({ from, to }) => ({ from, to })), [span(3, 4)], change)
        assert.include(slices.flatMap(({ bad }) => bad.map(({ reason }) => reason)).join(), "is not as it was written")
      }
      assert.deepStrictEqual(yield* damages, [])
    })
  )

  test(
    "that was lost leaves the rest of the day incomplete, also where a report reads only the evening",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const { sql } = yield* Database
      const records = Array.from(
        { length: 24 },
        (_, hour) => transfer({ tranId: `${hour}`, timestamp: at(3) + hour * HOUR })
      )
      yield* transfers.saveSlice({
        ...span(3, 4),
        records,
        bad: [bad("null")],
        coverage: [complete("transfers", span(3, 4))]
      })
      // The day in stretches of four records.
      const small = ControlTable.make(sql, { most: 4, ahead: 4 })
      yield* sql.withTransaction(small.apply("transfers", [{ at: at(3), records: 0, checksums: 0 }]))
      const evening = { from: at(3) + 20 * HOUR, to: at(4) }
      const gaps = Effect.map(
        Stream.runCollect(transfers.slices({ ...evening, batch: 2 })),
        (slices) => slices.flatMap(({ coverage }) => coverage).filter(({ state }) => state !== "complete")
      )
      assert.deepStrictEqual(yield* gaps, [])
      assert.deepStrictEqual(yield* given(evening, 2), ["null"])
      yield* sql`DELETE FROM bad_records`
      assert.deepStrictEqual((yield* damages).map(({ from }) => from), [at(3)])
      const found = yield* gaps
      assert.deepStrictEqual([found[0]?.from, found.at(-1)?.to], [evening.from, evening.to])
      assert.isTrue(found.every(({ gap }) => gap?.code === "damaged"))
    })
  )

  test(
    "is met by a reading that goes on while it is taken from its page to its slice",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const records = Array.from({ length: 6 }, (_, day) => transfer({ tranId: `${day}`, timestamp: at(day) + HOUR }))
      const whole = span(0, 6)
      const part = complete("transfers", whole)
      yield* transfers.saveSlice({ ...whole, records, bad: [], coverage: [part] })
      const asked = { from: at(2) + 12 * HOUR, to: at(6) }
      yield* transfers.savePage({ records: [], bad: [bad("null")], readAt: END, asked })
      const saved = transfers.saveSlice({ ...whole, records, bad: [bad("null")], coverage: [part] })
      for (const pieces of [1, 3, 4]) {
        let count = 0
        const found = yield* transfers.slices({ ...whole, batch: 1 }).pipe(
          Stream.tap(() => Effect.suspend(() => ++count === pieces ? saved : Effect.void)),
          Stream.runCollect
        )
        assert.strictEqual(found.flatMap(({ bad }) => bad).length, 1, `${pieces}`)
      }
    })
  )

  test(
    "of a page whose slice never came is looked for where the page was asked about, and counted once when the slice comes",
    Effect.gen(function*() {
      yield* deposited(3, 12)
      yield* read(span(0, 30))
      const { transfers } = yield* Archive.Archive
      const page = { records: [], bad: [bad("null")], readAt: END }
      yield* transfers.savePage({ ...page, asked: span(3, 4) })
      assert.deepStrictEqual([yield* isFinal(3), yield* isFinal(12)], [false, true])
      yield* read(span(2, 4), "null")
      assert.strictEqual(yield* unreadable, 1)
      assert.deepStrictEqual(yield* given(span(0, 30)), ["null"])
      // Nobody says what this page was asked about.
      yield* transfers.savePage(page)
      assert.isFalse(yield* isFinal(12))
      assert.strictEqual(yield* unreadable, 1)
    })
  )
})

describe("a deposit that tells no time", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))
  const shown = (interval: Coverage.Interval, ...raw: ReadonlyArray<string>) =>
    Archive.Archive.use(({ deposits }) =>
      deposits.saveSlice({
        ...interval,
        records: [],
        bad: raw.map((one) => bad(one, "deposit")),
        coverage: [complete("deposits", interval)]
      })
    )
  const missing = (day: number) =>
    Effect.map(
      ArchiveReconciliation.run({ range: span(day, day + 1), accounts: { list: ["a@x"], complete: true } }),
      ({ outcomes }) => outcomes.some(({ code, final }) => code === "missing-deposit" && final)
    )
  const moved = (...days: ReadonlyArray<number>) =>
    Archive.Archive.use(({ transfers }) => {
      const records = days.map((day) => transfer({ tranId: `${day}`, timestamp: at(day) + DAY / 2 }))
      return transfers.saveSlice({ ...span(0, 29), records, bad: [], coverage: [complete("transfers", span(0, 29))] })
    })

  it.effect("may have settled for a week behind the end of its slice", () =>
    Effect.gen(function*() {
      yield* moved(8, 12, 16, 25)
      yield* shown(span(0, 30))
      assert.isTrue(yield* missing(12))
      yield* shown(span(1, 10), "null")
      assert.deepStrictEqual(
        yield* Effect.forEach([8, 12, 16, 25], missing),
        [false, false, false, true]
      )
    }).pipe(Effect.provide(archive)))

  for (
    const change of [
      "DELETE FROM bad_records",
      "UPDATE bad_records SET gone_at = 1",
      "UPDATE bad_records SET timed = 3"
    ]
  ) {
    it.effect(`leaves nothing finally missing for that week after ${change}`, () =>
      Effect.gen(function*() {
        const { sql } = yield* Database
        yield* moved(9, 12)
        yield* shown(span(0, 30))
        yield* shown(span(5, 6), "null")
        yield* sql.unsafe(change)
        assert.deepStrictEqual(yield* Effect.forEach([9, 12], missing), [false, false])
      }).pipe(Effect.provide(archive)))
  }
})

describe("of any readings", () => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, Sqlite.layerMemory()))
  const Hour = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 }))
  const Reading = Schema.Struct({
    from: Hour,
    length: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 })),
    isPage: Schema.Boolean
  })

  it.effect.prop(
    "each part of a slice that showed a text gives it, a part that no slice touched does not, and nothing looks damaged",
    [Schema.Array(Reading).check(Schema.isMaxLength(8)), Hour],
    ([readings, hour]) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(END)
        const { transfers } = yield* Archive.Archive
        const times = readings.map(({ from, length }) => ({
          from: at(1) + from * HOUR,
          to: at(1) + (from + length) * HOUR
        }))
        for (const [index, interval] of times.entries()) {
          yield* readings[index]?.isPage === true
            ? transfers.savePage({ records: [], bad: [bad("null")], readAt: END, asked: interval })
            : read(interval, "null")
        }
        const asked = { from: at(1) + hour * HOUR, to: at(1) + (hour + 1) * HOUR }
        const isShown = times.some(({ from, to }) => from < asked.to && to > asked.from)
        assert.deepStrictEqual(yield* given(asked), isShown ? ["null"] : [])
        const ends = times.toSorted((a, b) => a.from - b.from)
        let [records, end] = [0, Number.NEGATIVE_INFINITY]
        for (const { from, to } of ends) {
          if (from > end) records++
          end = Math.max(end, to)
        }
        assert.strictEqual(yield* unreadable, records)
        assert.strictEqual((yield* given(span(0, 20), 1)).length, records)
        assert.deepStrictEqual(yield* damages, [])
      }).pipe(Effect.provide(archive)),
    { arbitrary: { runs: Math.max(30, Math.min(Number(process.env["TALLYSTICK_CASES"] ?? 30), 500)) } }
  )
})
