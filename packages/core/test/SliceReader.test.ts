import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as PageLengths from "../src/internal/paging/PageLengths.ts"
import type * as Reading from "../src/internal/paging/Reading.ts"
import { all, type Asked, bad, idsOf, list, page, reader, type Row, rows } from "./support/slices.ts"

describe("pages", () => {
  it.effect("are proven by an empty one at the end", () =>
    Effect.gen(function*() {
      for (const [count, requests] of [[0, 1], [1, 2], [3, 2], [5, 3], [8, 4]] as const) {
        const { asked, read } = reader(list(rows(...Array.from({ length: count }, (_, index) => 10 + index)), 3))
        const reading = yield* read(10, 20)
        assert.isUndefined(reading.gap)
        assert.deepStrictEqual(idsOf(reading), all(count))
        assert.strictEqual(asked.length, requests)
        assert.deepStrictEqual(reading.at, { earliest: 1000, latest: 2000 + requests - 1 })
      }
    }))

  it.effect("give each record to one slice, whether the ends of a range are inclusive or exclusive", () =>
    Effect.gen(function*() {
      const everything = rows(9, 10, 11, 19, 20, 21)
      for (const [low, high] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
        const { asked, read } = reader(({ end, page: number, start }) =>
          page(number > 1 ? [] : everything.filter(({ t }) => t >= start + low && t <= end - high))
        )
        assert.deepStrictEqual((yield* read(10, 20)).records.map(({ t }) => t), [10, 11, 19])
        assert.deepStrictEqual((yield* read(20, 30)).records.map(({ t }) => t), [20, 21])
        assert.deepStrictEqual([asked[0]?.start, asked[0]?.end], [9, 20])
      }
    }))

  it.effect("never ask for a time before 1970", () =>
    Effect.gen(function*() {
      const { asked, read } = reader(list(rows(0, 1), 5))
      assert.deepStrictEqual(idsOf(yield* read(0, 10)), all(2))
      assert.strictEqual(asked[0]?.start, 0)
    }))

  it.effect("that repeat a record are read once more, since an arrival explains one repeat", () =>
    Effect.gen(function*() {
      const settled = rows(10, 11, 12, 13)
      const { asked, read } = reader((asked) =>
        list(asked.n === 0 ? settled : [{ id: "new", t: 14 }, ...settled], 2)(asked)
      )
      const reading = yield* read(10, 20)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), ["new", ...all(4)])
      assert.strictEqual(asked.length, 2 + 4)
    }))

  it.effect("whose lengths shrink and grow prove nothing", () =>
    Effect.gen(function*() {
      const everything = rows(10, 11, 12, 13, 14, 15)
      for (const lengths of [[1, 2, 3], [3, 1, 2], [2, 1, 1, 2], [1, 2], [3, 1, 1], [2, 2, 1, 1]]) {
        const { asked, read } = reader((asked) => {
          if (asked.end - asked.start < 11) return list(everything, 100)(asked)
          const start = lengths.slice(0, asked.page - 1).reduce((sum, length) => sum + length, 0)
          return page(everything.slice(start, start + (lengths[asked.page - 1] ?? 0)))
        })
        const reading = yield* read(10, 20)
        assert.isAbove(asked.length, lengths.length + 1)
        assert.isTrue(reading.gap !== undefined || idsOf(reading).length === 6)
      }
    }))
})

describe("totalCount", () => {
  it.effect("disproves when it is above what was seen, and proves nothing otherwise", () =>
    Effect.gen(function*() {
      for (const [totalCount, code] of [[0, undefined], [2, undefined], [3, undefined], [4, "unproven"]] as const) {
        const { read } = reader((asked) => ({ ...list(rows(10, 13, 16), 2)(asked), totalCount }))
        assert.strictEqual((yield* read(10, 20)).gap?.code, code)
      }
    }))
})

describe("a server that ignores the page", () => {
  const ignoring = (everything: ReadonlyArray<Row>, limit: number) => (asked: Asked) =>
    list(everything, limit)({ ...asked, page: 1 })

  it.effect("is found out once, and its slices are proven by their halves", () =>
    Effect.gen(function*() {
      const everything = rows(10, 20, 30, 40, 50, 60, 70)
      const { asked, lengths, read } = reader(ignoring(everything, 3))
      const reading = yield* read(10, 80)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), all(7))
      assert.isFalse(lengths.pageWorks())
      const before = asked.length
      assert.isUndefined((yield* read(80, 200)).gap)
      assert.isTrue(asked.slice(before).every(({ page }) => page === 1))
    }))

  it.effect("leaves a full millisecond uncovered, and delivers what it showed", () =>
    Effect.gen(function*() {
      const { read } = reader(ignoring(rows(10, 20, 20, 20, 20, 30), 3))
      const reading = yield* read(10, 40)
      assert.strictEqual(reading.gap?.code, "full-millisecond")
      assert.match(reading.gap?.detail ?? "", /around (19|20|21) /)
      assert.isAtLeast(reading.records.length, 3)
    }))

  it.effect("is believed about a lone record", () =>
    Effect.gen(function*() {
      const { read } = reader(ignoring(rows(17), 3))
      const reading = yield* read(10, 40)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), ["r0"])
    }))

  it.effect("never hides a loss, whatever the limit, the order and the crowding", () =>
    Effect.gen(function*() {
      let seed = 11
      const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
      for (let run = 0; run < 400; run++) {
        const everything = rows(...Array.from({ length: random(30) }, () => random(60)))
        const ignores = random(2) === 0
        const limit = 2 + random(8)
        const { read } = reader((asked) => {
          const within = everything.filter(({ t }) => t >= asked.start && t <= asked.end)
            .map((row) => [random(1000), row] as const).toSorted(([a], [b]) => a - b).map(([, row]) => row)
          const number = ignores ? 1 : asked.page
          return page(within.slice((number - 1) * limit, number * limit))
        })
        for (const [from, to] of [[0, 20], [20, 45], [45, 60]] as const) {
          const reading = yield* read(from, to)
          const expected = everything.filter(({ t }) => t >= from && t < to).map(({ id }) => id).toSorted()
          if (reading.gap === undefined) assert.deepStrictEqual(idsOf(reading), expected)
          else for (const id of idsOf(reading)) assert.include(expected, id)
        }
      }
    }))
})

describe("twins", () => {
  const twins = [{ id: "a", t: 10 }, { id: "a", t: 10 }, { id: "b", t: 11 }]

  it.effect("of one response are as many records where identities may repeat", () =>
    Effect.gen(function*() {
      const { read } = reader(list(twins, 5), { twins: "several" })
      const reading = yield* read(10, 20)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), ["a", "a", "b"])
    }))

  it.effect("on two pages are settled by single responses", () =>
    Effect.gen(function*() {
      const everything = [{ id: "b", t: 15 }, { id: "a", t: 10 }, { id: "a", t: 10 }, { id: "c", t: 18 }]
      const { read } = reader((asked) => list(everything, asked.end - asked.start > 6 ? 2 : 9)(asked), {
        twins: "several"
      })
      const reading = yield* read(10, 20)
      if (reading.gap === undefined) assert.deepStrictEqual(idsOf(reading), ["a", "a", "b", "c"])
      else assert.include(["full-millisecond", "unproven"], reading.gap.code)
    }))

  it.effect("are one record where identities are unique, and a conflict where they differ", () =>
    Effect.gen(function*() {
      const same = yield* reader(list(twins, 5)).read(10, 20)
      assert.deepStrictEqual([idsOf(same), same.gap], [["a", "b"], undefined])
      const other = yield* reader(list([...twins, { id: "b", t: 11, v: "other" }], 5)).read(10, 20)
      assert.strictEqual(other.gap?.code, "source-conflict")
      assert.deepStrictEqual(idsOf(other), ["a", "b", "b"])
    }))
})

describe("what does not belong", () => {
  it.effect("is left out, named, and takes the proof away", () =>
    Effect.gen(function*() {
      for (const t of [8, 21, 5000]) {
        const { read } = reader(({ page: number }) => page(number > 1 ? [] : [...rows(10, 11), { id: "stray", t }]))
        const reading = yield* read(10, 20)
        assert.strictEqual(reading.gap?.code, "outside-range")
        assert.include(reading.gap?.detail, "stray")
        assert.deepStrictEqual(idsOf(reading), all(2))
      }
    }))
})

describe("unreadable records", () => {
  it.effect("travel along, count as records of a page, and disprove when they repeat", () =>
    Effect.gen(function*() {
      const once = reader(({ page: number }) =>
        number === 1 ? page(rows(10), { bad: [bad("x")] }) : number === 2 ? page([{ id: "z", t: 11 }]) : page([])
      )
      const reading = yield* once.read(10, 20)
      assert.deepStrictEqual([reading.gap, reading.bad.length], [undefined, 1])
      const twice = reader(({ n, page: number }) =>
        number <= 2 && n < 4 ? page([{ id: `n${n}`, t: 10 }], { bad: [bad("x")] }) : page([])
      )
      const again = yield* twice.read(10, 20)
      assert.isTrue(twice.asked.length > 4 || again.gap !== undefined)
    }))

  it.effect("on two pages prove nothing: a change may hide that they are one, and what it pushed away", () =>
    Effect.gen(function*() {
      // The unreadable record moves from the first page to the second and has changed meanwhile; r3 is on neither.
      const serve = (asked: Asked) =>
        asked.end - asked.start < 11 || asked.n > 5
          ? page(rows(10, 12, 14, 16).filter(({ t }) => t >= asked.start && t <= asked.end).slice((asked.page - 1) * 9))
          : asked.page === 1
          ? page(rows(10, 12), { bad: [bad("x, 1 confirmation")] })
          : asked.page === 2
          ? page([{ id: "r2", t: 14 }, { id: "z", t: 15 }], { bad: [bad("x, 2 confirmations")] })
          : page([])
      const reading = yield* reader(serve).read(10, 20)
      assert.isTrue(reading.gap !== undefined || idsOf(reading).includes("r3"))
    }))

  it.effect("belong to one slice where they tell their time", () =>
    Effect.gen(function*() {
      const raws = ["9", "10", "19", "20", "5000", "x"]
      const { read } = reader(({ page: number }) => number > 1 ? page([]) : page([], { bad: raws.map(bad) }))
      assert.deepStrictEqual((yield* read(10, 20)).bad.map(({ raw }) => raw), ["10", "19", "5000", "x"])
    }))

  it.effect("that only the whole showed are kept and named", () =>
    Effect.gen(function*() {
      const { read } = reader((asked) =>
        asked.page > 1
          ? page([])
          : { ...list(rows(10, 15), 9)(asked), bad: asked.end - asked.start > 10 ? [bad("x")] : [] }, {
        looksCut: () => true
      })
      const reading = yield* read(10, 20)
      assert.isDefined(reading.gap)
      assert.strictEqual(reading.bad.length, 1)
    }))
})

describe("lengths", () => {
  it("only takes a response for whole that is shorter than one already seen", () => {
    const lengths = PageLengths.make()
    assert.isTrue(lengths.mayBeCut(0))
    lengths.sawLength(5)
    lengths.sawLength(3)
    assert.deepStrictEqual([4, 5, 6].map(lengths.mayBeCut), [false, true, true])
    assert.isTrue(lengths.pageWorks())
    lengths.sawSamePage()
    assert.isFalse(lengths.pageWorks())
  })
})

describe("a range that begins before the oldest time that may be asked for", () => {
  it.effect("is asked for from there, and shows of no longer range that it is answered", () =>
    Effect.gen(function*() {
      const { asked, lengths, read } = reader(list(rows(110), 9), { oldest: 99 })
      yield* read(60, 111)
      assert.deepStrictEqual(asked.map(({ start }) => start), [99, 99])
      assert.isFalse(lengths.answers(20))
    }))
})

describe("a record that was shown once and not again", () => {
  const all = rows(10, 11, 15, 19)
  const ids = (reading: Reading.Reading<Row>) => reading.records.map(({ id }) => id).toSorted()

  it.effect("is delivered all the same, and the slice is not proven", () =>
    Effect.gen(function*() {
      // Both readings by pages repeat a record; the single responses have forgotten the last one.
      const { read } = reader((asked) =>
        asked.n < 4 ? page(asked.page === 1 ? all : all.slice(2)) : list(all.slice(0, 3), 9)(asked)
      )
      const reading = yield* read(0, 20)
      assert.deepStrictEqual(ids(reading), ["r0", "r1", "r2", "r3"])
      assert.strictEqual(reading.gap?.code, "unproven")
    }))

  it.effect("is missed even by pages that agree among themselves", () =>
    Effect.gen(function*() {
      const { read } = reader((asked) =>
        asked.n < 2 ? page(asked.page === 1 ? all : all.slice(2)) : list(all.slice(0, 3), 9)(asked)
      )
      const reading = yield* read(0, 20)
      assert.deepStrictEqual(ids(reading), ["r0", "r1", "r2", "r3"])
      assert.strictEqual(reading.gap?.code, "unproven")
    }))

  it.effect("counts once, however many pages it stood on", () =>
    Effect.gen(function*() {
      const { read } = reader((asked) =>
        asked.n < 2 ? page(asked.page === 1 ? all : all.slice(2)) : list(all, 9)(asked)
      )
      const reading = yield* read(0, 20)
      assert.deepStrictEqual(ids(reading), ["r0", "r1", "r2", "r3"])
      assert.isUndefined(reading.gap)
    }))
})
