/** Whether a thread stands still is judged from ticks alone. */
import { assert, describe, it } from "@effect/vitest"
import * as Verdict from "../../src/internal/watchdog/Verdict.ts"

const limits = { main: 3, job: 5 }

/** Gives the first tick at which a place was found, and the place. */
const judged = (ticks: ReadonlyArray<Partial<Verdict.Tick>>): readonly [tick: number, place: number] | undefined => {
  const judge = Verdict.make(limits)
  for (const [index, tick] of ticks.entries()) {
    const place = judge({ elapsed: Verdict.TICK, fetched: 0, beats: [1], ...tick })
    if (place !== undefined) return [index, place]
  }
  return undefined
}

const times = (count: number, tick: Partial<Verdict.Tick> = {}) => Array.from({ length: count }, () => tick)

describe("a thread", () => {
  it("stands still when it did not beat for as many ticks as its limit", () => {
    assert.isUndefined(judged(times(3)))
    assert.deepStrictEqual(judged(times(4)), [3, 0])
    assert.deepStrictEqual(judged(Array.from({ length: 9 }, (_, index) => ({ beats: [index, undefined, 7] }))), [5, 2])
  })

  it("does not stand still that beats now and then, however slowly it does", () => {
    const slow = Array.from({ length: 90 }, (_, index) => ({ beats: [Math.floor(index / 3), Math.floor(index / 5)] }))
    assert.isUndefined(judged(slow))
  })

  it("is judged from its own beginning, where another one had its place before", () => {
    const ticks = [...times(5, { beats: [undefined, 4] }), {}, ...times(5, { beats: [undefined, 4] })]
    assert.isUndefined(judged(ticks))
  })

  it("is not blamed for time in which the process did not run, or its memory was on a disk", () => {
    assert.isUndefined(judged(times(90, { elapsed: 1600 })))
    assert.isUndefined(judged(times(90, { fetched: 500 })))
    const still = times(20, { elapsed: 60_000 })
    assert.deepStrictEqual(judged([{}, ...still, {}, ...still, {}, ...still, {}]), [63, 0])
  })
})
