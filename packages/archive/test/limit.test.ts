/** A page has so many, whatever number is asked for. */
import { assert, describe, it } from "@effect/vitest"
import * as Limit from "../src/internal/sql/Limit.ts"

describe("a limit", () => {
  it("is what was asked for, without its fraction, where that is allowed, and else the nearest that is", () => {
    const asked = [Number.NEGATIVE_INFINITY, -1, 0, 0.5, 1, 2.9, 3, 4, Number.POSITIVE_INFINITY, Number.NaN]
    assert.deepStrictEqual(asked.map((one) => Limit.clipped(one, 3)), [1, 1, 1, 1, 1, 2, 3, 3, 3, 1])
  })
})
