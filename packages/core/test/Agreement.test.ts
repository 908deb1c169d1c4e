import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { all, type Asked, idsOf, list, page, reader, rows } from "./support/slices.ts"

/** A reader that believes neither pages nor long ranges, and knows that ranges of so many ms are answered. */
const disbelieving = (serve: Parameters<typeof reader>[0], reach = 20) => {
  const made = reader(serve)
  made.lengths.sawDisagreement()
  made.lengths.sawRange(0, reach, 0, reach)
  made.lengths.sawLength(10)
  return made
}

describe("reading by agreement", () => {
  it.effect("believes a response that its halves and quarters confirm", () =>
    Effect.gen(function*() {
      const { asked, read } = disbelieving(list(rows(101, 105, 112, 118), 100))
      const reading = yield* read(100, 120)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), all(4))
      assert.strictEqual(asked.length, 7)
      assert.isTrue(asked.every((one) => one.page === 1))
    }))

  it.effect("cuts what is longer than any range that was answered from end to end", () =>
    Effect.gen(function*() {
      const { asked, read } = disbelieving(list(rows(101, 170), 100))
      const reading = yield* read(100, 180)
      assert.isUndefined(reading.gap)
      assert.deepStrictEqual(idsOf(reading), all(2))
      // The whole shows that 70 ms are answered: then both halves, with halves and quarters of their own, are enough.
      assert.strictEqual(asked.length, 1 + 2 * 7)
    }))

  it.effect("finds what a part shows and the whole does not, and keeps it", () =>
    Effect.gen(function*() {
      const everything = rows(101, 105, 112, 118)
      // Of more than 6 ms only the newest 6 are answered.
      const { read } = disbelieving(({ end, start, ...asked }: Asked) =>
        list(everything, 100)({ ...asked, end, start: Math.max(start, end - 7) })
      )
      const reading = yield* read(100, 120)
      assert.deepStrictEqual(idsOf(reading), all(4))
    }))

  it.effect("loses nothing that the whole showed and no part shows: it is delivered with a gap", () =>
    Effect.gen(function*() {
      const { read } = disbelieving(({ end, start }: Asked) => page(end - start > 15 ? rows(103) : []))
      const reading = yield* read(100, 120)
      assert.deepStrictEqual(idsOf(reading), ["r0"])
      assert.strictEqual(reading.gap?.code, "unproven")
    }))

  it.effect("names a crowded millisecond that fills a response", () =>
    Effect.gen(function*() {
      const { read } = disbelieving(list(rows(...Array.from({ length: 12 }, () => 105)), 10))
      const reading = yield* read(104, 107)
      assert.strictEqual(reading.gap?.code, "full-millisecond")
      assert.strictEqual(reading.records.length, 10)
    }))

  it.effect("ends when its requests are used up, with a gap", () =>
    Effect.gen(function*() {
      let wanted = 0
      const { read } = disbelieving(({ start }: Asked) => page([{ id: `odd${wanted++}`, t: start + 1 }]), 1)
      const reading = yield* read(0, 1_000_000)
      assert.strictEqual(reading.gap?.code, "unproven")
      assert.strictEqual(wanted, 2000)
    }))
})
