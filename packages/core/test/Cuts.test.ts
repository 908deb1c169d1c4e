import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as Coverage from "../src/Coverage.ts"
import * as Cuts from "../src/internal/paging/Cuts.ts"

const settled = { from: 0, to: 10_000_000 }
const listing = (listed: number) => ({ listed, pages: 1, length: listed, within: 1 })

const situation = (
  from: number,
  to: number,
  moments: ReadonlyArray<number>,
  more: Partial<Cuts.Situation> = {}
): Cuts.Situation => ({
  from,
  to,
  moments,
  known: moments,
  listing: listing(moments.length),
  settled,
  isAnswered: false,
  isBeyond: true,
  ...more
})

const isIn = (time: number) => ({ from, to }: Coverage.Interval): boolean => time >= from && time < to

const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Cut = Schema.Struct({
  from: int(100_000, 200_000),
  length: int(2, 100_000),
  offsets: Schema.Array(int(0, 99_999)).check(Schema.isBetweenLength(1, 60)),
  pageLength: int(1, 10)
})

const slice = ({ from, length, offsets, pageLength }: typeof Cut.Type) => ({
  from,
  to: from + length,
  times: offsets.map((offset) => from + offset % length).toSorted((a, b) => a - b),
  pageLength
})

describe("where a slice is cut for its second reading", () => {
  it.prop("two cuts show each of its records between them, and are as long as it is", [Cut], ([cut]) => {
    const { from, times, to } = slice(cut)
    const moments = [...new Set(times)]
    const cuts = Cuts.ends(situation(from, to, moments))
    assert.isTrue(moments.every((time) => cuts.some(isIn(time)) || moments.length === 2))
    assert.isTrue(cuts.every((cut) => cut.from < cut.to))
    // Neither shows all of it, or both readings could have been cut off at the same number of records.
    if (moments.length > 2) assert.isTrue(cuts.every((cut) => !moments.every((time) => isIn(time)(cut))))
  })

  it("of two moments neither cut shows both", () => {
    for (const moments of [[10, 11], [10, 60], [10, 109]]) {
      for (const cut of Cuts.ends(situation(10, 110, moments))) {
        assert.isAtMost(moments.filter((time) => isIn(time)(cut)).length, 1)
      }
    }
  })

  it("ends with the moment that lies almost a whole slice away from another", () => {
    const known = [1000 - 95, 1020, 1040, 1060, 1000 + 40 + 99]
    const [before, after] = Cuts.ends(situation(1000, 1100, [1020, 1040, 1060], { known }))
    assert.deepStrictEqual([before, after], [{ from: 941, to: 1041 }, { from: 1040, to: 1140 }])
  })

  it("shows no record that follows in the next millisecond, or pages would be cut where the first reading cut them", () => {
    // A request is 1 ms wider than its cut, on both sides.
    const shows = (time: number) => ({ from, to }: Coverage.Interval): boolean => time >= from - 1 && time <= to
    const [before, after] = Cuts.ends(situation(1000, 1100, [1020, 1040, 1041]))
    assert.isTrue(before !== undefined && shows(1040)(before) && !shows(1041)(before))
    assert.isTrue(after !== undefined && shows(1040)(after) && shows(1041)(after) && !shows(1020)(after))
    const [early, late] = Cuts.ends(situation(1000, 1100, [1030, 1031, 1080]))
    assert.isTrue(early !== undefined && shows(1030)(early) && shows(1031)(early) && !shows(1080)(early))
    assert.isTrue(late !== undefined && !shows(1030)(late) && shows(1031)(late) && shows(1080)(late))
  })

  it("takes the moment at which a cut shows more records than the slice has", () => {
    const moments = [1020, 1030, 1040, 1060, 1080]
    const known = [...moments, 1141, 1142, 1143, 1144, 1145]
    const cuts = Cuts.ends(situation(1000, 1100, moments, { known, isAnswered: true }))
    assert.deepStrictEqual(cuts, [{ from: 1060, to: 1160 }])
  })

  it("takes both where neither shows more and the length of the list is in question", () => {
    const moments = [1020, 1040, 1060]
    const usual = { isAnswered: true, known: moments }
    assert.strictEqual(Cuts.ends(situation(1000, 1100, moments, usual)).length, 2)
    assert.strictEqual(Cuts.ends(situation(1000, 1100, moments, { ...usual, isBeyond: false })).length, 1)
  })

  it("reaches neither behind what is settled nor before what the service certainly knows", () => {
    const cuts = Cuts.ends(situation(1000, 1100, [1050], { settled: { from: 990, to: 1110 } }))
    assert.deepStrictEqual(cuts, [{ from: 990, to: 1051 }, { from: 1050, to: 1110 }])
  })

  it.prop("parts share no record and fit into a page each", [Cut], ([cut]) => {
    const { from, pageLength, times, to } = slice(cut)
    const parts = Cuts.parts({ from, to }, times, pageLength)
    for (const time of times) assert.isAtMost(parts.filter(isIn(time)).length, 1)
    if (times.length <= 2 * pageLength && new Set(times).size === times.length) {
      assert.isTrue(parts.every((part) => times.filter((time) => isIn(time)(part)).length <= pageLength))
    }
    assert.isTrue(parts.every((part) => part.from >= from && part.to <= to && part.from < part.to))
  })

  it.prop("halves end on no moment to which a service would round", [Cut], ([cut]) => {
    const { from, to } = slice(cut)
    const [first, second] = Cuts.halves({ from, to })
    if (second === undefined) return
    assert.strictEqual(first?.from, from)
    assert.strictEqual(second.to, to)
    assert.notStrictEqual(second.from % 1000, 0)
    assert.isAtMost(Math.max(second.from - from, to - second.from), Math.ceil((to - from) / 2) + 1)
  })
})
