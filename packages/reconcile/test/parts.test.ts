import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import * as Terms from "../src/internal/engine/ledger/Terms.ts"
import * as Parts from "../src/internal/engine/stream/Parts.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const make = (written: Policy.Policy = {}, largest?: number) =>
  Parts.make(Terms.make({ policy: Run.policy(written), accounts: { list: ["a", "b"], complete: false } }), largest)

const names = (entries: ReadonlyArray<Entry.Entry>): string => entries.map(({ id }) => id).toSorted().join(" ")

const take = (parts: Parts.Parts, entries: ReadonlyArray<Entry.Entry>, watermark: number) => {
  const loose: Array<Entry.Entry> = []
  for (const entry of entries) parts.add(entry, loose)
  const closed = parts.close(watermark)
  return { parts: closed.parts, loose: [...loose, ...closed.loose] }
}

/** The parts of entries that came in order of time, and those in no part behind a plus. */
const sorted = (
  entries: ReadonlyArray<Entry.Entry>,
  written: Policy.Policy = {},
  largest?: number
): ReadonlyArray<string> => {
  const { loose, parts } = take(make(written, largest), entries, Number.POSITIVE_INFINITY)
  return [...parts.map(names).toSorted(), ...loose.map(({ id }) => `+ ${id}`).toSorted()]
}

describe("entries that the rules about equal amounts and references could compare", () => {
  const d1 = deposit("d1", 0)

  it("are equal in amount, however it is written, within the window of either", () => {
    assert.deepStrictEqual(sorted([d1, transfer("t1", 61, { amount: "01.0" })]), ["d1 t1"])
    assert.deepStrictEqual(sorted([d1, transfer("t1", 62)]), ["d1", "t1"])
    assert.deepStrictEqual(sorted([d1, transfer("t1", 5, { amount: "1.1" })]), ["d1", "t1"])
    assert.deepStrictEqual(sorted([d1, deposit("d2", 50), transfer("t1", 100)]), ["d1 d2 t1"])
  })

  it("are of assets that the policy calls equal", () => {
    const other = deposit("d2", 6, { asset: "WBTC" })
    assert.deepStrictEqual(sorted([d1, other]), ["d1", "d2"])
    assert.deepStrictEqual(sorted([d1, other], { assets: { aliases: [["BTC", "WBTC"]] } }), ["d1 d2"])
  })

  it("are of one account, or of an unknown one", () => {
    const of = (id: string, minutes: number, account?: string) =>
      deposit(id, minutes, account === undefined ? {} : { account })
    assert.deepStrictEqual(sorted([of("d1", 0, "a"), of("d2", 1, "b")]), ["d1", "d2"])
    assert.deepStrictEqual(sorted([of("d1", 0, "a"), of("d2", 1, "b"), of("d3", 2)]), ["d1 d2 d3"])
    assert.deepStrictEqual(sorted([of("d1", 0), of("d2", 1, "b"), of("d3", 2, "a")]), ["d1 d2 d3"])
    // The last of account a is near to the one behind it, although an entry of unknown account came between.
    assert.deepStrictEqual(sorted([of("d1", 0, "a"), of("d2", 1), of("d3", 60, "a")]), ["d1 d2 d3"])
  })

  it("carry one reference, within the horizon", () => {
    const bearer = (id: string, hours: number) =>
      transfer(id, 60 * hours, { reference: "r", amount: String(hours + 3) })
    const first = deposit("d1", 0, { reference: "r" })
    assert.deepStrictEqual(sorted([first, bearer("t1", 24)]), ["d1 t1"])
    assert.deepStrictEqual(sorted([first, bearer("t1", 25)]), ["d1", "t1"])
    assert.deepStrictEqual(sorted([first, bearer("t1", 24)], { reference: "ignore" }), ["d1", "t1"])
  })

  it("are not of one reference alone, if the policy does not call their assets equal", () => {
    const bearers = [
      deposit("d1", 0, { reference: "r" }),
      deposit("d2", 1, { asset: "ETH", reference: "r" }),
      transfer("t2", 2, { asset: "ETH", reference: "r" }),
      transfer("t1", 3, { reference: "r" })
    ]
    assert.deepStrictEqual(sorted(bearers), ["d1 t1", "d2 t2"])
    assert.deepStrictEqual(sorted(bearers, { assets: { aliases: [["BTC", "ETH"]] } }), ["d1 d2 t1 t2"])
  })

  it("are a transfer and one that goes back later", () => {
    const forth = transfer("t1", 0, { from: "a", to: "" })
    const back = (hours: number) => transfer("t2", 60 * hours, { from: "", to: "a" })
    assert.deepStrictEqual(sorted([forth, back(24)]), ["t1 t2"])
    assert.deepStrictEqual(sorted([forth, back(25)]), ["t1", "t2"])
    assert.deepStrictEqual(sorted([forth, transfer("t2", 60, { from: "", to: "b" })]), ["t1", "t2"])
    // It finds an earlier one behind a later one, and behind an entry of unknown account.
    const later = deposit("d1", 90, { account: "a" })
    assert.deepStrictEqual(sorted([forth, later, back(2)]), ["d1 t1 t2"])
    assert.deepStrictEqual(sorted([forth, deposit("d1", 90), back(2)]), ["d1 t1 t2"])
    assert.deepStrictEqual(sorted([forth, deposit("d1", 40), deposit("d2", 130), back(3)]), ["d1 d2 t1 t2"])
  })

  it("lie near the time when a deposit was first seen settled", () => {
    const late = deposit("d1", 0, { past: { statuses: [], settledAt: Run.T0 + 5 * Run.HOUR } })
    assert.deepStrictEqual(sorted([late, transfer("t1", 330)], { lagFrom: "settled" }), ["d1 t1"])
    assert.deepStrictEqual(sorted([late, transfer("t1", 330)], { lagFrom: "seen" }), ["d1", "t1"])
  })
})

describe("entries in no part", () => {
  it("are those of one id, and those that a link names, with all that would be in their part", () => {
    assert.deepStrictEqual(sorted([deposit("d1", 0), transfer("t1", 1), deposit("d1", 4000)]), ["+ d1", "+ d1", "+ t1"])
    const elsewhere = transfer("t1", 0, { account: "b", from: "a", to: "" })
    assert.deepStrictEqual(sorted([elsewhere, deposit("d1", 1, { account: "b" })]), ["+ d1", "+ t1"])
    const named: Policy.Policy = { links: [{ deposits: ["d1"], transfers: ["t9"] }] }
    assert.deepStrictEqual(sorted([deposit("d1", 0), transfer("t1", 1)], named), ["+ d1", "+ t1"])
  })

  it("are all, where amounts may differ", () => {
    const both = [deposit("d1", 0), transfer("t1", 1)]
    assert.deepStrictEqual(sorted(both, { fees: [{ flat: "1" }] }), ["+ d1", "+ t1"])
    assert.deepStrictEqual(sorted(both, { tolerance: { absolute: "0.1" } }), ["+ d1", "+ t1"])
  })

  it("are those of a part that grew too large, and all that come to it later", () => {
    const many = [deposit("d1", 0), transfer("t1", 1), deposit("d2", 2), deposit("d3", 50)]
    assert.deepStrictEqual(sorted(many, {}, 2), ["+ d1", "+ d2", "+ d3", "+ t1"])
    assert.deepStrictEqual(sorted([...many, deposit("d4", 2000)], {}, 2), ["d4", "+ d1", "+ d2", "+ d3", "+ t1"])
  })
})

describe("a part", () => {
  const minute = (minutes: number): number => Run.T0 + minutes * Run.MINUTE

  it("closes when nothing to come can join it", () => {
    const parts = make()
    const give = (entries: ReadonlyArray<Entry.Entry>, until: number) => {
      const { loose, parts: closed } = take(parts, entries, minute(until))
      assert.deepStrictEqual(loose, [])
      return closed.map(names)
    }
    assert.deepStrictEqual(give([deposit("d1", 0)], 30), [])
    assert.strictEqual(parts.earliest(), minute(0))
    assert.deepStrictEqual(give([transfer("t1", 40)], 101), [])
    assert.deepStrictEqual(give([], 102), ["d1 t1"])
    assert.deepStrictEqual(give([deposit("d2", 102, { reference: "r" })], 102 + 1440), [])
    assert.deepStrictEqual(give([], 102 + 1441), ["d2"])
    assert.deepStrictEqual(give([transfer("t2", 2000, { from: "a", to: "" })], 2000 + 1440), [])
    assert.deepStrictEqual(give([], 2000 + 1441), ["t2"])
    assert.strictEqual(parts.size(), 0)
    assert.strictEqual(parts.earliest(), Number.POSITIVE_INFINITY)
  })

  it("is remembered by the ids of its entries until they are forgotten", () => {
    const again = (isForgotten: boolean): ReadonlyArray<string> => {
      const parts = make()
      const [first, second] = [deposit("d1", 0), deposit("d1", 5000)]
      assert.deepStrictEqual(take(parts, [first], minute(4000)).parts, [[first]])
      if (isForgotten) parts.forget([first])
      return take(parts, [second], minute(9000)).loose.map(({ id }) => id)
    }
    assert.deepStrictEqual(again(false), ["d1"])
    assert.deepStrictEqual(again(true), [])
  })
})
