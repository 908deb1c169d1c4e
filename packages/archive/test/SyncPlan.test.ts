import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as SyncPlan from "../src/internal/sync/SyncPlan.ts"

const HOUR = 3_600_000
const bounds = {
  begin: undefined,
  reach: 4 * HOUR,
  oldest: 4 * HOUR,
  certain: 28 * HOUR,
  now: 100 * HOUR,
  overlap: HOUR
}

const part = (from: number, to: number, more: Partial<Coverage.Coverage> = {}): Coverage.Coverage => ({
  operation: "deposits",
  from: from * HOUR,
  to: to * HOUR,
  readAt: 0,
  state: "complete",
  ...more
})
const forgotten = { state: "incomplete", gap: { code: "retention", detail: "d" } } as const

const inHours = (list: ReadonlyArray<Coverage.Interval>) => list.map(({ from, to }) => [from / HOUR, to / HOUR])
const plan = (known: ReadonlyArray<Coverage.Coverage>, unsettled: ReadonlyArray<number> = [], more = {}) => {
  const { asked, lost } = SyncPlan.make({ known, unsettled }, { ...bounds, ...more })
  return { asked: inHours(asked), lost: inHours(lost) }
}

describe("what a sync asks for", () => {
  it("is all that the service remembers where nothing is known, and nothing of it is lost", () => {
    assert.deepStrictEqual(plan([]), { asked: [[4, 100]], lost: [] })
  })

  it("is nothing before the beginning of an archive that can be asked for and is no place to begin", () => {
    assert.deepStrictEqual(plan([part(40, 90)], [], { oldest: 30 * HOUR }).asked, [[30, 40], [89, 100]])
    assert.deepStrictEqual(plan([part(40, 90)], [], { oldest: 50 * HOUR }).asked, [[89, 100]])
    assert.deepStrictEqual(plan([part(140, 190)], [], { oldest: 150 * HOUR }), { asked: [], lost: [] })
  })

  it("is what came since, and the hour before it again", () => {
    assert.deepStrictEqual(plan([part(4, 90), part(90, 100, { state: "open" })]), { asked: [[89, 100]], lost: [] })
  })

  it("is the last hour again where nothing came since", () => {
    assert.deepStrictEqual(plan([part(4, 100)]).asked, [[99, 100]])
  })

  it("is every hole that can still be asked for, oldest first", () => {
    const unproven = part(50, 52, { state: "incomplete", gap: { code: "unproven", detail: "d" } })
    assert.deepStrictEqual(plan([part(4, 50), unproven, part(52, 99)]).asked, [[50, 52], [98, 100]])
  })

  it("is the whole hour of what may still change, as long as the service certainly knows it", () => {
    const unsettled = [60.5, 60.7, 61.2, 99.5, 28.5, 27.5].map((hour) => hour * HOUR)
    assert.deepStrictEqual(plan([part(4, 99)], unsettled).asked, [[28, 29], [60, 62], [98, 100]])
  })

  it("names a hole that nobody can close any more once, and no time before an archive began by itself", () => {
    const known = [part(-90, -80, forgotten), part(-80, -20)]
    assert.deepStrictEqual(plan(known), { asked: [[4, 100]], lost: [[-20, 4]] })
    assert.deepStrictEqual(plan([...known, part(-20, 4, forgotten)]), { asked: [[4, 100]], lost: [] })
  })

  it("begins with a first moment inside a gap where that gap begins, so that nothing is left open behind it", () => {
    const failed = part(40, 50, { state: "incomplete", gap: { code: "failed-page", detail: "d" } })
    const known = [part(4, 40), failed]
    assert.deepStrictEqual(plan(known, [], { begin: 60 * HOUR }).asked, [[40, 100]])
    assert.deepStrictEqual(plan([...known, part(70, 90)], [], { begin: 60 * HOUR }).asked, [[40, 70], [89, 100]])
    assert.deepStrictEqual(plan([failed], [], { begin: 45 * HOUR }).asked, [[40, 100]])
    assert.deepStrictEqual(plan(known, [], { begin: 30 * HOUR }).asked, [[39, 100]])
    assert.deepStrictEqual(plan([part(70, 90)], [], { begin: 60 * HOUR }).asked, [[60, 70], [89, 100]])
  })

  it("names the rest of a gap that is older than the service remembers, where a first moment lies in it", () => {
    assert.deepStrictEqual(plan([part(-90, -20)], [], { begin: 2 * HOUR }), { asked: [[4, 100]], lost: [[-20, 4]] })
    const known = [part(-90, -20), part(-20, 10, forgotten)]
    assert.deepStrictEqual(plan(known, [], { begin: 6 * HOUR }), { asked: [[6, 100]], lost: [] })
  })

  it("names what was asked for and is older than the service remembers", () => {
    assert.deepStrictEqual(plan([], [], { begin: -10 * HOUR }), { asked: [[4, 100]], lost: [[-10, 4]] })
    assert.deepStrictEqual(plan([], [], { begin: 60 * HOUR }), { asked: [[60, 100]], lost: [] })
  })
})
