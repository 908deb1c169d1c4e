import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CoverageUpdate from "../src/internal/coverage/CoverageUpdate.ts"

const gap = { code: "unproven", detail: "d" } as const
const DAY = 86_400_000

const part = (from: number, to: number, more: Partial<CoverageUpdate.Part> = {}): CoverageUpdate.Part => ({
  from,
  to,
  readAt: 100,
  state: "complete",
  vouched: false,
  lastReadAt: more.readAt ?? 100,
  ...more
})
const incomplete = { state: "incomplete", gap } as const

const Kind = Schema.Literals(["complete", "vouched", "incomplete", "open"])
const Stretch = Schema.Struct({
  length: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 })),
  skip: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  kind: Kind,
  readAt: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
})
const Reading = Schema.Array(Stretch).check(Schema.isMaxLength(5))

const parts = (reading: typeof Reading.Type): ReadonlyArray<CoverageUpdate.Part> => {
  let at = 0
  return reading.map(({ kind, length, readAt, skip }) => {
    const from = at + skip
    at = from + length
    if (kind === "incomplete") return part(from, at, { readAt, ...incomplete })
    return part(from, at, { readAt, state: kind === "open" ? "open" : "complete", vouched: kind === "vouched" })
  })
}

const at = (list: ReadonlyArray<CoverageUpdate.Part>, time: number) =>
  list.find(({ from, to }) => from <= time && time < to)

/** What is known of one millisecond, by the rule alone. */
const says = (part: CoverageUpdate.Part | undefined): string =>
  part === undefined ? "nothing" : part.state === "complete" && part.vouched ? "vouched" : part.state
const order = ["nothing", "open", "incomplete", "vouched", "complete"]
const expected = (before: string, after: string): string => {
  const weak = new Set(["open", "incomplete"])
  if (weak.has(before) && weak.has(after)) return after
  return order.indexOf(after) > order.indexOf(before) ? after : before
}

describe("CoverageUpdate", () => {
  it.effect.prop(
    "never unsays what was complete, and lets the later of two weaker words stand",
    [Reading, Reading],
    ([a, b]) =>
      Effect.sync(() => {
        const [known, next] = [parts(a), parts(b)]
        const both = CoverageUpdate.overlay(known, next)
        for (let time = 0; time < 50; time++) {
          assert.strictEqual(says(at(both, time)), expected(says(at(known, time)), says(at(next, time))), `at ${time}`)
        }
      })
  )

  it.effect.prop("has no overlaps, nothing that could be joined and stays the same when it is told again", [
    Reading,
    Reading
  ], ([a, b]) =>
    Effect.sync(() => {
      const both = CoverageUpdate.overlay(parts(a), parts(b))
      for (const [index, { from, to }] of both.entries()) {
        assert.isTrue(from < to)
        assert.isTrue((both[index + 1]?.from ?? to) >= to)
      }
      assert.deepStrictEqual(CoverageUpdate.overlay(both, []), both)
      assert.deepStrictEqual(CoverageUpdate.overlay(both, both), both)
    }))

  it.effect.prop(
    "claims no reading later than the one that made it",
    [Reading, Reading],
    ([a, b]) =>
      Effect.sync(() => {
        const [known, next] = [parts(a), parts(b)]
        const both = CoverageUpdate.overlay(known, next)
        for (let time = 0; time < 50; time++) {
          const found = at(both, time)
          const latest = Math.max(at(known, time)?.readAt ?? 0, at(next, time)?.readAt ?? 0)
          if (found !== undefined) assert.isTrue(found.readAt <= latest)
        }
      })
  )

  it("joins complete parts of a day at the earlier reading, and starts anew with the next day", () => {
    assert.deepStrictEqual(
      CoverageUpdate.overlay([part(0, 5, { readAt: 10 })], [part(5, 9, { readAt: 20 }), part(9, DAY, { readAt: 30 })]),
      [part(0, DAY, { readAt: 10, lastReadAt: 30 })]
    )
    assert.deepStrictEqual(
      CoverageUpdate.overlay([part(0, DAY, { readAt: 10 })], [part(DAY, DAY + 5, { readAt: 20 })]),
      [part(0, DAY, { readAt: 10 }), part(DAY, DAY + 5, { readAt: 20 })]
    )
    const days = part(0, 3 * DAY, { readAt: 10 })
    assert.deepStrictEqual(
      CoverageUpdate.overlay([days], [part(0, 5, { readAt: 20 })]),
      [part(0, 5, { readAt: 20 }), { ...days, from: 5 }]
    )
  })

  it("keeps what a person vouched for apart from what was proven", () => {
    const vouched = { vouched: true } as const
    assert.deepStrictEqual(CoverageUpdate.overlay([part(0, 9, vouched)], [part(3, 6, incomplete)]), [
      part(0, 9, vouched)
    ])
    assert.deepStrictEqual(CoverageUpdate.overlay([part(0, 9, vouched)], [part(3, 6)]), [
      part(0, 3, vouched),
      part(3, 6),
      part(6, 9, vouched)
    ])
  })
})
