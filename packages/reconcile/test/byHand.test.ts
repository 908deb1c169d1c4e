import { assert, describe, it } from "@effect/vitest"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

describe("what somebody said by hand", () => {
  it("excludes one side where it names one", () => {
    const input: Run.Input = { deposits: [deposit("x", 0, { amount: "2" })], transfers: [transfer("x", 600)] }
    const of = (side: "deposit" | "transfer") => outcomes({ ...input, policy: { exclude: [{ side, id: "x" }] } })
    assert.deepStrictEqual(of("transfer"), ["excluded x", "missing-transfer x"])
    assert.deepStrictEqual(of("deposit"), ["excluded x", "missing-deposit x"])
  })

  it("sets a least amount for an asset whatever is said of an equal one", () => {
    assert.deepStrictEqual(
      outcomes({
        deposits: [
          deposit("d1", 0, { asset: "USDT", amount: "3" }),
          deposit("d2", 600, { asset: "USDT-TRX", amount: "3.5" })
        ],
        policy: {
          minAmount: { "USDT": "1", "USDT-TRX": "5" },
          assets: { aliases: [["USDT", "USDT-TRX"]] }
        }
      }),
      ["excluded d2", "missing-transfer d1"]
    )
  })

  it("links no two assets, but warns of it", () => {
    const of = (asset: string) =>
      Run.match({
        deposits: [deposit("d1", 0)],
        transfers: [transfer("t1", 600, { asset })],
        policy: { links: [{ deposits: ["d1"], transfers: ["t1"] }] }
      })
    assert.deepStrictEqual(Run.summary(of("BTC").outcomes), ["linked d1 t1"])
    const { outcomes, warnings } = of("ETH")
    assert.deepStrictEqual(Run.summary(outcomes), ["missing-deposit t1", "missing-transfer d1"])
    assert.deepStrictEqual(warnings, [`The link of "d1" with "t1" could not be followed and was left out.`])
  })
})

describe("what failed", () => {
  it("is not settled, whatever way it should have gone, and nothing is waited for", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, { status: "failed" })],
      transfers: [transfer("t1", 600, { status: "failed", from: "a", to: "b" })]
    })
    assert.deepStrictEqual(outcomes.map(({ code, final }) => [code, final]), [
      ["not-settled", true],
      ["not-settled", true]
    ])
  })
})
