import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as Entry from "../src/Entry.ts"
import * as Explanation from "../src/Explanation.ts"
import * as Because from "../src/internal/explain/Because.ts"
import * as Note from "../src/internal/explain/Note.ts"
import type * as Outcome from "../src/Outcome.ts"

const entry = (side: Entry.Side, id: string): Entry.Entry => ({
  side,
  id,
  asset: "USDT",
  amount: "5",
  at: Date.UTC(2027, 0, 1),
  status: "settled"
})

const told = (because: Because.Because, code: Outcome.Code) => ({
  id: "1",
  outcome: "discrepancy" as const,
  code,
  final: true,
  deposits: [entry("deposit", "d1")],
  transfers: [entry("transfer", "t1"), entry("transfer", "t2")],
  lagMs: null,
  residual: "0.5",
  openSum: "1",
  because,
  candidates: []
})

/** Replaces the fee of facts, if they have one, by one that is written as amounts are. */
const withFee = <A extends object>(facts: A): A =>
  "fee" in facts && facts.fee !== undefined ? { ...facts, fee: { flat: "1", rate: "0.001" } } : facts

describe("explanations", () => {
  for (const member of Because.Because.members) {
    it.prop(`say one sentence, with whatever facts: ${member.fields.code.literal}`, [member], ([facts]) => {
      const { explanation } = Explanation.explain(told(withFee(facts), "ambiguous"))
      assert.match(explanation, /^(\d+ |[A-Z]).*\.$/s)
      assert.notMatch(explanation, /undefined|\[object/)
    })
  }

  for (const member of Because.Note.members) {
    it.prop(`say of a candidate why it is one: ${member.fields.code.literal}`, [member], ([facts]) => {
      const { reason } = Note.explain({ side: "transfer", id: "t3", because: withFee(facts) })
      assert.isNotEmpty(reason)
      assert.notMatch(reason, /\[object/)
    })
  }

  it("add each doubt to the sentence, what could not be used last", () => {
    const explain = (code: Outcome.Code, doubts: ReadonlyArray<Because.Doubt>): string =>
      Explanation.explain(told({ code: "same-account-alone", doubts }, code)).explanation
    const plain =
      "Transfer t1 of 5 USDT came at the same moment as deposit d1 of 5 USDT and differs by 0.5, more than the policy " +
      "allows; both belong to the same account, and neither has another candidate"
    assert.strictEqual(explain("amount-mismatch", []), `${plain}.`)
    assert.strictEqual(
      explain("amount-mismatch", [
        "in-another-outcome",
        "counterpart-in-dispute",
        "unusable-deposits",
        "unusable-transfers"
      ]),
      `${plain}; what is in another outcome may belong here instead (see the candidates); what is equal but in dispute may be ` +
        "the counterpart instead (see the candidates). Some deposit and transfer records could not be used; with them it may " +
        "be otherwise."
    )
  })

  it("do not claim of a missing entry that everything was read where records could not be used", () => {
    const explain = (doubts: ReadonlyArray<Because.Doubt>): string => {
      const because = { code: "no-counterpart", taken: false, doubts } as const
      return Explanation.explain({ ...told(because, "missing-transfer"), transfers: [] }).explanation
    }
    assert.strictEqual(explain([]), "Deposit d1 of 5 USDT has no transfer, although everything in its window was read.")
    assert.strictEqual(
      explain(["unusable-transfers"]),
      "Deposit d1 of 5 USDT has no transfer among the records that could be used; some transfer records could not be used, and " +
        "it may be among them."
    )
  })

  it("are facts that survive JSON", () => {
    const json = Schema.fromJsonString(Because.Because)
    const facts: Because.Because = { code: "sum", sum: "10", amounts: "equal", everything: true, among: 3 }
    assert.deepStrictEqual(Schema.decodeSync(json)(Schema.encodeSync(json)(facts)), facts)
  })
})
