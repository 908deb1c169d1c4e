import { assert, describe, it } from "@effect/vitest"
import { isAlike } from "../src/internal/engine/ledger/LookAlike.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

describe("who is alone with whom", () => {
  it("is judged by the window of each deposit, not by the widest", () => {
    const of = (network: string) =>
      outcomes({
        deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 0, { account: "b", network })],
        transfers: [transfer("t1", 30, { account: "c" })],
        policy: { per: [{ asset: "BTC", network: "X", window: { after: "10 minutes" } }] }
      })
    assert.deepStrictEqual(of("X"), ["account-mismatch d1 t1", "missing-transfer d2"])
    assert.deepStrictEqual(of("Y"), ["missing-deposit t1", "missing-transfer d1", "missing-transfer d2"])
  })
})

describe("a split that is incomplete", () => {
  const parts = (side: typeof deposit, ...amounts: ReadonlyArray<string>) =>
    amounts.map((amount, index) => side(`${side === deposit ? "d" : "t"}${index + 1}`, 5 + index, { amount }))

  it("is alone with parts that are all smaller", () => {
    const of = (...amounts: ReadonlyArray<string>) =>
      outcomes({ deposits: [deposit("d0", 0, { amount: "10" })], transfers: parts(transfer, ...amounts) })
    assert.deepStrictEqual(of("3", "4"), ["split-incomplete d0 t1 t2"])
    assert.notInclude(of("3", "12").join(), "split-incomplete")
  })

  it("is looked for on the sides that the policy names", () => {
    const of = (manyToOne: boolean, oneToMany: boolean) => {
      const policy = { grouping: { manyToOne, oneToMany } }
      return [
        outcomes({ deposits: [deposit("d0", 0, { amount: "10" })], transfers: parts(transfer, "3", "4"), policy }),
        outcomes({ deposits: parts(deposit, "3", "4"), transfers: [transfer("t0", 10, { amount: "10" })], policy })
      ].map((found) => found.length === 1)
    }
    assert.deepStrictEqual(of(true, true), [true, true])
    assert.deepStrictEqual(of(false, true), [true, false])
    assert.deepStrictEqual(of(true, false), [false, true])
  })
})

describe("another asset", () => {
  it("is not said before the windows of both are read, but each is named to the other", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { asset: "USDT" })],
      transfers: [transfer("t1", 5, { asset: "usdt" })]
    }
    assert.deepStrictEqual(outcomes(input), ["asset-mismatch d1 t1"])
    const coverage = Run.complete.map((one) =>
      Object.assign({}, one, { to: Run.T0 + 30 * Run.MINUTE, readAt: Run.T0 + 30 * Run.MINUTE })
    )
    const early = Run.match({ ...input, coverage }).outcomes
    assert.deepStrictEqual(Run.summary(early), ["in-flight d1", "in-flight t1"])
    assert.deepStrictEqual(early.map(({ candidates }) => candidates.map(({ id }) => id)), [["t1"], ["d1"]])
  })
})

describe("a name that ends like a network", () => {
  it("names a network without a mark only where a token standard with its number stands there", () => {
    assert.isTrue(isAlike("USDTTRC20", "USDT"))
    assert.isTrue(isAlike("USDT-SPL", "USDT"))
    assert.isFalse(isAlike("USDTSPL", "USDT"))
    assert.isFalse(isAlike("USDTTRX", "USDT"))
    assert.isTrue(isAlike("ABCERC20", "ABC"))
    assert.isFalse(isAlike("ABERC20", "AB"))
  })
})
