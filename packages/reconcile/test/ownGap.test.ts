import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Run from "./support/Run.ts"

/** Both sides were read, but for one millisecond of one of them. */
const without = (operation: Coverage.Coverage["operation"], at: number): ReadonlyArray<Coverage.Coverage> =>
  Run.complete.flatMap((part) =>
    part.operation === operation ? [{ ...part, to: at }, { ...part, from: at + 1 }] : [part]
  )

const finals = (input: Run.Input) => Run.match(input).outcomes.map(({ code, final }) => `${code} ${final}`)

describe("an entry in a gap of its own side", () => {
  it("is the basis of nothing final, because it may be told otherwise itself", () => {
    for (const status of ["failed", "settled"] as const) {
      const deposits = [Run.deposit("d1", 0, { status })]
      const code = status === "failed" ? "not-settled" : "missing-transfer"
      assert.deepStrictEqual(finals({ deposits }), [`${code} true`])
      assert.deepStrictEqual(finals({ deposits, coverage: without("deposits", Run.T0) }), [`${code} false`])
      assert.deepStrictEqual(finals({ deposits, coverage: without("deposits", Run.T0 + Run.HOUR * 99) }), [
        `${code} true`
      ])
    }
    const transfers = [Run.transfer("t1", 0, { status: "failed" })]
    assert.deepStrictEqual(finals({ transfers }), ["not-settled true"])
    assert.deepStrictEqual(finals({ transfers, coverage: without("transfers", Run.T0) }), ["not-settled false"])
  })

  it("is so where it vanished or went back", () => {
    const settled = { statuses: [{ status: "settled", seenAt: Run.T0 }] } as const
    const deposits = [
      Run.deposit("d1", 0, { past: { statuses: [], vanishedAt: Run.T0 + 1 } }),
      Run.deposit("d2", 0, { status: "failed", past: settled, amount: "7" })
    ]
    assert.deepStrictEqual(finals({ deposits }).toSorted(), ["status-regressed true", "vanished true"])
    assert.deepStrictEqual(finals({ deposits, coverage: without("deposits", Run.T0) }).toSorted(), [
      "status-regressed false",
      "vanished false"
    ])
  })
})
