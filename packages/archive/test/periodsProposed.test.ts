/** What waits for another person keeps no period open, because nothing follows it; a close says how much of that there is. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { databases } from "./support/databases.ts"
import { auditor, decide, idOf, link, MINUTE, testOn, why } from "./support/decisions.ts"
import { became, bookDay, close, deposits, mate, NEXT, paired, refusal, transfers } from "./support/periods.ts"
import { transfer } from "./support/records.ts"

const asked = { kind: "setting", approvals: true, authors: "any", words: "two people decide" } as const
const ours = { kind: "exclude", side: "transfer", id: "t5", ...why } as const
const approve = (decision: number) => decide([{ kind: "approve", decision }], { author: auditor })

describe.each(databases)("proposals and periods, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a decision that is only proposed keeps no period open, and the close counts it", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      yield* decide([asked])
      yield* decide([yield* link("near", ["t1"]), { ...ours, id: "t2" }])
      const { body } = yield* close()
      assert.include(body, { number: 5, proposed: 2 })
      assert.strictEqual(body.carried.count, 4)
    })))

  it.live("a proposal that is withdrawn, approved, about a later day or about no entry is not counted", () =>
    test(Effect.gen(function*() {
      const later = transfer({ tranId: "t9", asset: "XRP", amount: "4", timestamp: NEXT.from + MINUTE })
      yield* transfers(later.timestamp, [later])
      yield* decide([asked])
      yield* decide([yield* link("near", ["t1"]), { ...ours, id: "t2" }, { ...ours, id: "t9" }])
      yield* decide([{ kind: "setting", approvals: false, authors: "any", words: "one is left" }])
      yield* decide([{ kind: "revoke", decision: 3, words: "it was not ours" }])
      yield* approve(2)
      yield* bookDay()
      assert.strictEqual((yield* close()).body.proposed, 0)
    })))

  it.live("neither a proposal that is withdrawn nor a revocation that is proposed keeps a period open", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"]), asked])
      yield* bookDay()
      yield* decide([{ ...ours, id: "t2" }])
      yield* decide([{ kind: "revoke", decision: 4, words: "it was ours" }])
      yield* decide([{ kind: "revoke", decision: 1, words: "it was another one" }])
      assert.include((yield* close()).body, { number: 7, proposed: 1 })
    })))

  it.live("an approval keeps a period open until it is reconciled again, and so does the revocation of what was approved", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      yield* decide([asked])
      yield* decide([yield* link("near", ["t1"])])
      yield* approve(3)
      assert.include(yield* refusal(), "may be otherwise by now")
      yield* bookDay()
      yield* decide([{ kind: "revoke", decision: 3, words: "it was another one" }])
      yield* approve(6)
      assert.include(yield* refusal(), "may be otherwise by now")
    })))

  it.live("what is approved after the close settles what was carried, and breaks what had matched", () =>
    test(Effect.gen(function*() {
      yield* deposits(paired.insertTime, [paired])
      yield* transfers(mate.timestamp, [mate])
      yield* bookDay()
      yield* decide([asked])
      yield* decide([yield* link("near", ["t1"]), ours, { ...ours, side: "deposit", id: yield* idOf("pair") }])
      assert.include((yield* close()).body, { number: 6, proposed: 3 })
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [])
      yield* approve(3)
      yield* approve(4)
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (decision 9)",
        "broken transfer ETH: matched exact 5 -> out excluded 5 (decision 9)",
        "settled deposit USDT: open missing-transfer 1.5 -> decided linked 1.5",
        "settled transfer USDT: open missing-deposit 1.4 -> decided linked 1.4"
      ])
    })))
})
