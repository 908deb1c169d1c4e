import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

const until = (minutes: number) =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

const find = (input: Run.Input, code: Outcome.Code): Outcome.Outcome => {
  const found = Run.match(input).outcomes.find((outcome) => outcome.code === code)
  assert.isDefined(found)
  return found
}

describe("what has to be read", () => {
  it("may have been asked for as FUTURE where the flows say FUTURES", () => {
    const [deposits] = Run.complete
    const of = (type: string) => {
      const read: Coverage.Coverage = {
        operation: "transfers",
        query: { fromAccount: "a", fromAccountType: "SPOT", toAccountType: type },
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
        readAt: Number.MAX_SAFE_INTEGER,
        state: "complete"
      }
      return outcomes({
        deposits: [deposit("d1", 0, { account: "a" })],
        coverage: [deposits!, read],
        policy: { flows: [{ from: "*", to: "master", types: [["SPOT", "FUTURES"]] }] }
      })
    }
    assert.deepStrictEqual(of("FUTURE"), ["missing-transfer d1"])
    assert.deepStrictEqual(of("SPOT"), ["coverage-gap d1"])
  })

  it("is as much as the widest window of the asset takes", () => {
    const coverage = Run.complete.map((one) => Object.assign({}, one, { from: Run.T0 }))
    const of = (policy: Policy.Policy) => outcomes({ transfers: [transfer("t1", 100)], coverage, policy })
    assert.deepStrictEqual(of({}), ["missing-deposit t1"])
    const window = { after: "3 hours" }
    assert.deepStrictEqual(of({ per: [{ asset: "BTC", network: "X", window }] }), ["coverage-gap t1"])
    assert.deepStrictEqual(of({ per: [{ asset: "ETH", window }] }), ["missing-deposit t1"])
  })

  it("is no way back where a transfer did not go to the master account", () => {
    const of = (to: string) =>
      find({
        deposits: [deposit("d1", 0, { account: "a" })],
        transfers: [transfer("t1", 5, { from: "a", to })],
        policy: { flows: [{ from: "*", to: "master" }, { from: "*", to: "*" }], late: "1 hour" },
        coverage: until(125)
      }, "exact").final
    assert.isFalse(of(""))
    assert.isTrue(of("b"))
  })
})
