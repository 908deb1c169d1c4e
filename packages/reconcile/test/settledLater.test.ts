import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import * as Run from "./support/Run.ts"

const { outcomes, transfer } = Run

/** Minutes from when the deposit was inserted to when it was first seen settled. */
const LATER = 30 * 60

const deposit = (id: string, minutes: number, fields: Partial<Entry.Entry> = {}): Entry.Entry => ({
  ...Run.deposit(id, minutes),
  past: {
    statuses: [{ status: "pending", seenAt: Run.T0 }],
    settledAt: Run.T0 + (minutes + LATER) * Run.MINUTE
  },
  ...fields
})

const finals = (input: Run.Input): ReadonlyArray<string> =>
  Run.match(input).outcomes.filter(({ final }) => final).map(({ code }) => code)

describe("after a deposit settled long after its own time", () => {
  it("what waits or failed then explains it as in its own window", () => {
    const of = (status: Entry.Status, minutes: number, amount = "1") =>
      outcomes({
        deposits: [deposit("d1", 0)],
        transfers: [transfer("t1", minutes, { amount, status })],
        policy: { fees: [{ flat: "0.1" }] }
      })
    assert.deepStrictEqual(of("pending", LATER + 10), ["unconfirmed d1 t1"])
    assert.deepStrictEqual(of("pending", LATER + 10, "0.9"), ["unconfirmed d1 t1"])
    assert.deepStrictEqual(
      of("pending", LATER - 200),
      ["unconfirmed d1 t1"],
      "it may have settled before it was seen to"
    )
    assert.deepStrictEqual(of("unknown", LATER + 10), ["unknown-status d1 t1"])
    assert.deepStrictEqual(of("failed", LATER + 10), ["failed-attempt d1 t1"])
    assert.deepStrictEqual(of("failed", LATER + 61), ["missing-transfer d1", "not-settled t1"])
  })

  it("a transfer that differs by a fee is neither stated nor missing", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", LATER + 10, { amount: "0.9" })],
      policy: { fees: [{ flat: "0.1" }] }
    }
    assert.deepStrictEqual(outcomes(input), ["ambiguous d1 t1"])
    assert.deepStrictEqual(outcomes({ ...input, policy: {} }), ["missing-deposit t1", "missing-transfer d1"])
    assert.deepStrictEqual(outcomes({ ...input, policy: { fees: [{ flat: "0.1" }], lagFrom: "seen" } }), [
      "missing-deposit t1",
      "missing-transfer d1"
    ])
  })

  it("a sum that came then keeps its parts from being missing for certain", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", 5, { amount: "2" })],
      transfers: [transfer("t1", LATER + 10, { amount: "3" })]
    }
    assert.deepStrictEqual(finals(input), [])
    assert.deepStrictEqual(finals({ ...input, policy: { grouping: { manyToOne: false } } }).length, 3)
    assert.deepStrictEqual(finals({ ...input, policy: { lagFrom: "seen" } }).length, 3)
  })

  it("a transfer belongs to it that came between when it was last seen unsettled and first seen settled", () => {
    const past = (unsettledAt: number | undefined) => ({
      statuses: [{ status: "pending" as const, seenAt: Run.T0 }],
      settledAt: Run.T0 + LATER * Run.MINUTE,
      ...(unsettledAt === undefined ? {} : { unsettledAt: Run.T0 + unsettledAt * Run.MINUTE })
    })
    const input = (minutes: number, unsettledAt?: number): Run.Input => ({
      deposits: [deposit("d1", 0, { past: past(unsettledAt) })],
      transfers: [transfer("t1", minutes)]
    })
    assert.deepStrictEqual(outcomes(input(LATER - 100)), ["late d1 t1"])
    assert.deepStrictEqual(outcomes(input(LATER - 100, LATER - 120)), ["exact d1 t1"])
    assert.deepStrictEqual(outcomes(input(LATER - 122, LATER - 120)), ["late d1 t1"], "seen unsettled after it")
    assert.deepStrictEqual(outcomes(input(LATER + 61, LATER - 120)), ["late d1 t1"])
    const [outcome] = Run.match(input(LATER - 100, LATER - 120)).outcomes
    assert.include(
      outcome?.explanation,
      "1 d 4 h later (the deposit was last seen unsettled 1 d 4 h and first seen settled 1 d 6 h after it arrived)"
    )
  })

  it("a transfer of the same reference whose difference the policy allows is late", () => {
    const of = (amount: string, policy: NonNullable<Run.Input["policy"]> = { tolerance: { absolute: "0.1" } }) => {
      const [outcome] = Run.match({
        deposits: [deposit("d1", 0, { reference: "r" })],
        transfers: [transfer("t1", LATER + 10, { amount, reference: "r" })],
        policy
      }).outcomes
      return [outcome?.code, outcome?.explanation]
    }
    assert.deepStrictEqual(of("0.95"), [
      "late",
      "1 BTC arrived on 15 Jan 2027 08:00 UTC; 0.95 BTC was moved 1 d 6 h later, 1 d 5 h later than the policy allows (the deposit was first seen settled 1 d 6 h after it arrived). Both carry the same reference, though the amounts differ by 0.05."
    ])
    assert.deepStrictEqual(of("0.5")[0], "amount-mismatch")
    assert.deepStrictEqual(of("0.95", {})[0], "amount-mismatch")
  })

  it("its own transfer goes before one of another account or in the wrong direction", () => {
    const of = (other: Entry.Entry) =>
      outcomes({
        deposits: [deposit("d1", 0, { account: "a" })],
        transfers: [other, transfer("t2", LATER + 10, { account: "a" })]
      })
    assert.deepStrictEqual(of(transfer("t1", 5, { account: "b" })), ["exact d1 t2", "missing-deposit t1"])
    assert.deepStrictEqual(of(transfer("t1", 5, { from: "master", to: "a" })), ["exact d1 t2", "out-of-flow t1"])
  })
})
