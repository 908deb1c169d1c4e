/** A record that was told in several versions may be the counterpart of what it does not equal. */
import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const fee = { fees: [{ flat: "1" }] }

/** The same identity with several amounts. */
const told = (one: Entry.Entry, ...amounts: ReadonlyArray<string>): ReadonlyArray<Entry.Entry> =>
  amounts.map((amount) => Object.assign({}, one, { amount }))

const of = (input: Run.Input, id: string): Outcome.Outcome => {
  const { outcomes } = Run.match(input)
  const found = outcomes.find(({ code, deposits, transfers }) =>
    code !== "source-conflict" && [...deposits, ...transfers].some((entry) => entry.id === id)
  )
  assert.isDefined(found, Run.summary(outcomes).join("; "))
  return found
}

const isNamed = ({ candidates }: Outcome.Outcome, id: string): boolean => candidates.some((one) => one.id === id)

const assertDoubted = (outcome: Outcome.Outcome, id: string): void => {
  assert.isFalse(outcome.final, outcome.explanation)
  assert.isTrue(isNamed(outcome, id), outcome.explanation)
  assert.include(outcome.explanation, "of which the source gave several versions")
}

describe("an entry beside a conflict of another amount", () => {
  it("is not finally missing where a fee leaves one of the amounts, on either side", () => {
    const left = { deposits: [deposit("d1", 0, { amount: "100" })], transfers: told(transfer("t1", 10), "99", "98") }
    assertDoubted(of({ ...left, policy: fee }, "d1"), "t1")
    const right = { deposits: told(deposit("d1", 0), "100", "101"), transfers: [transfer("t1", 10, { amount: "99" })] }
    assertDoubted(of({ ...right, policy: fee }, "t1"), "d1")
  })

  it("is not finally missing where both carry one reference, within the horizon", () => {
    const bearing = (minutes: number) => ({
      deposits: [deposit("d1", 0, { amount: "100", reference: "r" })],
      transfers: told(transfer("t1", minutes, { reference: "r" }), "99", "98"),
      policy: { window: { before: 0, after: "1 hour" }, late: "6 hours" }
    })
    assertDoubted(of(bearing(10), "d1"), "t1")
    assertDoubted(of(bearing(300), "d1"), "t1")
    assert.isTrue(of(bearing(10_000), "d1").final)
  })

  it("is no final mismatch with another one", () => {
    const input = {
      deposits: [deposit("d1", 0, { amount: "100", account: "a" })],
      transfers: [
        ...told(transfer("t1", 5, { account: "a" }), "97", "96"),
        transfer("t9", 10, { amount: "97", account: "a" })
      ]
    }
    const found = of(input, "d1")
    assert.strictEqual(found.code, "amount-mismatch")
    assertDoubted(found, "t1")
  })

  it("is not finally missing where the conflict may be its sum", () => {
    const input = {
      deposits: [deposit("d1", 0, { amount: "3" }), deposit("d2", 1, { amount: "4.5" })],
      transfers: told(transfer("t1", 10), "7.5", "7.6")
    }
    assertDoubted(of(input, "d1"), "t1")
    assertDoubted(of(input, "d2"), "t1")
  })

  it("names the conflict where the amounts of a match differ", () => {
    const input = {
      deposits: [deposit("d1", 0, { amount: "100" })],
      transfers: [...told(transfer("t1", 5), "99", "98"), transfer("t9", 10, { amount: "99" })]
    }
    const found = of({ ...input, policy: fee }, "d1")
    assert.strictEqual(found.code, "fee")
    assert.isTrue(isNamed(found, "t1"), found.explanation)
  })

  it("is finally missing where the conflict lies outside its window, or belongs to another account", () => {
    const d1 = deposit("d1", 0, { amount: "100", account: "a" })
    const far = told(transfer("t1", 100_000), "99", "98")
    assert.isTrue(of({ deposits: [d1], transfers: far, policy: fee }, "d1").final)
    const foreign = told(transfer("t1", 10, { account: "b" }), "99", "98")
    assert.isTrue(of({ deposits: [d1], transfers: foreign, policy: fee }, "d1").final)
  })

  it("knows the account of a conflict by its address, too", () => {
    const versions = [deposit("d2", 1, { address: "x" }), deposit("d2", 1, { address: "x", network: "ETH" })]
    const transfers = [transfer("t1", 5, { from: "b", to: "" })]
    const foreign = { deposits: versions, transfers, addresses: [{ address: "x", account: "a" }] }
    assert.isTrue(of(foreign, "t1").final)
    assert.isFalse(isNamed(of(foreign, "t1"), "d2"))
    for (const addresses of [[], [{ address: "x", account: "b" }]]) {
      assert.isFalse(of({ ...foreign, addresses }, "t1").final)
      assert.isTrue(isNamed(of({ ...foreign, addresses }, "t1"), "d2"))
    }
  })
})
