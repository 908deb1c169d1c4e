import { assert, describe, it } from "@effect/vitest"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

/** The code of the pair, or nothing when the two have outcomes of their own. */
const codeOf = (from: string, to: string, policy: Policy.Policy): string | undefined => {
  const found = outcomes({
    deposits: [deposit("d1", 0, { amount: from })],
    transfers: [transfer("t1", 5, { amount: to })],
    policy
  })
  return found.length === 1 ? found[0]?.split(" ")[0] : undefined
}

describe("what an amount may differ by", () => {
  it("is strictly below a share of the transfer on either side, where it is strict", () => {
    const codes = (inclusive: boolean) =>
      ["8", "8.01", "13.33", "13.34"].map((amount) =>
        codeOf("10", amount, { tolerance: { relative: "0.25", base: "transfer", inclusive } })
      )
    assert.deepStrictEqual(codes(true), ["tolerant", "tolerant", "tolerant", undefined])
    assert.deepStrictEqual(codes(false), [undefined, "tolerant", "tolerant", undefined])
    assert.strictEqual(codeOf("3", "4", { tolerance: { relative: "0.25", base: "transfer" } }), "tolerant")
    assert.isUndefined(codeOf("3", "4", { tolerance: { relative: "0.25", base: "transfer", inclusive: false } }))
  })

  it("is at most the share of the smaller amount, whichever that is", () => {
    const tolerance = { absolute: "0.02", maxShare: "0.5" }
    assert.strictEqual(codeOf("0.03", "0.045", { tolerance }), "tolerant")
    assert.isUndefined(codeOf("0.03", "0.0451", { tolerance }))
    assert.strictEqual(codeOf("0.03", "0.02", { tolerance }), "tolerant")
    assert.isUndefined(codeOf("0.03", "0.0199", { tolerance }))
  })

  it("is nothing where a fee says what to expect, even if the tolerance is strict", () => {
    const policy: Policy.Policy = { fees: [{ flat: "1" }], tolerance: { inclusive: false } }
    assert.strictEqual(codeOf("10", "9", policy), "fee")
    assert.isUndefined(codeOf("10", "8.99", policy))
  })

  it("is counted from the nearest that is expected and accepts it", () => {
    const near: Policy.Policy = { fees: [{ flat: "0.3" }], tolerance: { absolute: "0.5" } }
    assert.strictEqual(codeOf("10", "9.7", near), "fee")
    assert.strictEqual(codeOf("10", "9.8", near), "fee")
    assert.strictEqual(codeOf("10", "9.85", near), "tolerant")
    // 7.2 is nearer to 5, but 30 % of 5 do not reach it.
    assert.strictEqual(codeOf("10", "7.2", { fees: [{ flat: "5" }], tolerance: { relative: "0.3" } }), "tolerant")
  })

  it("is counted from the whole of a rate, however many digits that has", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, { amount: "1.5" })],
      transfers: [transfer("t1", 5, { amount: "1.4998" })],
      policy: { fees: [{ rate: "0.0001" }], tolerance: { absolute: "0.0001" } }
    })
    assert.deepStrictEqual(outcomes.map(({ code, residual }) => [code, residual]), [["fee", "-0.00005"]])
  })

  it("is never counted from a fee that leaves nothing over", () => {
    const tolerance = { relative: "1", base: "larger" } as const
    assert.strictEqual(codeOf("1", "0.1", { fees: [{ flat: "0.8" }], tolerance }), "fee")
    assert.strictEqual(codeOf("1", "0.1", { fees: [{ flat: "1.2" }], tolerance }), "tolerant")
  })
})

describe("what is said of one asset", () => {
  it("concerns no other: neither its fee nor its window", () => {
    assert.strictEqual(codeOf("10", "9", { fees: [{ asset: "BTC", flat: "1" }] }), "fee")
    assert.isUndefined(codeOf("10", "9", { fees: [{ asset: "ETH", flat: "1" }] }))
    const at = (asset: string) =>
      outcomes({
        deposits: [deposit("d1", 0)],
        transfers: [transfer("t1", 120)],
        policy: { per: [{ asset, window: { after: "3 hours" } }] }
      })
    assert.deepStrictEqual(at("BTC"), ["exact d1 t1"])
    assert.deepStrictEqual(at("ETH"), ["late d1 t1"])
  })
})
