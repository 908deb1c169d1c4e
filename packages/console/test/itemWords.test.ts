/** What the page says of an item: a bound stands at each amount for which it holds. */
import { assert, describe, it } from "@effect/vitest"
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as ItemWords from "../page/src/items/ItemWords.ts"

const NOW = 1_764_000_000_000

/** A deposit of 10 of which it is not known whether 6, 4 and 5 belong to it. */
const item: ListedItem.ListedItem = {
  id: "i0000000000000000",
  state: "open",
  code: "ambiguous",
  outcome: "o1",
  at: NOW - 3_600_000,
  since: 1,
  execution: 1,
  deposits: 1,
  transfers: 3,
  first: { side: "deposit", id: "d1", asset: "USDT", amount: "10" },
  difference: { asset: "USDT", missing: "10", excess: "15", amount: "-5", size: "25", bound: "at most" },
  decided: "none"
}

const words = (more: Partial<ListedItem.Difference>): string =>
  item.difference === undefined ? "" : ItemWords.difference({ ...item.difference, ...more })

describe("the difference of an item", () => {
  it("says what is missing and what is too much, and never bounds what is left of both", () => {
    assert.strictEqual(words({}), "at most 10 USDT missing and at most 15 USDT too much")
    assert.strictEqual(words({ excess: "0", amount: "10", size: "10", bound: "exact" }), "10 USDT missing")
  })

  it("has its bound at the other asset, too", () => {
    assert.strictEqual(
      words({ excess: "0", amount: "10", size: "10", other: { asset: "USDC", excess: "10" } }),
      "at most 10 USDT missing and at most 10 USDC too much"
    )
  })

  it("is no exact size where it is bounded", () => {
    assert.deepStrictEqual(ItemWords.amount(item), { amount: "25", asset: "USDT", bound: "at most " })
    assert.include(ItemWords.spoken(item, NOW), ", at most 25 USDT, ")
    const { difference: _, ...unknown } = item
    assert.include(ItemWords.spoken(unknown, NOW), ", 10 USDT, ")
  })
})
