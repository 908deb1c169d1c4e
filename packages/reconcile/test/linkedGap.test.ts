import { assert, describe, it } from "@effect/vitest"
import * as Run from "./support/Run.ts"

describe("an entry that is linked by hand with one that is not at hand", () => {
  it("says what it lacks, and is offered to nobody else", () => {
    const { outcomes } = Run.match({
      deposits: [Run.deposit("d1", 0), Run.deposit("d2", 0)],
      transfers: [Run.transfer("t2", 1)],
      policy: { links: [{ deposits: ["d1"], transfers: ["t9"] }] }
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["coverage-gap d1", "exact d2 t2"])
    const waiting = outcomes.find(({ code }) => code === "coverage-gap")
    assert.match(
      waiting?.explanation ?? "",
      /^The deposit of 1 BTC on 15 Jan 2027 08:00 UTC is linked by hand with entries that were not read\b.*\btransfer t9\b/
    )
  })
})
