import { assert, describe, it } from "@effect/vitest"
import * as Timeline from "@tallystick/core/Timeline"
import * as Schema from "effect/Schema"

const END = 12

/** Empty, and back to front, too. */
const Interval = Schema.Struct({
  from: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: END })),
  to: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: END }))
})
const Intervals = Schema.Array(Interval).check(Schema.isMaxLength(5))

type Intervals = ReadonlyArray<Timeline.Interval>

const moments = Array.from({ length: END }, (_, at) => at)
const holds = (intervals: Intervals, at: number): boolean => intervals.some(({ from, to }) => from <= at && at < to)
const setOf = (intervals: Intervals): ReadonlyArray<number> => moments.filter((at) => holds(intervals, at))
const where = (belongs: (at: number) => boolean): ReadonlyArray<number> => moments.filter(belongs)

/** Ascending, none of them empty, and none that touches the one before. */
const isNormal = (intervals: Intervals): boolean =>
  intervals.every(({ from, to }, index) => from < to && (intervals[index - 1]?.to ?? -1) < from)

const same = (intervals: Intervals, expected: ReadonlyArray<number>): void => {
  assert.isTrue(isNormal(intervals), JSON.stringify(intervals))
  assert.deepStrictEqual(setOf(intervals), expected)
}

describe("Timeline", () => {
  it.prop("union holds what lies in any interval", [Intervals], ([all]) => {
    same(Timeline.union(all), setOf(all))
  })

  it.prop("intersect holds what lies in both sets", [Intervals, Intervals], ([one, other]) => {
    same(Timeline.intersect(one, other), where((at) => holds(one, at) && holds(other, at)))
  })

  it.prop("subtract holds what lies in the first set alone", [Intervals, Intervals], ([one, other]) => {
    same(Timeline.subtract(one, other), where((at) => holds(one, at) && !holds(other, at)))
  })

  it.prop("gaps are what no interval holds", [Intervals, Interval], ([all, within]) => {
    same(Timeline.gaps(all, within), where((at) => holds([within], at) && !holds(all, at)))
  })

  it.prop("covers an interval when it holds every moment of it", [Intervals, Interval], ([all, one]) => {
    assert.strictEqual(Timeline.covers(all, one), setOf([one]).every((at) => holds(all, at)))
  })

  it.prop(
    "common is the time of both, and overlaps says whether there is any",
    [Interval, Interval],
    ([one, other]) => {
      const common = Timeline.common(one, other)
      same(common === undefined ? [] : [common], where((at) => holds([one], at) && holds([other], at)))
      assert.strictEqual(Timeline.overlaps(one, other), common !== undefined)
    }
  )

  it.prop("clip keeps of each part what lies inside", [Intervals, Interval], ([all, within]) => {
    const parts = all.map((one, name) => ({ ...one, name }))
    const clipped = Timeline.clip(parts, within)
    for (const { name, ...one } of parts) {
      const own = clipped.filter((part) => part.name === name)
      assert.deepStrictEqual(setOf(own), where((at) => holds([one], at) && holds([within], at)))
    }
    assert.deepStrictEqual(clipped.map(({ name }) => name), clipped.map(({ name }) => name).toSorted((a, b) => a - b))
  })

  it.prop(
    "pieces fill an interval, and say which part covers each of them first",
    [Intervals, Interval],
    ([all, within]) => {
      const parts = all.map((one, name) => ({ ...one, name })).filter(({ from, to }) => from < to)
      const pieces = Timeline.pieces(parts, within)
      let end = within.from
      for (const { from, part, to } of pieces) {
        assert.strictEqual(from, end)
        assert.isBelow(from, to)
        end = to
        for (let at = from; at < to; at++) {
          const covering = parts.filter((one) => holds([one], at))
          assert.strictEqual(part === undefined, covering.length === 0)
          assert.isTrue(part === undefined || covering.some(({ name }) => name === part.name))
          assert.isTrue(part === undefined || covering.every(({ from }) => part.from <= from || from > within.from))
        }
      }
      assert.strictEqual(end, Math.max(within.from, pieces.at(-1)?.to ?? within.from))
      same(Timeline.union(pieces), setOf([within]))
    }
  )

  it.prop("borders are where anything begins or ends", [Intervals], ([all]) => {
    const expected = new Set(all.flatMap(({ from, to }) => [from, to]))
    assert.deepStrictEqual(Timeline.borders(all), Array.from(expected).toSorted((a, b) => a - b))
  })

  it("ends may be infinite", () => {
    const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    assert.deepStrictEqual(Timeline.gaps([{ from: 3, to: 5 }], always), [
      { from: Number.NEGATIVE_INFINITY, to: 3 },
      { from: 5, to: Number.POSITIVE_INFINITY }
    ])
    assert.deepStrictEqual(Timeline.subtract([always], [{ from: 3, to: Number.POSITIVE_INFINITY }]), [
      { from: Number.NEGATIVE_INFINITY, to: 3 }
    ])
  })
})
