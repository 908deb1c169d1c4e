import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import * as Rank from "../src/internal/items/Rank.ts"
import { cases } from "./support/Seeded.ts"

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Amounts that are near to each other in value, or in their text. */
const Near = Schema.Union([
  Amount.Amount,
  Schema.String.check(Schema.isPattern(/^[019]{1,4}(\.[019]{1,4})?$/)),
  Schema.Literals(["0", "0.0", "00", "9", "10", "9.9", "10.0", "0.1", "0.09"])
])

describe("the rank of an amount", () => {
  it.prop(
    "sorts byte by byte as the amounts do by value, and is one for one number",
    [Near, Near],
    ([a, b]) => {
      assert.strictEqual(Math.sign(bytes(Rank.of(a), Rank.of(b))), Math.sign(Amount.compare(a, b)))
    },
    { arbitrary: { runs: cases(500) } }
  )

  it("puts what nobody knows before zero", () => {
    assert.isBelow(bytes(Rank.UNKNOWN, Rank.of("0")), 0)
  })

  it("holds what a price makes of the greatest amount", () => {
    const greatest = "9".repeat(64)
    const worth = Amount.times(greatest, greatest)
    assert.isAbove(bytes(Rank.of(worth), Rank.of(greatest)), 0)
    assert.isAbove(bytes(Rank.of(Amount.times(worth, "10")), Rank.of(worth)), 0)
  })
})
