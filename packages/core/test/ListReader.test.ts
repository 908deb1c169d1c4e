/** A list without times, a total or an order: proven by two readings, or doubted. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ListReader from "../src/internal/paging/ListReader.ts"

const LONGEST = 20

/** A server that holds so many records, and answers a page by its habit. `asked` is the number of this request, from 1. */
type Habit = (
  all: ReadonlyArray<number>,
  page: number,
  limit: number,
  asked: number
) => ReadonlyArray<number>

const slice: Habit = (all, page, limit) => all.slice((page - 1) * limit, page * limit)

const shuffled = (all: ReadonlyArray<number>, seed: number): ReadonlyArray<number> => {
  let state = seed * 2_654_435_761 + 1
  return all.map((one) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return [state, one] as const
  }).toSorted(([a], [b]) => a - b).map(([, one]) => one)
}

const read = (count: number, habit: Habit, looksCut: (length: number) => boolean = () => false) =>
  Effect.suspend(() => {
    const all = Array.from({ length: count }, (_, index) => index)
    let asked = 0
    return Effect.map(
      ListReader.read<number, never>({
        page: (page, limit) => Effect.sync(() => habit(all, page, limit, ++asked)),
        identity: String,
        longest: LONGEST,
        looksCut
      }),
      (listed) => ({ ...listed, asked })
    )
  })

const COUNTS = Array.from({ length: 4 * LONGEST + 7 }, (_, index) => index)

const honest: Readonly<Record<string, Habit>> = {
  "one that answers as it is asked": slice,
  "newest first": (all, page, limit) => slice(all.toReversed(), page, limit, 0),
  "one whose pages are short": (all, page, limit) => slice(all, page, Math.min(limit, 7), 0)
}

/** Each leaves something out of some lists, or shows it twice, or does not let itself be checked. */
const habits: Readonly<Record<string, Habit>> = {
  ...honest,
  "one whose pages hold three at most": (all, page, limit) => slice(all, page, Math.min(limit, 3), 0),
  "one whose pages hold one": (all, page) => slice(all, page, 1, 0),
  "one that ignores the page": (all, _, limit) => slice(all, 1, limit, 0),
  "one that ignores page and limit": (all) => slice(all, 1, 10, 0),
  "one that ignores the limit": (all, page) => slice(all, page, 10, 0),
  "one that gives everything on the first page, whatever is asked": (all, page) => page === 1 ? all : [],
  "one with nothing behind the first page": (all, page, limit) => page === 1 ? slice(all, 1, limit, 0) : [],
  "one with nothing behind the second page": (all, page, limit) => page < 3 ? slice(all, page, limit, 0) : [],
  "one that skips a record between two pages": (all, page, limit) =>
    all.slice((page - 1) * (limit + 1), (page - 1) * (limit + 1) + limit),
  "one whose pages count from 0": (all, page, limit) => slice(all, page + 1, limit, 0),
  "one that shows fewer than it counts": (all, page, limit) => slice(all, page, limit, 0).slice(0, 6),
  "one that repeats its last page": (all, page, limit) =>
    slice(all, Math.max(1, Math.min(page, Math.ceil(all.length / limit))), limit, 0),
  "one that shows every record twice": (all, page, limit) => slice(all, page, limit, 0).flatMap((one) => [one, one]),
  "one that shuffles for every request": (all, page, limit, asked) => slice(shuffled(all, asked), page, limit, 0),
  "one that hides a record at the end of each full page": (all, page, limit) => {
    const records = slice(all, page, limit, 0)
    return records.length === limit ? records.slice(0, -1) : records
  },
  "one that rounds the limit up": (all, page, limit) => slice(all, page, Math.ceil(limit / 5) * 5, 0),
  "one that shows the whole pages of six records, three at most on each": (all, page, limit) =>
    page * Math.min(limit, 3) > 6 ? [] : slice(all, page, Math.min(limit, 3), 0),
  "one that shows no page behind the fortieth record": (all, page, limit) =>
    page * limit > 40 ? [] : slice(all, page, limit, 0),
  "one that answers nothing": () => []
}

describe("a list", () => {
  it.effect.each(Object.entries(habits))(
    "of a server that is %s is never taken for whole where it is not",
    ([, habit]) =>
      Effect.gen(function*() {
        for (const count of COUNTS) {
          const { doubt, records } = yield* read(count, habit)
          if (doubt === undefined) assert.strictEqual(new Set(records).size, count, `${count}`)
          assert.strictEqual(new Set(records).size, records.length)
          for (const record of records) assert.isBelow(record, count)
        }
      })
  )

  it.effect.each(Object.entries(honest))(
    "of a server that is %s is proven, whatever its length",
    ([, habit]) =>
      Effect.gen(function*() {
        for (const count of COUNTS.slice(1)) {
          const { doubt, records } = yield* read(count, habit)
          assert.isUndefined(doubt, `${count}: ${doubt}`)
          assert.deepStrictEqual(records.toSorted((a, b) => a - b), COUNTS.slice(0, count))
        }
      })
  )

  it.effect("takes twice its pages, and an empty page behind each reading", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* read(87, slice)).asked, (5 + 1) + (5 + 1))
      assert.strictEqual((yield* read(3, slice)).asked, (1 + 1) + (2 + 1))
      // Pages of six would all be full again.
      assert.strictEqual((yield* read(42, honest["one whose pages are short"]!)).asked, (6 + 1) + (9 + 1))
    }))

  it.effect("proves nothing where it is empty", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* read(0, slice), { records: [], doubt: "it is empty, which proves nothing" })
    }))

  it.effect("is doubted where it ends as a list would that is cut off there, and what was seen comes all the same", () =>
    Effect.gen(function*() {
      const { doubt, records } = yield* read(15, slice, (length) => length === 15)
      assert.strictEqual(doubt, "it ends behind exactly 15, where the exchange may cut it off")
      assert.strictEqual(records.length, 15)
    }))

  it.effect("is doubted where its pages have holes, which hide something of every list", () =>
    Effect.gen(function*() {
      const holed: Habit = (all, page, limit) => slice(all, page, limit, 0).filter((one) => one % 7 !== 3)
      for (const count of [60, 73, 87]) {
        assert.strictEqual((yield* read(count, holed)).doubt, "pages before the last differ in length")
      }
    }))

  it.effect("says why it is doubted", () =>
    Effect.gen(function*() {
      const doubts = {
        "one that ignores the page": /page 2 shows "0" a second time/,
        "one that ignores the limit": /page 1 holds 10, and 9 were asked for/,
        "one whose pages hold one": /does not keep the lengths of page that are asked for/,
        "one that gives everything on the first page, whatever is asked": /page 1 holds 47, and 20 were asked for/,
        "one with nothing behind the first page": /one reading showed what another one did not/,
        "one that shows every record twice": /page 1 shows "0" a second time/
      }
      for (const [name, expected] of Object.entries(doubts)) {
        assert.match((yield* read(47, habits[name]!)).doubt ?? "", expected, name)
      }
    }))

  it.effect("is proven although a record arrives at its head while it is read", () =>
    Effect.gen(function*() {
      for (let arrival = 1; arrival < 8; arrival++) {
        const arriving: Habit = (all, page, limit, asked) =>
          slice(asked < arrival ? all.slice(1) : all, page, limit, asked)
        const { doubt, records } = yield* read(47, arriving)
        assert.isUndefined(doubt, `arrival ${arrival}: ${doubt}`)
        assert.isAtLeast(records.length, 46)
      }
    }))

  it.effect("that loses a record while it is read is doubted, and the record comes all the same", () =>
    Effect.gen(function*() {
      const losing: Habit = (all, page, limit, asked) => slice(asked < 5 ? all : all.slice(1), page, limit, asked)
      const { doubt, records } = yield* read(47, losing)
      assert.isDefined(doubt)
      assert.strictEqual(records.length, 47)
    }))

  it.effect("without an end is given up", () =>
    Effect.gen(function*() {
      const endless: Habit = (_, page, limit) => Array.from({ length: limit }, (_, index) => page * 1000 + index)
      const { asked, doubt } = yield* read(1, endless)
      assert.strictEqual(doubt, "it has no end after 200000")
      assert.isAtMost(asked, 10_000)
    }))
})
