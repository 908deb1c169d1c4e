import { assert, describe, it } from "@effect/vitest"
import * as FileCoverage from "../src/files/FileCoverage.ts"

describe("the gap of a file", () => {
  it("names no option where a spreadsheet that separates cells by semicolons would begin a formula", () => {
    const vouched = { from: undefined, to: undefined, complete: false }
    for (const own of [undefined, { from: 10, to: 20 }]) {
      const details = FileCoverage.of({ name: "d.csv", operation: "deposits", own }, vouched, 30)
        .map(({ gap }) => gap?.detail)
      assert.isTrue(details.some((detail) => detail?.includes("--from")))
      for (const detail of details) assert.notMatch(detail ?? "", /;\s*-/)
    }
  })
})
