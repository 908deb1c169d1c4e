import { assert, describe, it } from "@effect/vitest"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

describe("a transfer that goes a flow's way backwards", () => {
  const d1 = deposit("d1", 0, { account: "a" })

  it("goes nowhere when it failed", () => {
    const of = (status: "settled" | "failed") =>
      outcomes({ deposits: [d1], transfers: [transfer("t1", 5, { from: "", to: "a", status })] })
    assert.deepStrictEqual(of("settled"), ["wrong-direction d1 t1"])
    assert.deepStrictEqual(of("failed"), ["missing-transfer d1", "not-settled t1"])
  })

  it("has the account types turned around, too", () => {
    const of = (fromType: string, toType: string) =>
      outcomes({
        deposits: [d1],
        transfers: [transfer("t1", 5, { from: "", to: "a", fromType, toType })],
        policy: { flows: [{ from: "*", to: "master", types: [["SPOT", "FUTURES"]] }] }
      })
    assert.deepStrictEqual(of("FUTURES", "SPOT"), ["wrong-direction d1 t1"])
    assert.deepStrictEqual(of("SPOT", "FUTURES"), ["missing-transfer d1", "out-of-flow t1"])
  })

  it("cancels the latest of those that its types allow, whatever these say themselves", () => {
    const spot = { fromType: "SPOT", toType: "SPOT" }
    const transfers = [
      transfer("t1", 0, { from: "a", to: "" }),
      transfer("t2", 1, { from: "a", to: "", ...spot }),
      transfer("t3", 2, { from: "a", to: "", fromType: "FUTURES", toType: "SPOT" }),
      transfer("t4", 5, { from: "", to: "a", ...spot })
    ]
    assert.include(outcomes({ transfers }), "reversed t2 t4")
  })

  it("cancels nothing unless it comes from the master account", () => {
    const policy: Policy.Policy = { flows: [{ from: "hot", to: "master" }, { from: "hot", to: "cold" }] }
    const of = (from: string) =>
      outcomes({
        deposits: [deposit("d1", 0, { account: "hot" })],
        transfers: [transfer("t1", 1, { from: "hot", to: "" }), transfer("t2", 5, { from, to: "hot" })],
        policy
      })
    assert.deepStrictEqual(of("cold"), ["exact d1 t1", "out-of-flow t2"])
    assert.deepStrictEqual(of(""), ["missing-transfer d1", "reversed t1 t2"])
  })

  it("is no counterpart of a deposit whose own transfer failed", () => {
    const back = transfer("t2", 6, { from: "", to: "a" })
    const failed = transfer("t1", 5, { from: "a", to: "", status: "failed" })
    assert.deepStrictEqual(outcomes({ deposits: [d1], transfers: [failed, back] }), [
      "failed-attempt d1 t1",
      "out-of-flow t2"
    ])
    assert.deepStrictEqual(outcomes({ deposits: [d1], transfers: [back] }), ["wrong-direction d1 t2"])
  })

  it("comes before a transfer of another account", () => {
    assert.deepStrictEqual(
      outcomes({
        deposits: [d1],
        transfers: [transfer("t1", 5, { from: "b", to: "" }), transfer("t2", 6, { from: "", to: "a" })]
      }),
      ["missing-deposit t1", "wrong-direction d1 t2"]
    )
  })
})
