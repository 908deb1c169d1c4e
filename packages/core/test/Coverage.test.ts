import { assert, describe, it } from "@effect/vitest"
import * as Coverage from "@tallystick/core/Coverage"

const complete = (from: number, to: number, more: Partial<Coverage.Coverage> = {}): Coverage.Coverage => ({
  operation: "deposits",
  from,
  to,
  readAt: 100,
  state: "complete",
  ...more
})
const gap = { code: "unproven", detail: "d" } as const
const query = { fromAccountType: "SPOT", toAccountType: "SPOT" }

describe("Coverage.merge", () => {
  it("joins touching and overlapping intervals that say the same, read at the earlier time", () => {
    assert.deepStrictEqual(
      Coverage.merge([complete(5, 9, { readAt: 50 }), complete(0, 5), complete(8, 12), complete(2, 3)]),
      [complete(0, 12, { readAt: 50 })]
    )
  })

  it("keeps apart what does not touch, and states or gaps that differ", () => {
    const incomplete = complete(5, 6, { state: "incomplete", gap })
    const other = complete(6, 7, { state: "incomplete", gap: { ...gap, detail: "other" } })
    const parts = [complete(0, 5), incomplete, other, complete(8, 9)]
    assert.deepStrictEqual(Coverage.merge(parts), parts)
  })

  it("never mixes operations or queries", () => {
    const parts = [
      complete(0, 5),
      complete(5, 9, { operation: "transfers", query }),
      complete(5, 9, { operation: "transfers", query: { ...query, fromAccount: "a" } }),
      complete(5, 9, { operation: "transfers", query: { ...query, toAccountType: "FUTURES" } })
    ]
    assert.deepStrictEqual(Coverage.merge(parts), parts)
  })
})

describe("Coverage.uncovered", () => {
  it("names the holes in time order", () => {
    assert.deepStrictEqual(
      Coverage.uncovered([complete(12, 15), complete(2, 5), complete(4, 6)], { from: 0, to: 20 }),
      [
        { from: 0, to: 2 },
        { from: 6, to: 12 },
        { from: 15, to: 20 }
      ]
    )
  })

  it("counts neither open nor incomplete intervals", () => {
    const parts = [complete(0, 5, { state: "open" }), complete(5, 9, { state: "incomplete", gap })]
    assert.deepStrictEqual(Coverage.uncovered(parts, { from: 0, to: 9 }), [{ from: 0, to: 9 }])
  })

  it("finds nothing missing where coverage reaches past both ends, and nothing in an empty interval", () => {
    assert.deepStrictEqual(Coverage.uncovered([complete(0, 100)], { from: 10, to: 20 }), [])
    assert.deepStrictEqual(Coverage.uncovered([], { from: 5, to: 5 }), [])
  })

  it("agrees with counting every millisecond", () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let run = 0; run < 500; run++) {
      const parts = Array.from({ length: random(6) }, () => {
        const from = random(40)
        return complete(from, from + 1 + random(10), random(4) === 0 ? { state: "open" } : {})
      })
      const holes = Coverage.uncovered(parts, { from: 5, to: 35 })
      const merged = Coverage.uncovered(Coverage.merge(parts), { from: 5, to: 35 })
      assert.deepStrictEqual(merged, holes)
      for (let at = 5; at < 35; at++) {
        const covered = parts.some(({ from, state, to }) => state === "complete" && from <= at && at < to)
        assert.strictEqual(holes.some(({ from, to }) => from <= at && at < to), !covered)
      }
    }
  })
})

const ofQuery = (from: number, to: number, more: Partial<Coverage.Coverage> = {}) =>
  complete(from, to, { operation: "transfers", query, ...more })

describe("Coverage.believed", () => {
  it("gives what is well-formed back as it is", () => {
    const given = [complete(0, 5), complete(5, 5), ofQuery(-7, 100), complete(0, 5, { state: "incomplete", gap })]
    assert.strictEqual(Coverage.believed(given, "deposits"), given)
  })

  it("believes nothing of what contradicts itself", () => {
    for (const one of [complete(0, 5, { gap }), complete(0, 5, { query })]) {
      const [found, ...more] = Coverage.believed([one], "deposits")
      assert.deepStrictEqual([found?.from, found?.to, found?.state, more], [0, 5, "incomplete", []])
      assert.include(found?.gap?.detail, "malformed")
    }
  })

  it("takes what is called complete for open behind its own reading", () => {
    const open = complete(0, 2 ** 53 - 1, { state: "open" })
    const incomplete = complete(0, 200, { state: "incomplete", gap })
    assert.deepStrictEqual(
      Coverage.believed([ofQuery(0, 200), complete(150, 200), open, incomplete], "deposits"),
      [
        ofQuery(0, 100),
        ofQuery(100, 200, { state: "open" }),
        complete(150, 200, { state: "open" }),
        open,
        incomplete
      ]
    )
  })

  it("believes as much of what was joined as of its parts", () => {
    const parts = [complete(0, 10, { readAt: 10 }), complete(10, 30, { readAt: 30 }), complete(30, 40, { readAt: 90 })]
    const merged = Coverage.merge(parts)
    assert.deepStrictEqual(merged, [complete(0, 40, { readAt: 40 })])
    assert.strictEqual(Coverage.believed(merged, "deposits"), merged)
    const early = Coverage.merge([complete(0, 10, { readAt: 5 }), complete(10, 30, { readAt: 7 })])
    assert.deepStrictEqual(early, [complete(0, 30, { readAt: 7 })])
  })

  it("makes a gap of what is malformed, in its interval where it has one and else everywhere", () => {
    const wrong = { ...complete(3, 7), state: "yes" }
    const reversed = { ...complete(7, 3), operation: "transfers" }
    // @ts-expect-error JavaScript keeps no type's promise
    const found = Coverage.believed([complete(0, 5), wrong, reversed, 5], "deposits")
    assert.deepStrictEqual(found.map(({ from, operation, state, to }) => [operation, from, to, state]), [
      ["deposits", 0, 5, "complete"],
      ["deposits", 3, 7, "incomplete"],
      ["transfers", 0, 8.64e15, "incomplete"],
      ["deposits", 0, 8.64e15, "incomplete"]
    ])
  })
})
