/** Which of a policy's rules and fees speaks of an asset. */
import { assert, describe, it } from "@effect/vitest"
import * as Rules from "../src/internal/policy/Rules.ts"
import * as Run from "./support/Run.ts"

describe("a policy with rules of several assets", () => {
  const policy = Run.policy({
    per: [
      { asset: "BTC", late: 1 },
      { asset: "ETH", network: "ARB", late: 2 },
      { asset: "ETH", late: 3 },
      { asset: "ETH", network: "OP", late: 4 }
    ],
    fees: [{ asset: "BTC", flat: "1" }, { flat: "2" }]
  })

  it("judges an asset by the first rule that names it and its network, and by the general one where none does", () => {
    const rule = Rules.rules(policy)
    const late = (asset: string, network?: string) => rule(asset, network).late
    assert.deepStrictEqual([late("BTC"), late("BTC", "OP")], [1, 1])
    assert.deepStrictEqual([late("ETH", "ARB"), late("ETH", "OP"), late("ETH")], [2, 3, 3])
    assert.strictEqual(rule("USDT", undefined), policy)
  })

  it("takes an asset's own fees, and those without an asset where it has none", () => {
    const fees = Rules.fees(policy)
    assert.deepStrictEqual(fees("BTC"), policy.fees.slice(0, 1))
    assert.deepStrictEqual(fees("ETH"), policy.fees.slice(1))
  })
})
