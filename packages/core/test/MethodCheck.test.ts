import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as MethodCheck from "../src/internal/paging/MethodCheck.ts"
import { type Asked, list, page, reader, type Row, rows } from "./support/slices.ts"

type Serve = Parameters<typeof reader>[0]

const SETTLED = { from: 0, to: 900 }

/** Reads [100, 200) twice, with what is known of its neighbours. */
const twice = (
  serve: Serve,
  others: ReadonlyArray<MethodCheck.Known<Row>> = [],
  options: Parameters<typeof reader>[1] = {}
) =>
  Effect.gen(function*() {
    const { asked, check, read } = reader(serve, options)
    const reading = yield* read(100, 200)
    const before = asked.length
    const verdict = yield* check({ from: 100, to: 200 }, reading, SETTLED, others)
    return { verdict, asked: asked.slice(before) }
  })

const everything = rows(20, 60, 110, 130, 150, 170, 190, 240, 280)
const part = (from: number, to: number): MethodCheck.Known<Row> => ({
  from,
  to,
  records: everything.filter(({ t }) => t >= from && t < to)
})

/** Answers only so many ms of what it is asked for. */
const span =
  (length: number, which: "newest" | "oldest", all: ReadonlyArray<Row>): Serve => ({ end, page, start, ...rest }) =>
    list(all, 100)({
      ...rest,
      page,
      start: which === "newest" ? Math.max(start, end - length) : start,
      end: which === "oldest" ? Math.min(end, start + length) : end
    })

describe("a second reading", () => {
  it.effect("of a server that answers what it is asked is the same", () =>
    Effect.gen(function*() {
      const { asked, verdict } = yield* twice(list(everything, 100), [part(0, 100), part(200, 300)])
      assert.strictEqual(verdict, "same")
      // No cut begins or ends with the slice.
      assert.isTrue(asked.every(({ end, start }) => start !== 99 || end !== 200))
    }))

  it.effect("of records that lie as close as a millisecond to each other is the same", () =>
    Effect.gen(function*() {
      const times = [140, 141, 142, 143, 144, 160]
      for (let chosen = 1; chosen < 1 << times.length; chosen++) {
        const all = rows(...times.filter((_, index) => chosen & (1 << index)))
        assert.strictEqual((yield* twice(list(all, 100))).verdict, "same", all.map(({ t }) => t).join())
        const others = all.map((row) => ({ ...row, id: `${row.id} of the same time` }))
        assert.strictEqual((yield* twice(list([...all, ...others], 100))).verdict, "same")
      }
    }))

  it.effect("finds that only the newest or the oldest part of a range is answered", () =>
    Effect.gen(function*() {
      for (const which of ["newest", "oldest"] as const) {
        const { verdict } = yield* twice(span(70, which, everything))
        assert.strictEqual(verdict, "differs", which)
      }
    }))

  it.effect("finds it by its halves where the cuts may not go far enough to show it", () =>
    Effect.gen(function*() {
      const { check, read } = reader(span(70, "newest", rows(110, 170)))
      const reading = yield* read(100, 200)
      assert.strictEqual(reading.records.length, 1)
      // Nothing behind 200 is settled.
      assert.strictEqual(yield* check({ from: 100, to: 200 }, reading, { from: 0, to: 200 }, []), "differs")
    }))

  it.effect("finds that a record of another slice, into which a cut reaches, is not shown again", () =>
    Effect.gen(function*() {
      const known = part(0, 100)
      const withoutOld: Serve = (asked) => list(everything.filter(({ t }) => t > 60), 100)(asked)
      assert.strictEqual((yield* twice(withoutOld)).verdict, "same")
      assert.strictEqual((yield* twice(withoutOld, [known])).verdict, "differs")
      const unknown: MethodCheck.Known<Row> = { ...known, records: known.records.slice(0, 1) }
      assert.strictEqual((yield* twice(list(everything, 100), [known, unknown])).verdict, "differs")
    }))

  it.effect("finds that a record came with two contents, and lets change what is no content", () =>
    Effect.gen(function*() {
      /** Gives a record another content from the third answer on. */
      const changing = (id: string): Serve => (asked) => {
        const { bad, records } = list(everything, 100)(asked)
        return { bad, records: records.map((row) => row.id === id && asked.n > 1 ? { id, t: row.t, v: "other" } : row) }
      }
      const content = ({ id, v = "" }: Row) => `${id} ${v}`
      const { verdict } = yield* twice(changing("r4"), [], { content })
      assert.deepStrictEqual(verdict, { failed: { code: "source-conflict", detail: "r4 came with two contents" } })
      assert.strictEqual((yield* twice(changing("r4"))).verdict, "same")
      assert.strictEqual((yield* twice(changing("r7"), [], { content })).verdict, "same")
      assert.strictEqual((yield* twice(changing("r7"), [part(200, 300)], { content })).verdict, "differs")
    }))

  it.effect("asks for further pages before it says that a record is missing", () =>
    Effect.gen(function*() {
      // Pages of five: a cut that reaches into the neighbour shows more than one page.
      const { verdict } = yield* twice(list(everything, 5), [part(0, 100), part(200, 300)])
      assert.strictEqual(verdict, "same")
    }))

  it.effect("finds that a record is skipped between two pages", () =>
    Effect.gen(function*() {
      const skipping: Serve = (asked: Asked) => {
        const found = everything.filter(({ t }) => t >= asked.start && t <= asked.end)
        return page(found.slice((asked.page - 1) * 4, (asked.page - 1) * 4 + 3))
      }
      assert.strictEqual((yield* twice(skipping)).verdict, "differs")
    }))

  it.effect("finds that a record was taken away between two pages, however short the cut is that lacks it", () =>
    Effect.gen(function*() {
      const everything = rows(...Array.from({ length: 20 }, (_, index) => 10_000 + 20 * index))
      for (const taken of [undefined, "r3"]) {
        const { asked, check, lengths, read } = reader((asked) =>
          list(asked.n < 2 ? everything : everything.filter(({ id }) => id !== taken), 3)(asked)
        )
        const reading = yield* read(0, 20_000)
        lengths.sawRange(0, 20_000, 0, 20_000)
        // The record behind the second page moved onto it, and no page showed it.
        assert.isUndefined(reading.gap)
        assert.strictEqual(reading.records.some(({ id }) => id === "r6"), taken === undefined)
        const verdict = yield* check({ from: 0, to: 20_000 }, reading, { from: 0, to: 40_000 }, [])
        assert.strictEqual(verdict, taken === undefined ? "same" : "differs")
        assert.isAtMost(asked.length, 15)
      }
    }))

  it.effect("takes another order of equal times in each response for no habit", () =>
    Effect.gen(function*() {
      const crowd = rows(20, 60, 110, 150, 150, 150, 150, 150, 150, 170, 170, 190)
      for (const first of [0, 1]) {
        // What stands on which page of five changes with every request.
        const loose: Serve = (asked) => {
          const turn = (asked.n + first) % 2 === 0 ? 1 : -1
          const turned = crowd.toSorted((a, b) => a.t - b.t || turn * a.id.localeCompare(b.id))
          return list(turned, asked.n === 0 ? 100 : asked.limit ?? 5)(asked)
        }
        const { verdict } = yield* twice(loose, [], { looksCut: (length) => length === 5 })
        assert.notStrictEqual(verdict, "differs")
      }
    }))

  it.effect("is undecided where both readings may end at the same number of records", () =>
    Effect.gen(function*() {
      const crowd = rows(150, 150, 150)
      const ending: Serve = (asked) => asked.page > 1 ? page([]) : list(crowd, 2)(asked)
      assert.strictEqual((yield* twice(ending, [], { looksCut: (length) => length === 2 })).verdict, "undecided")
      // A number at which no list usually ends is believed.
      assert.strictEqual((yield* twice(ending)).verdict, "same")
    }))

  it.effect("finds a twin that any of its responses shows, although its pages do not", () =>
    Effect.gen(function*() {
      const twins = [...rows(110, 130), { id: "twin", t: 150 }, { id: "twin", t: 150 }, { id: "last", t: 170 }]
      const hidden = twins.filter((_, index) => index !== 3)
      // Only a response that is then read in pages, because it is as long as any, shows the second one.
      const hiding: Serve = (asked) =>
        list(asked.n < 3 || asked.limit !== undefined ? hidden : twins, asked.limit ?? 3)(asked)
      assert.strictEqual((yield* twice(hiding, [], { twins: "several" })).verdict, "differs")
      assert.strictEqual((yield* twice(list(twins, 100), [], { twins: "several" })).verdict, "same")
    }))

  it.effect("takes a page of twins alone for no page that came again", () =>
    Effect.gen(function*() {
      for (const count of [2, 3, 4]) {
        const twins = Array.from({ length: count }, () => ({ id: "twin", t: 150 }))
        const { verdict } = yield* twice((asked) => list(twins, asked.limit ?? 100)(asked), [], { twins: "several" })
        assert.notStrictEqual(verdict, "differs")
      }
    }))

  it.effect("takes a first page that is shorter than asked for no end: a service may round a limit", () =>
    Effect.gen(function*() {
      // Pages of five, or of two where another length is asked for.
      const rounding: Serve = (asked) => list(everything, asked.limit === undefined ? 5 : 2)(asked)
      assert.strictEqual((yield* twice(rounding)).verdict, "same")
    }))

  it.effect("that fails says why", () =>
    Effect.gen(function*() {
      const gap = { code: "failed-page", detail: "down" } as const
      let down = false
      const { check, read } = reader((asked) => down ? gap : list(everything, 100)(asked))
      const reading = yield* read(100, 200)
      down = true
      assert.deepStrictEqual(yield* check({ from: 100, to: 200 }, reading, SETTLED, []), { failed: gap })
    }))
})
