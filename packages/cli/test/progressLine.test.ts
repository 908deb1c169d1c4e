import { assert, describe, it } from "@effect/vitest"
import * as ProgressLine from "@tallystick/cli/terminal/ProgressLine"
import * as Schema from "effect/Schema"
import { state, SYNC } from "./support/Progress.ts"

/** When each of some queries is done, ms, of which so many are read at once. */
const endsOf = (lengths: ReadonlyArray<number>, atOnce: number): ReadonlyArray<number> => {
  const free = Array.from({ length: atOnce }, () => 0)
  const ends = lengths.map((length) => {
    const at = Math.min(...free)
    free[free.indexOf(at)] = at + length
    return at + length
  })
  return ends.toSorted((a, b) => a - b)
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("the line of progress", () => {
  it("tells what is read now, queries, pages, records, how fast, and how long it may still take", () => {
    assert.strictEqual(
      ProgressLine.line(state({}, 15_000), 15_000, 200),
      "[==>                 ]  transfers from sub00012  12/96 queries  340 pages  12,345 records (2,345 new)  823 records/s  " +
        "1 min 45 s left"
    )
    assert.strictEqual(
      ProgressLine.line(state({}, 15_000), 15_000, 80),
      "[=>      ]  transfers from sub00012  12/96 queries  1 min 45 s left"
    )
    assert.strictEqual(
      ProgressLine.sentence(state({}, 15_000), 15_000),
      "transfers from sub00012: 12 of 96 queries, 340 pages, 12,345 records (2,345 new), 823 records/s, 1 min 45 s left"
    )
    assert.strictEqual(
      ProgressLine.sentence(state({ of: 0, done: 1 }, 15_000), 15_000),
      "transfers from sub00012: 340 pages, 12,345 records (2,345 new), 823 records/s"
    )
    assert.notInclude(ProgressLine.line(state({ done: 0 }, 15_000), 15_000, 200), "left")
    assert.notInclude(ProgressLine.line(state({ done: 96 }, 15_000), 15_000, 200), "left")
    assert.include(ProgressLine.line(state({ done: 96 }), 0, 200), "[====================]")
    assert.include(
      ProgressLine.line(state({ done: 97 }), 0, 200),
      "[====================]  transfers from sub00012  97/97 queries"
    )
  })

  it("tells how much of the files that are read at once was read", () => {
    const [left, right] = [Symbol("left"), Symbol("right")]
    const open = [left, right].reduce(
      (state, id) => ProgressLine.opened(state, id, { what: id === left ? "d.ndjson" : "t.ndjson", unit: "byte" }),
      ProgressLine.begin(0)
    )
    const read = (id: symbol, done: number) => (state: ProgressLine.State) =>
      ProgressLine.changed(state, id, { done, of: 100_000_000 }, false, done === 0 ? 0 : 10_000)
    const begun = read(right, 0)(read(left, 0)(open))
    const both = read(right, 1_900_000)(read(left, 48_150_000)(begun))
    assert.strictEqual(
      ProgressLine.line(both, 10_000, 200),
      "[=====>              ]  d.ndjson, t.ndjson  50.0 MB of 200.0 MB  30 s left"
    )
    assert.strictEqual(ProgressLine.sentence(both, 10_000), "d.ndjson, t.ndjson: 50.0 MB of 200.0 MB, 30 s left")
    const pipe = state({ of: 0, done: 1_500_000, pages: 0 }, 0, { what: "stdin", unit: "byte" })
    assert.strictEqual(ProgressLine.line(pipe, 0, 200), "stdin  1.5 MB")
  })

  it("tells a share of work whose units mean nothing, once it is known how much there is", () => {
    const nothing = { done: 0, of: 0, pages: 0, records: 0, added: 0 }
    const matching = { what: "matching 200,000 entries …", unit: "share" } as const
    const line = (counts: Partial<ProgressLine.Counts>) =>
      ProgressLine.line(state({ ...nothing, ...counts }, 3000, matching), 3000, 200)
    assert.strictEqual(line({}), "matching 200,000 entries …")
    assert.strictEqual(
      line({ done: 999, of: 4000 }),
      "[====>               ]  matching 200,000 entries …  24 %  10 s left"
    )
    assert.strictEqual(line({ done: 4000, of: 4000 }), "[====================]  matching 200,000 entries …  100 %")
    const told = state({ ...nothing, done: 999, of: 4000 }, 3000, matching)
    assert.strictEqual(ProgressLine.sentence(told, 3000), "matching 200,000 entries …: 24 %, 10 s left")
    assert.strictEqual(ProgressLine.sentence(state(nothing, 0, matching), 0), "matching 200,000 entries …")
  })

  it("says on a narrow terminal too that no page came, though queries ended", () => {
    assert.include(ProgressLine.line(state({ pages: 0, records: 0, added: 0 }, 15_000), 15_000, 69), "  0 pages")
  })

  it("guesses no time left before a tenth is done, nor while one query takes long", () => {
    assert.include(ProgressLine.line(state({ done: 10 }, 15_000), 15_000, 200), "  2 min 9 s left")
    assert.notInclude(ProgressLine.line(state({ done: 9 }, 15_000), 15_000, 200), "left")
    assert.include(ProgressLine.line(state({ done: 95 }, 50_001), 60_000, 200), "  1 s left")
    assert.notInclude(ProgressLine.line(state({ done: 95 }, 50_000), 60_000, 200), "left")
  })

  it.prop(
    "never shows less of the whole than before, whatever is found to be done on the way",
    [Schema.Array(
      Schema.Struct({ piece: between(0, 2), done: between(0, 9), of: between(0, 30), isMore: Schema.Boolean })
    )],
    ([steps]) => {
      const pieces = [Symbol("a"), Symbol("b"), Symbol("c")]
      let shown = 0
      let state = ProgressLine.begin(0)
      for (const { isMore, piece, ...counts } of steps) {
        const own = pieces[piece] ?? Symbol("none")
        if (!state.pieces.has(own)) state = ProgressLine.opened(state, own, SYNC)
        state = ProgressLine.changed(state, own, counts, isMore, 0)
        const full = /^\[(=*)/.exec(ProgressLine.line(state, 0, 200))?.[1]?.length ?? shown
        assert.isAtLeast(full, shown)
        shown = full
      }
    }
  )

  it.prop(
    "guesses after a tenth how long the rest takes, within a factor of two, however long the deposits took",
    [
      Schema.Array(between(200, 300)).check(Schema.isMinLength(400), Schema.isMaxLength(500)),
      between(1, 8),
      between(0, 600_000)
    ],
    ([lengths, atOnce, deposits]) => {
      const own = Symbol("sync")
      const of = lengths.length + 1
      let state = ProgressLine.opened(ProgressLine.begin(0), own, SYNC)
      state = ProgressLine.changed(state, own, { of }, true, 0)
      const ends = [deposits, ...endsOf(lengths, atOnce).map((end) => deposits + end)]
      for (const [index, now] of ends.entries()) {
        state = ProgressLine.changed(state, own, { done: 1 }, true, now)
        const [done, truth] = [index + 1, (ends.at(-1) ?? 0) - now]
        const guess = ProgressLine.remaining(state, now)
        if (done < of / 10) assert.isUndefined(guess)
        // The last ones are read at once, and end as they like.
        else if (of - done > 2 * atOnce) {
          assert.isAtLeast(guess ?? 0, truth / 2)
          assert.isAtMost(guess ?? Infinity, truth * 2)
        }
      }
    }
  )

  it.prop(
    "never breaks the line of a terminal, however narrow it is",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))
    ],
    ([width, count]) => {
      const text = ProgressLine.line(state({ pages: count, records: count, of: count, done: count >> 1 }), count, width)
      assert.isAtMost(text.length, width)
      assert.notInclude(text, "\n")
    }
  )
})
