import { assert, describe, it } from "@effect/vitest"
import * as Comparison from "@tallystick/cli/demo/Comparison"
import * as ComparisonText from "@tallystick/cli/demo/ComparisonText"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Truth from "@tallystick/sandbox/Truth"

const entry = (side: Entry.Side, id: string): Entry.Entry => ({
  side,
  id,
  asset: "USDT",
  amount: "1",
  at: 0,
  status: "settled"
})

const outcome = (
  kind: Outcome.Kind,
  code: Outcome.Code,
  deposits: ReadonlyArray<string>,
  transfers: ReadonlyArray<string>
): Outcome.Outcome => ({
  id: [code, ...deposits, ...transfers].join("-"),
  outcome: kind,
  code,
  final: true,
  deposits: deposits.map((id) => entry("deposit", id)),
  transfers: transfers.map((id) => entry("transfer", id)),
  lagMs: null,
  residual: null,
  explanation: "",
  candidates: []
})

const pair = (deposit: string, transfer: string): Truth.Pair => ({ deposit, transfer, stamped: false })

const planted = (kind: Truth.Kind, deposits: ReadonlyArray<string>, transfers: ReadonlyArray<string>): Truth.Break => ({
  kind,
  account: "sub00001",
  asset: "USDT",
  deposits,
  transfers,
  pairs: deposits.flatMap((deposit, index) => transfers[index] === undefined ? [] : [pair(deposit, transfers[index])]),
  groups: []
})

const truth: Truth.Truth = {
  pairs: [pair("d1", "t1"), pair("d2", "t2")],
  groups: [{ deposits: ["d7", "d8"], transfers: ["t7"] }, { deposits: ["d9"], transfers: ["t9", "t10"] }],
  breaks: [
    planted("deposit-without-transfer", ["d3"], []),
    planted("duplicate-transfer", ["d4"], ["t4", "t4b"]),
    planted("interchangeable-burst", ["d5", "d6"], ["t5", "t6"]),
    {
      ...planted("deposit-left-out", ["d11", "d12", "d13"], ["t11"]),
      pairs: [],
      groups: [{ deposits: ["d11", "d13"], transfers: ["t11"] }]
    }
  ]
}

const truthful = [
  outcome("matched", "exact", ["d1"], ["t1"]),
  outcome("matched", "reference", ["d2"], ["t2"]),
  outcome("discrepancy", "missing-transfer", ["d3"], []),
  outcome("matched", "exact", ["d4"], ["t4"]),
  outcome("discrepancy", "duplicate-suspect", [], ["t4b"]),
  outcome("matched", "class-balanced", ["d5", "d6"], ["t5", "t6"]),
  outcome("matched", "grouped", ["d8", "d7"], ["t7"]),
  outcome("matched", "grouped", ["d9"], ["t9", "t10"]),
  outcome("matched", "grouped", ["d11", "d13"], ["t11"]),
  outcome("discrepancy", "missing-transfer", ["d12"], [])
]

const differences = (outcomes: ReadonlyArray<Outcome.Outcome>) =>
  Comparison.compare(outcomes, truth).differences.map(({ what }) => what)

const instead = (index: number, ...others: ReadonlyArray<Outcome.Outcome>) => truthful.toSpliced(index, 1, ...others)

describe("the demo's comparison", () => {
  it("agrees with a report that says what was planted, and counts everything", () => {
    const comparison = Comparison.compare(truthful, truth)
    assert.isTrue(Comparison.agrees(comparison))
    assert.strictEqual(
      ComparisonText.summary(comparison),
      "planted 4 breaks, found 4, invented 0; stated 3 pairs, wrong 0; planted 2 groups, found 2, stated 3, wrong 0; " +
        "1 balanced class, wrong 0"
    )
  })

  it("does not take the right entries with another code for a find", () => {
    assert.deepStrictEqual(differences(instead(2, outcome("discrepancy", "ambiguous", ["d3"], []))), [
      "not found",
      "invented"
    ])
  })

  it("does not take the right code with other entries for a find", () => {
    const wrong = differences(instead(2, outcome("discrepancy", "missing-transfer", ["d3", "d1"], [])))
    assert.deepStrictEqual(wrong, ["not found", "invented"])
  })

  it("asks for every part of a break", () => {
    assert.deepStrictEqual(differences(truthful.toSpliced(4, 1)), ["not found"])
  })

  it("counts every other outcome that is no match as invented", () => {
    const more = (["discrepancy", "undetermined", "pending", "set-aside"] as const).map((kind, index) =>
      outcome(kind, "excluded", [`x${index}`], [])
    )
    assert.strictEqual(Comparison.compare([...truthful, ...more], truth).invented, 4)
  })

  it("looks up every pair that is stated, also where the truth knows no break", () => {
    const swapped = [
      outcome("matched", "exact", ["d1"], ["t2"]),
      outcome("matched", "exact", ["d2"], ["t1"]),
      ...truthful.slice(2)
    ]
    assert.deepStrictEqual(differences(swapped), ["wrong pair", "wrong pair"])
  })

  it("looks up the pairs inside a balanced class", () => {
    const mixed = outcome("matched", "class-balanced", ["d1", "d2"], ["t1", "t9"])
    assert.include(differences([mixed, ...truthful.slice(2)]), "wrong class")
  })

  it("takes a group for found only as a whole, and a part of it for wrong", () => {
    assert.deepStrictEqual(differences(instead(6, outcome("matched", "grouped", ["d7", "d1"], ["t7"]))), [
      "not found",
      "wrong group"
    ])
    assert.deepStrictEqual(differences(instead(7, outcome("matched", "fee", ["d9"], ["t9"]))), [
      "not found",
      "wrong pair"
    ])
  })

  it("asks for the group beside the deposit that was left out", () => {
    const all = outcome("matched", "grouped", ["d11", "d12", "d13"], ["t11"])
    assert.deepStrictEqual(differences([...truthful.slice(0, 8), all]), ["not found", "wrong group"])
  })

  it("lists every difference", () => {
    const text = ComparisonText.render(Comparison.compare([], truth), 1000)
    assert.strictEqual(text.match(/not found: /g)?.length, 6)
    assert.include(text, "deposit-without-transfer in sub00001; the report says d3: nothing")
  })
})
