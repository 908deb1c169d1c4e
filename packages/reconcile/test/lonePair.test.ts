import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../src/Entry.ts"
import * as Finality from "../src/internal/engine/finality/Finality.ts"
import * as Terms from "../src/internal/engine/ledger/Terms.ts"
import * as LonePair from "../src/internal/engine/stream/LonePair.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const pairOf = (
  part: ReadonlyArray<Entry.Entry>,
  written: Policy.Policy = {},
  coverage: ReadonlyArray<Coverage.Coverage> = Run.complete,
  ended = true
): LonePair.Pair | undefined => {
  const terms = Terms.make({ policy: Run.policy(written), accounts: { list: ["a", "b"], complete: false } })
  return LonePair.make(terms)(Finality.readScopes(terms, coverage), ended)(part)
}

const codeOf = (part: ReadonlyArray<Entry.Entry>, written: Policy.Policy = {}): string | undefined =>
  pairOf(part, written)?.code

const isPair = (
  part: ReadonlyArray<Entry.Entry>,
  written: Policy.Policy = {},
  coverage: ReadonlyArray<Coverage.Coverage> = Run.complete
): boolean => pairOf(part, written, coverage) !== undefined

/** The time from so many minutes after T0 to so many was read. */
const read = (operation: Coverage.Coverage["operation"], from: number, to: number): Coverage.Coverage => ({
  operation,
  from: Run.T0 + from * Run.MINUTE,
  to: Run.T0 + to * Run.MINUTE,
  readAt: Run.T0 + to * Run.MINUTE,
  state: "complete"
})

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

  it("is of settled entries that may belong together", () => {
    assert.isFalse(isPair([d1, transfer("t1", 5, { status: "failed" })]))
    assert.isFalse(isPair([d1, transfer("t1", 5, { from: "", to: "a" })]))
    assert.isTrue(isPair([d1, transfer("t1", 5, { from: "a", to: "" })]))
    assert.isFalse(isPair([deposit("d1", 0, { account: "b" }), transfer("t1", 5, { from: "a", to: "" })]))
    assert.isFalse(isPair([deposit("d1", 0, { account: "a" }), transfer("t1", 5, { account: "b" })]))
    assert.isTrue(isPair([deposit("d1", 0, { account: "a" }), t1]))
  })

  it("is decided by a reference that both carry, where the policy looks at references", () => {
    const bearers = (one?: string, other?: string) => [
      deposit("d1", 0, one === undefined ? {} : { reference: one }),
      transfer("t1", 5, other === undefined ? {} : { reference: other })
    ]
    assert.strictEqual(codeOf(bearers("r", "r")), "reference")
    assert.strictEqual(codeOf(bearers("r", "r"), { reference: "only" }), "reference")
    assert.strictEqual(codeOf(bearers("r", "r"), { reference: "ignore" }), "exact")
    assert.strictEqual(codeOf(bearers("r")), "exact")
    assert.strictEqual(codeOf(bearers("", "")), "exact")
    assert.isUndefined(codeOf(bearers("r"), { reference: "only" }))
    assert.isUndefined(codeOf(bearers("r", "s")))
    const [one = d1, other = t1] = bearers("r", "r")
    assert.isUndefined(codeOf([one, { ...other, amount: "1.5" }]))
    assert.isUndefined(codeOf([one, { ...other, asset: "ETH" }]))
    assert.strictEqual(codeOf([one, { ...other, amount: "01.0" }]), "reference")
  })

  it("is of entries that the policy does not name", () => {
    assert.isFalse(isPair([d1, t1], { exclude: [{ id: "d1" }] }))
    assert.isFalse(isPair([d1, t1], { forbid: [{ deposit: "d1", transfer: "t1" }] }))
    assert.isFalse(isPair([d1, t1], { minAmount: { BTC: "2" } }))
    assert.isFalse(isPair([d1, t1], { reference: "only" }))
  })

  it("lies where both sides were read as far as the policy looks", () => {
    const whole = [read("deposits", -61, 67), read("transfers", -61, 67)]
    assert.isTrue(isPair([d1, t1], {}, whole))
    assert.isFalse(isPair([d1, t1], {}, [read("deposits", -60, 67), read("transfers", -61, 67)]))
    assert.isFalse(isPair([d1, t1], {}, [read("deposits", -61, 67), read("transfers", -61, 66)]))
    assert.isFalse(isPair([d1, t1], {}, whole.map((one) => Object.assign({}, one, { state: "open" }))))
  })

  it("lies where the transfers of its account were read, whatever was asked of others", () => {
    const moved = transfer("t1", 5, { from: "a", to: "" })
    const asked = (account: string, from: number, to: number): Coverage.Coverage => ({
      ...read("transfers", from, to),
      query: { fromAccount: account, fromAccountType: "SPOT", toAccountType: "SPOT" }
    })
    const deposits = read("deposits", -1500, 1500)
    const both = [deposits, asked("a", -1500, 1500), asked("b", -1500, 1500)]
    const of = (account: string | undefined, coverage: ReadonlyArray<Coverage.Coverage>) =>
      pairOf([account === undefined ? d1 : { ...d1, account }, moved], {}, coverage)?.final
    assert.isTrue(of("a", [deposits, asked("a", -1500, 1500)]))
    assert.isTrue(of("a", [deposits, asked("a", -1500, 1500), asked("b", 0, 10)]))
    assert.isTrue(of("a", [deposits, asked("a", -61, 67)]))
    assert.isUndefined(of("a", [deposits, asked("a", -61, 66)]))
    assert.isUndefined(of("a", [deposits, asked("b", -1500, 1500)]))
    // A deposit of unknown account may belong to any account, and nobody vouches that the list is complete.
    assert.isUndefined(of(undefined, both))
    // A transfer back may come later. If nobody asked for such transfers, none is expected.
    const back = (from: number, to: number): Coverage.Coverage => ({
      ...read("transfers", from, to),
      query: { toAccount: "a", fromAccountType: "SPOT", toAccountType: "SPOT" }
    })
    assert.isTrue(of("a", [...both, back(0, 1500)]))
    assert.isFalse(of("a", [...both, back(0, 1440)]))
  })

  it("is final where everything was read that could take one of the two away", () => {
    const finals = (part: ReadonlyArray<Entry.Entry>, deposits: [number, number], transfers: [number, number]) =>
      pairOf(part, {}, [read("deposits", ...deposits), read("transfers", ...transfers)])?.final
    const moved = [d1, transfer("t1", 5, { from: "a", to: "" })]
    assert.isTrue(finals([d1, t1], [-120, 120], [-120, 120]))
    // A transfer back may come later.
    assert.isFalse(finals(moved, [-120, 120], [-120, 1440]))
    assert.isTrue(finals(moved, [-120, 120], [-120, 1500]))
    // Another bearer of the reference may be late, or early.
    const byDeposit = [deposit("d1", 0, { reference: "r" }), t1]
    assert.isFalse(finals(byDeposit, [-120, 120], [-120, 1500]))
    assert.isTrue(finals(byDeposit, [-120, 120], [-1500, 1560]))
    const byTransfer = [d1, transfer("t1", 5, { reference: "r" })]
    assert.isFalse(finals(byTransfer, [-120, 1560], [-120, 120]))
    assert.isTrue(finals(byTransfer, [-1560, 1560], [-120, 120]))
  })

  it("is left to the rules where what was not read may still be read", () => {
    const moved = [d1, transfer("t1", 5, { from: "a", to: "" })]
    const coverage = (state: Coverage.Coverage["state"]): ReadonlyArray<Coverage.Coverage> =>
      (["deposits", "transfers"] as const).flatMap((operation) => [
        { operation, from: Run.T0 - 2 * Run.HOUR, to: Run.T0 + 2 * Run.HOUR, readAt: 9e15, state: "complete" },
        { operation, from: Run.T0 + 2 * Run.HOUR, to: Run.T0 + 40 * Run.HOUR, readAt: 9e15, state }
      ])
    assert.isFalse(pairOf(moved, {}, coverage("incomplete"), false)?.final)
    assert.isUndefined(pairOf(moved, {}, coverage("open"), false))
    assert.isFalse(pairOf(moved, {}, coverage("open"), true)?.final)
  })
})
