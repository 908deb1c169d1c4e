import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../src/Entry.ts"
import * as LonePairs from "../src/internal/engine/stream/LonePairs.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

/** The pairs among the entries, the first of which is at T0. */
const pairs = (
  entries: ReadonlyArray<Entry.Entry>,
  written: Policy.Policy = {},
  coverage: ReadonlyArray<Coverage.Coverage> = Run.complete
): ReadonlyArray<string> => {
  const of = (side: Entry.Side) => entries.filter((entry) => entry.side === side)
  const sieved = LonePairs.make(Run.policy(written)).sieve({
    deposits: of("deposit"),
    transfers: of("transfer"),
    coverage,
    watermark: Number.POSITIVE_INFINITY,
    ended: true
  })
  assert.strictEqual(2 * sieved.pairs.length + sieved.deposits.length + sieved.transfers.length, entries.length)
  return Run.summary(sieved.pairs)
}

describe("a lone pair", () => {
  const d1 = deposit("d1", 0)
  const t1 = transfer("t1", 5)

  it("is a deposit and a transfer of equal amount in the window", () => {
    assert.deepStrictEqual(pairs([d1, t1]), ["exact d1 t1"])
    assert.deepStrictEqual(pairs([d1, transfer("t1", 60, { amount: "1.0" })]), ["exact d1 t1"])
    assert.deepStrictEqual(pairs([d1, transfer("t1", 61)]), [])
    assert.deepStrictEqual(pairs([d1, transfer("t1", -30)]), [])
    assert.deepStrictEqual(pairs([d1, transfer("t1", 5, { amount: "1.1" })]), [])
  })

  it("has no past that speaks against it; another does no harm", () => {
    const past = { statuses: [{ status: "pending", seenAt: 0 }, { status: "settled", seenAt: 1 }] } as const
    assert.deepStrictEqual(pairs([deposit("d1", 0, { past }), t1]), ["exact d1 t1"])
    assert.deepStrictEqual(pairs([deposit("d1", 0, { past: { ...past, vanishedAt: 2 } }), t1]), [])
    assert.deepStrictEqual(pairs([d1, transfer("t1", 5, { past: { ...past, conflicts: ["{}"] } })]), [])
    assert.deepStrictEqual(pairs([d1, t1, transfer("t2", 6, { past: { ...past, vanishedAt: 2 } })]), [])
  })

  it("has no third near either of them, whatever that is", () => {
    assert.deepStrictEqual(pairs([d1, t1, transfer("t2", 6)]), [])
    assert.deepStrictEqual(pairs([d1, t1, deposit("d2", 6, { status: "pending" })]), [])
    // The other deposit is near the transfer only.
    assert.deepStrictEqual(pairs([d1, transfer("t1", 60), deposit("d2", 110)]), [])
    assert.deepStrictEqual(pairs([d1, t1, deposit("d2", 110)]), ["exact d1 t1"])
  })

  it("knows a third that is written differently, or of an asset that the policy calls equal", () => {
    assert.deepStrictEqual(pairs([d1, t1, deposit("d2", 6, { amount: "01.0" })]), [])
    const third = deposit("d2", 6, { asset: "WBTC" })
    assert.deepStrictEqual(pairs([d1, t1, third]), ["exact d1 t1"])
    assert.deepStrictEqual(pairs([d1, t1, third], { assets: { aliases: [["BTC", "WBTC"]] } }), [])
  })

  it("is of settled entries that nothing else ties", () => {
    assert.deepStrictEqual(pairs([d1, transfer("t1", 5, { status: "failed" })]), [])
    assert.deepStrictEqual(pairs([d1, transfer("t1", 5, { reference: "r" })]), [])
    assert.deepStrictEqual(pairs([deposit("d1", 0, { address: "x" }), t1]), [])
    assert.deepStrictEqual(pairs([deposit("d1", 0, { account: "a" }), transfer("t1", 5, { account: "b" })]), [])
    assert.deepStrictEqual(pairs([deposit("d1", 0, { account: "a" }), t1]), ["exact d1 t1"])
  })

  it("is of entries that the policy does not name", () => {
    assert.deepStrictEqual(pairs([d1, t1], { exclude: [{ id: "d1" }] }), [])
    assert.deepStrictEqual(pairs([d1, t1], { forbid: [{ deposit: "d1", transfer: "t1" }] }), [])
    assert.deepStrictEqual(pairs([d1, t1], { minAmount: { BTC: "2" } }), [])
    assert.deepStrictEqual(pairs([d1, t1], { reference: "only" }), [])
  })

  it("is told nowhere as long as amounts may differ: another may be as near by what the policy allows", () => {
    assert.deepStrictEqual(pairs([d1, t1], { fees: [{ flat: "1" }] }), [])
    assert.deepStrictEqual(pairs([d1, t1], { tolerance: { absolute: "0.1" } }), [])
    assert.deepStrictEqual(pairs([d1, t1], { per: [{ asset: "ETH", tolerance: { relative: "0.1" } }] }), [])
  })

  it("is told when everything around it was read", () => {
    const until = (minutes: number) =>
      Run.complete.map((one) => Object.assign({}, one, { to: Run.T0 + minutes * Run.MINUTE }))
    assert.deepStrictEqual(pairs([d1, t1], {}, until(66)), [])
    assert.deepStrictEqual(pairs([d1, t1], {}, until(67)), ["exact d1 t1"])
  })
})

describe("lone pairs as entries come", () => {
  it("are told when all around them has come, and stand near to what comes", () => {
    const lone = LonePairs.make(Run.policy())
    const give = (entries: ReadonlyArray<Entry.Entry>, minutes: number) => {
      const { deposits, pairs, transfers } = lone.sieve({
        deposits: entries.filter(({ side }) => side === "deposit"),
        transfers: entries.filter(({ side }) => side === "transfer"),
        coverage: Run.complete,
        watermark: Run.T0 + minutes * Run.MINUTE,
        ended: false
      })
      return [...Run.summary(pairs), ...[...deposits, ...transfers].map(({ id }) => id)]
    }
    assert.deepStrictEqual(give([deposit("d1", 0), transfer("t1", 5)], 50), [])
    assert.deepStrictEqual(give([], 122), [])
    assert.deepStrictEqual(give([], 123), ["exact d1 t1"])
    // What was given on has the amount still: a deposit near to it is not alone with its transfer.
    assert.deepStrictEqual(give([transfer("t0", 200), deposit("d2", 261), transfer("t2", 262)], 330), ["t0"])
    assert.deepStrictEqual(give([], 500), ["d2", "t2"])
    assert.deepStrictEqual(give([deposit("d3", 600), transfer("t3", 601)], 800), ["exact d3 t3"])
    assert.strictEqual(lone.held(), 0)
  })
})
