import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as Entry from "../src/Entry.ts"
import * as Explanation from "../src/Explanation.ts"
import * as Because from "../src/internal/explain/Because.ts"
import * as Moments from "../src/internal/explain/Moments.ts"
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
      const { reason } = Note.explain({ side: "transfer", id: "t3", because: withFee(facts) }, Moments.make())
      assert.isNotEmpty(reason)
      assert.notMatch(reason, /\[object/)
    })
  }

  it("add each doubt to the sentence, what could not be used last", () => {
    const explain = (code: Outcome.Code, doubts: ReadonlyArray<Because.Doubt>): string =>
      Explanation.explain(told({ code: "same-account-alone", doubts }, code)).explanation
    const plain =
      "Moved 0.5 USDT too much: 5 arrived on 1 Jan 2027 00:00 UTC, 5 was moved at the same moment. The policy does not allow " +
      "this difference. Both belong to the same account, and nothing else fits."
    assert.strictEqual(explain("amount-mismatch", []), plain)
    assert.strictEqual(
      explain("amount-mismatch", [
        "in-another-outcome",
        "counterpart-in-dispute",
        "unusable-deposits",
        "unusable-transfers"
      ]),
      `${plain} An entry of another item may belong here instead (see the candidates). An equal entry in dispute may be the ` +
        "counterpart instead (see the candidates). Some deposit and transfer records could not be used, and with them it may " +
        "be otherwise."
    )
  })

  it("do not claim of a missing entry that everything was read where records could not be used", () => {
    const explain = (doubts: ReadonlyArray<Because.Doubt>): string => {
      const window = { from: Date.UTC(2026, 11, 31), to: Date.UTC(2027, 0, 1, 1) }
      const because = { code: "no-counterpart", taken: false, window, to: "master", doubts } as const
      return Explanation.explain({ ...told(because, "missing-transfer"), transfers: [] }).explanation
    }
    assert.strictEqual(
      explain([]),
      "5 USDT arrived on 1 Jan 2027 00:00 UTC, but no transfer to master that fits it was made by 01:00."
    )
    assert.strictEqual(
      explain(["unusable-transfers"]),
      "5 USDT arrived on 1 Jan 2027 00:00 UTC, but no transfer to master that fits it was made by 01:00, as far as the records could be " +
        "used. Some transfer records could not be used, and what is missing may be among them."
    )
  })

  it("are facts that survive JSON", () => {
    const json = Schema.fromJsonString(Because.Because)
    const facts: Because.Because = { code: "sum", sum: "10", amounts: "equal", everything: true, among: 3 }
    assert.deepStrictEqual(Schema.decodeSync(json)(Schema.encodeSync(json)(facts)), facts)
  })
})
