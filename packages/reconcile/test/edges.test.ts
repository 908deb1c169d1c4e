import { assert, describe, it } from "@effect/vitest"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

const ms = (count: number): number => count / Run.MINUTE

describe("the edges of time, to the ms", () => {
  it("late and early end with the horizon", () => {
    const of = (minutes: number) => outcomes({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", minutes)] })
    assert.deepStrictEqual(of(24 * 60), ["late d1 t1"])
    assert.deepStrictEqual(of(24 * 60 + ms(1)), ["missing-deposit t1", "missing-transfer d1"])
    assert.deepStrictEqual(of(-23 * 60 - 1), ["early d1 t1"])
    assert.deepStrictEqual(of(-23 * 60 - 1 - ms(1)), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("what is late and equal comes before what is in time and differs", () => {
    const near = transfer("t2", 5, { amount: "1.05", account: "a" })
    const late = transfer("t1", 70, { account: "a" })
    const of = (...transfers: ReadonlyArray<typeof late>) =>
      outcomes({ deposits: [deposit("d1", 0, { account: "a" })], transfers })
    assert.deepStrictEqual(of(late, near), ["late d1 t1", "missing-deposit t2"])
    assert.deepStrictEqual(of(near), ["amount-mismatch d1 t2"])
  })

  it("a twin lies as far away as a counterpart may, and no farther", () => {
    const of = (minutes: number) =>
      outcomes({ deposits: [deposit("d1", 0), deposit("d2", minutes)], transfers: [transfer("t1", minutes + 1)] })
    assert.deepStrictEqual(of(60), ["duplicate-suspect d1", "exact d2 t1"])
    assert.deepStrictEqual(of(60 + ms(1)), ["exact d2 t1", "missing-transfer d1"])
  })

  it("a rival at just the ratio is too near, also where accounts are known of some only", () => {
    const of = (minutes: number) =>
      outcomes({
        deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 9000, { account: "b" })],
        transfers: [transfer("t1", 1), transfer("t2", minutes, { account: "a" })]
      })
    assert.include(of(2), "class-short d1 t1 t2")
    assert.include(of(2 + ms(1)), "exact d1 t1")
  })

  it("each deposit of a class has its own window, where rules differ", () => {
    assert.deepStrictEqual(
      outcomes({
        deposits: [deposit("d1", 0, { network: "X" }), deposit("d2", 1)],
        transfers: [transfer("t1", 30)],
        policy: { per: [{ asset: "BTC", network: "X", window: { after: "10 minutes" } }], late: 0 }
      }),
      ["duplicate-suspect d1", "exact d2 t1"]
    )
  })
})
