import { assert, describe, it } from "@effect/vitest"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

describe("what time alone gave to another", () => {
  it("is in doubt rather than missing, unless the policy asks for one of several pairings", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 1, { fromType: "SPOT" }), transfer("t2", 30, { fromType: "FUTURES" })]
    }
    assert.deepStrictEqual(outcomes(input), ["ambiguous t2", "exact d1 t1"])
    assert.deepStrictEqual(outcomes({ ...input, policy: { ambiguity: "assign" } }), [
      "exact d1 t1",
      "missing-deposit t2"
    ])
  })

  it("is in doubt among unlike amounts, too, whatever they differ by", () => {
    const of = (amount: string) =>
      outcomes({
        deposits: [deposit("d1", 0, { amount: "10" })],
        transfers: [transfer("t1", 1, { amount: "10.1" }), transfer("t2", 30, { amount })],
        policy: { tolerance: { absolute: "0.2" } }
      })
    assert.deepStrictEqual(of("9.9"), ["ambiguous t2", "tolerant d1 t1"])
    assert.deepStrictEqual(of("9.89"), ["ambiguous t2", "tolerant d1 t1"])
    assert.deepStrictEqual(
      of("9.79"),
      ["missing-deposit t2", "tolerant d1 t1"],
      "beyond the tolerance it is no candidate"
    )
  })

  it("is in doubt however many of other accounts lie nearer", () => {
    const others = Array.from({ length: 40 }, (_, index) => `other${index}`)
    const beside = others.map((account) => deposit(`d${account}`, 29, { account }))
    const found = outcomes({
      deposits: [deposit("d1", 0, { account: "a" }), ...beside],
      transfers: [
        transfer("t1", 1, { account: "a", fromType: "SPOT" }),
        transfer("t2", 30, { account: "a", fromType: "FUTURES" }),
        ...others.map((account) => transfer(`t${account}`, 30, { account }))
      ]
    })
    assert.deepStrictEqual(found.filter((line) => !line.includes("other")), ["ambiguous t2", "exact d1 t1"])
  })

  it("is in doubt rather than late or early", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 1, { fromType: "SPOT" }), transfer("t2", 30, { fromType: "FUTURES" })]
    }
    const late = { ...input, deposits: [...input.deposits ?? [], deposit("d2", -90)] }
    assert.deepStrictEqual(outcomes(late), ["ambiguous d2 t2", "exact d1 t1"])
    assert.deepStrictEqual(outcomes({ ...late, policy: { ambiguity: "assign" } }), ["exact d1 t1", "late d2 t2"])
    const early = { ...input, deposits: [...input.deposits ?? [], deposit("d2", 120)] }
    assert.deepStrictEqual(outcomes(early), ["ambiguous d2 t2", "exact d1 t1"])
    const forced = {
      deposits: [deposit("d1", 0), deposit("d2", -90)],
      transfers: [transfer("t1", 1), transfer("t2", 70)]
    }
    assert.deepStrictEqual(outcomes(forced), ["exact d1 t1", "late d2 t2"])
  })

  it("is suspected to be told twice only where both went the same way", () => {
    const of = (to: string) =>
      outcomes({
        deposits: [deposit("d1", 0, { account: "a" })],
        transfers: [transfer("t1", 1, { from: "a", to: "b" }), transfer("t2", 30, { from: "a", to })],
        policy: { flows: [{ from: "*", to: "*" }] }
      })
    assert.deepStrictEqual(of("b"), ["duplicate-suspect t2", "exact d1 t1"])
    assert.deepStrictEqual(of("c"), ["ambiguous t2", "exact d1 t1"])
  })
})

describe("time between unlike amounts", () => {
  const of = (rivals: number, ...more: ReadonlyArray<readonly [amount: string, minutes: number]>) =>
    outcomes({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: [
        transfer("t1", 10, { amount: "10.1" }),
        transfer("t2", 30, { amount: "9.9" }),
        ...more.map(([amount, minutes], index) => transfer(`t${3 + index}`, minutes, { amount }))
      ],
      policy: { tolerance: { absolute: "0.2" }, ambiguity: { mode: "report", rivals } }
    })

  it("decides among as many rivals as are allowed", () => {
    assert.include(of(1), "tolerant d1 t1")
    assert.include(of(0), "ambiguous d1 t1 t2")
    assert.include(of(1, ["9.9", 40]), "ambiguous d1 t1 t2 t3")
  })

  it("decides against every candidate, whatever it differs by", () => {
    assert.include(of(5, ["10.2", 11]), "ambiguous d1 t1 t3 t2")
    assert.include(of(5, ["10.01", 11]), "ambiguous d1 t1 t3 t2")
    assert.include(of(5, ["10.2", 21]), "tolerant d1 t1")
  })

  it("decides nothing against amounts: what differs least and what is nearest have to be one", () => {
    assert.include(of(5, ["10.01", 21]), "ambiguous d1 t1 t3 t2")
  })
})

describe("what may be a counterpart", () => {
  it("is waited for by a transfer whose equal deposit is not settled yet", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0, { status: "pending" })], transfers: [transfer("t1", 5)] }
    assert.deepStrictEqual(outcomes(input), ["unconfirmed d1 t1"])
  })

  it("is named among amounts that differ by a tenth, and not beyond", () => {
    const of = (amount: string) =>
      Run.match({
        deposits: [deposit("d1", 0, { amount: "10" })],
        transfers: [transfer("t1", 5, { amount }), transfer("t2", 6, { amount: "30" })]
      }).outcomes.find(({ code }) => code === "missing-transfer")?.candidates.map(({ id }) => id)
    assert.deepStrictEqual(of("11"), ["t1"])
    assert.deepStrictEqual(of("11.01"), [])
  })

  it("is in no version of a conflict that failed", () => {
    const of = (status: "settled" | "failed") =>
      Run.match({
        deposits: [deposit("d1", 0)],
        transfers: [transfer("t1", 5, { status }), transfer("t1", 5, { amount: "2", status: "failed" })]
      }).outcomes.find(({ code }) => code === "missing-transfer")?.final
    assert.isFalse(of("settled"))
    assert.isTrue(of("failed"))
  })
})
