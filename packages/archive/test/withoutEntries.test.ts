/** What the books do not know is listed as items: records that could not be read, and time that was not. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as OpenItems from "../src/OpenItems.ts"
import * as Periods from "../src/Periods.ts"
import * as Runs from "../src/Runs.ts"
import { book, options, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, DAY, HOUR, testOn } from "./support/decisions.ts"
import { deposit, NOW } from "./support/records.ts"

const at = NOW + HOUR

const raw = JSON.stringify({ insertTime: at, amount: "much" })

const days = (from: number, to: number) => ({ from: NOW + from * DAY, to: NOW + to * DAY })

/** Reads the hour of the record once more, and is shown the record so often. */
const shows = (count: number, records: ReadonlyArray<ReturnType<typeof deposit>> = [], readAt = NOW + 6 * DAY + HOUR) =>
  Archive.Archive.use(({ deposits }) => {
    const slice = { from: at, to: at + 1 }
    const bad = { side: "deposit" as const, source: "page 1, record 1", path: "amount", reason: "wanted a number", raw }
    return deposits.saveSlice({
      ...slice,
      records,
      bad: Array.from({ length: count }, () => bad),
      coverage: [{ operation: "deposits", ...slice, readAt, state: "complete" }]
    })
  })

const without = (execution?: number) => OpenItems.OpenItems.use(({ withoutEntries }) => withoutEntries(execution))

const inShort = (execution?: number) =>
  Effect.map(without(execution), (items) =>
    items.map((item) => {
      const met = `since ${item.since}, last ${item.execution}`
      return item._tag === "BadRecord"
        ? `${item.record.side} ${item.record.raw} of ${item.at}, ${met}`
        : `${item.operation} ${(item.from - NOW) / DAY} to ${(item.to - NOW) / DAY}, ${met}: ${
          item.parts.map(({ query, state }) => `${query?.fromAccount ?? "all"} ${state}`).join()
        }`
    }))

describe.each(databases)("items without entries, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a record that could not be read is one item however many executions meet it, until it can be read", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* without(), [])
      yield* book(options(days(-4, -3)))
      yield* shows(1)
      yield* book(options(days(-1, 0)))
      yield* book(options(days(0, 1)))
      const told = (last: number) => [`deposit ${raw} of ${at}, since 2, last ${last}`]
      assert.deepStrictEqual(yield* inShort(), told(3))
      assert.deepStrictEqual(yield* inShort(2), told(2))
      assert.deepStrictEqual(yield* inShort(1), [])
      const [item] = yield* without()
      assert.match(item?.id ?? "", /^u[0-9a-f]{16}$/)
      const outcome = item?._tag === "BadRecord" ? item.outcome : ""
      assert.isTrue((yield* Runs.Runs.use((runs) => runs.outcome(outcome)))._tag === "Some")

      yield* shows(0, [deposit({ txId: "read", insertTime: at })], NOW + 6 * DAY + 2 * HOUR)
      yield* book(options(days(3, 4)), { carry: false })
      assert.deepStrictEqual(yield* inShort(), told(3), "no execution was over that time again")
      yield* book(options(days(3, 4)))
      assert.deepStrictEqual(yield* inShort(), [])
      assert.isTrue((yield* waiting()).join().includes("1.5 USDT"))
      assert.deepStrictEqual(yield* inShort(4), told(3))
    })))

  it.live("records of one text are as many items as one run met, each with an id that stays", () =>
    test(Effect.gen(function*() {
      yield* shows(2)
      yield* book()
      const ids = (yield* without()).map(({ id }) => id)
      assert.lengthOf(new Set(ids), 2)
      yield* book(options(days(-1, 1)))
      assert.deepStrictEqual((yield* without()).map(({ id }) => id), ids)
    })))

  it.live("a record that the archive lost from a run fails the list, and never leaves it in silence", () =>
    test(Effect.gen(function*() {
      yield* shows(1)
      yield* book()
      const { sql } = yield* Database
      yield* sql`DELETE FROM run_outcomes WHERE at = 0`
      assert.strictEqual((yield* Effect.flip(without())).reason._tag, "Damaged")
      yield* sql`DELETE FROM runs`
      assert.strictEqual((yield* Effect.flip(without())).reason._tag, "Damaged")
    })))

  it.live("a damaged run that counts no more keeps nobody from what later ones met, and from closing", () =>
    test(Effect.gen(function*() {
      yield* shows(1)
      yield* book(options(days(-1, 6)))
      yield* shows(0, [], NOW + 6 * DAY + 2 * HOUR)
      yield* shows(2, [], NOW + 6 * DAY + 3 * HOUR)
      yield* book(options(days(-1, 6)))
      const { sql } = yield* Database
      yield* sql`DELETE FROM run_outcomes WHERE run = (SELECT MIN(number) FROM runs) AND at = 0`
      yield* sql`UPDATE runs SET summary = 'x' WHERE number = (SELECT MIN(number) FROM runs)`
      const kept = yield* without()
      assert.deepStrictEqual(kept.map(({ _tag, since }) => [_tag, since]), [
        ["Gap", 2],
        ["Gap", 2],
        ["BadRecord", 2],
        ["BadRecord", 2]
      ])
      const { body } = yield* Periods.Periods.use(({ close }) =>
        close({ author: auditor, from: NOW - NOW % DAY, through: "2023-11-15", carryOpen: true })
      )
      assert.strictEqual(body.badRecords?.count, 2)
    })))

  it.live("time that was not read is one item an operation while it grows, and goes when a later execution has read it", () =>
    test(Effect.gen(function*() {
      yield* book(options(days(4, 6)))
      const lacking = (from: number, to: number, last: number) =>
        ["deposits", "transfers"].map((side) => `${side} ${from} to ${to}, since 1, last ${last}: all incomplete`)
      assert.deepStrictEqual(yield* inShort(), lacking(5, 6, 1))
      const ids = (yield* without()).map(({ id }) => id)
      yield* book(options(days(6, 7)))
      assert.deepStrictEqual(yield* inShort(), lacking(5, 7, 2))
      assert.deepStrictEqual((yield* without()).map(({ id }) => id), ids)

      const { deposits } = yield* Archive.Archive
      const slice = days(5, 7)
      yield* deposits.saveSlice({
        ...slice,
        records: [],
        bad: [],
        coverage: [{ operation: "deposits", ...slice, readAt: NOW + 8 * DAY, state: "complete" }]
      })
      yield* book(options(days(0, 1)))
      assert.deepStrictEqual(yield* inShort(), [`transfers 5 to 7, since 1, last 3: all incomplete,a@x incomplete`])
      assert.deepStrictEqual(yield* inShort(1), lacking(5, 6, 1))
    })))
})
