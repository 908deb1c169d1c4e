import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { all, type Asked, failed, idsOf, list, page, reader, rows } from "./support/slices.ts"

describe("pages", () => {
  it.effect("that are all equally long are proven by the pages of their halves", () =>
    Effect.gen(function*() {
      const everything = rows(10, 20, 30, 40, 50, 60)
      const { asked, read } = reader(list(everything, 3))
      const reading = yield* read(0, 100)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), all(6))
      assert.deepStrictEqual(asked.map(({ end, page, start }) => [start, end, page]), [
        [0, 100, 1],
        [0, 100, 2],
        [0, 100, 3],
        [0, 50, 1],
        [0, 50, 2],
        [0, 50, 3],
        [49, 100, 1],
        [49, 100, 2]
      ])
    }))

  it.effect("beyond which a service shows nothing, however many records there are, hide none", () =>
    Effect.gen(function*() {
      for (const deepest of [1, 2, 5]) {
        for (const count of [4, 6, 9, 10, 30, 31, 100]) {
          const everything = rows(...Array.from({ length: count }, (_, index) => 10 + index * 9))
          const serve = list(everything, 3)
          const { read } = reader((asked) => asked.page > deepest ? page([]) : serve(asked), {
            looksCut: (length) => length === 3
          })
          const reading = yield* read(0, 1000)
          assert.isUndefined(reading.gap)
          assert.deepStrictEqual(idsOf(reading), all(count))
        }
      }
    }))
})

describe("a lone page that looks like the first of many", () => {
  it.effect("is compared with its halves", () =>
    Effect.gen(function*() {
      const everything = rows(10, 11, 12, 13, 14)
      const cutAt = (limit: number) => (asked: Asked) => asked.page > 1 ? page([]) : list(everything, limit)(asked)
      const cut = reader(cutAt(3), { looksCut: (length) => length === 3 })
      const found = yield* cut.read(10, 20)
      assert.isTrue(found.gap !== undefined || idsOf(found).length === 5)
      const whole = reader(cutAt(5), { looksCut: (length) => length === 5 })
      const reading = yield* whole.read(10, 20)
      assert.deepStrictEqual([reading.gap, idsOf(reading)], [undefined, all(5)])
    }))

  it.effect("is not covered when its halves show less", () =>
    Effect.gen(function*() {
      const { read } = reader(
        (asked) => asked.page > 1 ? page([]) : list(asked.n === 0 ? rows(10, 11, 19) : rows(10, 11), 9)(asked),
        { looksCut: (length) => length === 3 }
      )
      const reading = yield* read(10, 20)
      assert.strictEqual(reading.gap?.code, "unproven")
      assert.deepStrictEqual(idsOf(reading), all(3))
    }))
})

describe("a slice without an end", () => {
  it.effect("is given up after so many requests, and the gap says so", () =>
    Effect.gen(function*() {
      const { asked, read } = reader(({ n }) => page([{ id: `n${n}`, t: 10 }]), {
        most: { requests: 50, records: 1e9 }
      })
      const reading = yield* read(10, 20)
      assert.include(reading.gap?.detail, "no end after 50 requests")
      assert.strictEqual(asked.length, 50)
      assert.strictEqual(reading.records.length, 50)
    }))

  it.effect("is given up when it would fill the memory, in pages and in halves alike", () =>
    Effect.gen(function*() {
      const many = (n: number) => Array.from({ length: 10 }, (_, index) => ({ id: `${n} ${index}`, t: 10 + index % 9 }))
      const most = { requests: 1e9, records: 200 }
      const pages = reader(({ n }) => page(many(n)), { most })
      assert.include((yield* pages.read(10, 20)).gap?.detail, "no end after 200 records")
      const halves = reader(({ n, start }) => page(rows(...many(n).map((_, index) => start + index))), { most })
      halves.lengths.sawSamePage()
      assert.include((yield* halves.read(10, 86_400_000)).gap?.detail, "no end after 200 records")
      assert.deepStrictEqual([pages.asked.length, halves.asked.length], [20, 20])
    }))
})

describe("a page that fails", () => {
  it.effect("leaves what the pages before it showed, and the gap", () =>
    Effect.gen(function*() {
      const serve = list(rows(10, 11, 12, 13), 2)
      const { asked, read } = reader((one) => one.page === 2 ? failed : serve(one))
      const reading = yield* read(10, 20)
      assert.deepStrictEqual(reading.gap, failed)
      assert.deepStrictEqual(idsOf(reading), ["r0", "r1"])
      assert.strictEqual(asked.length, 2)
    }))

  it.effect("among halves leaves what the whole showed, and asks no further half", () =>
    Effect.gen(function*() {
      const serve = list(rows(10, 12, 15, 18), 4)
      const { asked, read } = reader((one) =>
        one.page > 1 ? serve({ ...one, page: 1 }) : one.end - one.start < 11 ? failed : serve(one)
      )
      const reading = yield* read(10, 20)
      assert.deepStrictEqual(reading.gap, failed)
      assert.deepStrictEqual(idsOf(reading), all(4))
      assert.deepStrictEqual(asked.map(({ end, page, start }) => [start, end, page]), [
        [9, 20, 1],
        [9, 20, 2],
        // Whether the page before is still the same.
        [9, 20, 1],
        [9, 20, 1],
        [9, 15, 1]
      ])
    }))

  it.effect("in the later half leaves what the earlier one showed", () =>
    Effect.gen(function*() {
      const serve = list(rows(10, 12, 15, 18), 3)
      const { lengths, read } = reader((one) => one.start >= 14 ? failed : serve({ ...one, page: 1 }))
      lengths.sawSamePage()
      const reading = yield* read(10, 20)
      assert.deepStrictEqual(reading.gap, failed)
      assert.deepStrictEqual(idsOf(reading), ["r0", "r1", "r2"])
    }))
})
