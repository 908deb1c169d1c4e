import { assert, describe, it } from "@effect/vitest"
import * as JoinedRuns from "../../src/internal/kernel/JoinedRuns.ts"
import { forSeeds } from "./Random.ts"

const ascending = (a: number, b: number): number => a - b

describe("positions that are joined by ranges", () => {
  it("are visited once each, whatever the ranges and their order", () =>
    forSeeds(200, (next) => {
      const runs = JoinedRuns.make(20)
      const expected = new Set<number>()
      const visited: Array<number> = []
      for (let range = 0; range < 8; range++) {
        const from = next(20)
        const to = from + 1 + next(20 - from)
        runs.join(from, to, (position) => visited.push(position))
        for (let position = from; position < to - 1; position++) expected.add(position)
      }
      assert.deepStrictEqual(visited.toSorted(ascending), Array.from(expected).toSorted(ascending))
    }))
})
