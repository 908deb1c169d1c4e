import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../src/Entry.ts"
import * as LonePair from "../src/internal/engine/stream/LonePair.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const isPair = (
  part: ReadonlyArray<Entry.Entry>,
  written: Policy.Policy = {},
  coverage: ReadonlyArray<Coverage.Coverage> = Run.complete
): boolean => LonePair.make(Run.policy(written))(coverage)(part) !== undefined

describe("a lone pair", () => {
  const d1 = deposit("d1", 0)
  const t1 = transfer("t1", 5)

  it("is a deposit and a transfer in the window, and nothing else", () => {
    assert.isTrue(isPair([d1, t1]))
    assert.isTrue(isPair([transfer("t1", 60), d1]))
    assert.isFalse(isPair([d1, transfer("t1", 61)]))
    assert.isFalse(isPair([d1, transfer("t1", -30)]))
    assert.isFalse(isPair([d1]))
    assert.isFalse(isPair([d1, deposit("d2", 5)]))
    assert.isFalse(isPair([d1, t1, transfer("t2", 6)]))
  })

  it("has no past that speaks against it; another does no harm", () => {
    const past = { statuses: [{ status: "pending", seenAt: 0 }, { status: "settled", seenAt: 1 }] } as const
    assert.isTrue(isPair([deposit("d1", 0, { past }), t1]))
    assert.isFalse(isPair([deposit("d1", 0, { past: { ...past, vanishedAt: 2 } }), t1]))
    assert.isFalse(isPair([d1, transfer("t1", 5, { past: { ...past, conflicts: ["{}"] } })]))
    const later = deposit("d1", 0, { past: { ...past, settledAt: Run.T0 + 1 } })
    assert.isTrue(isPair([later, t1], { lagFrom: "seen" }))
    assert.isFalse(isPair([later, t1], { lagFrom: "settled" }))
  })

  it("is of settled entries that nothing else ties", () => {
    assert.isFalse(isPair([d1, transfer("t1", 5, { status: "failed" })]))
    assert.isFalse(isPair([d1, transfer("t1", 5, { reference: "r" })]))
    assert.isFalse(isPair([deposit("d1", 0, { address: "x" }), t1]))
    assert.isFalse(isPair([deposit("d1", 0, { account: "a" }), transfer("t1", 5, { account: "b" })]))
    assert.isTrue(isPair([deposit("d1", 0, { account: "a" }), t1]))
  })

  it("is of entries that the policy does not name", () => {
    assert.isFalse(isPair([d1, t1], { exclude: [{ id: "d1" }] }))
    assert.isFalse(isPair([d1, t1], { forbid: [{ deposit: "d1", transfer: "t1" }] }))
    assert.isFalse(isPair([d1, t1], { minAmount: { BTC: "2" } }))
    assert.isFalse(isPair([d1, t1], { reference: "only" }))
  })

  it("lies where both sides were read as far as the policy looks", () => {
    const read = (operation: "deposits" | "transfers", from: number, to: number): Coverage.Coverage => ({
      operation,
      from: Run.T0 + from * Run.MINUTE,
      to: Run.T0 + to * Run.MINUTE,
      readAt: Number.MAX_SAFE_INTEGER,
      state: "complete"
    })
    const whole = [read("deposits", -61, 67), read("transfers", -61, 67)]
    assert.isTrue(isPair([d1, t1], {}, whole))
    assert.isFalse(isPair([d1, t1], {}, [read("deposits", -60, 67), read("transfers", -61, 67)]))
    assert.isFalse(isPair([d1, t1], {}, [read("deposits", -61, 67), read("transfers", -61, 66)]))
    assert.isFalse(isPair([d1, t1], {}, whole.map((one) => Object.assign({}, one, { state: "open" }))))
    assert.isFalse(isPair([d1, t1], {}, whole.map((one) => Object.assign({}, one, { query: { fromAccount: "a" } }))))
  })
})
