import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "../src/Accounts.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Report from "../src/Report.ts"
import * as Run from "./support/WordsOnly.ts"

const { deposit, outcomes, transfer } = Run

const tolerance = { absolute: "0.5" } as const

const only = (input: Run.Input): Outcome.Outcome => {
  const { outcomes } = Run.match(input)
  assert.strictEqual(outcomes.length, 1, Run.summary(outcomes).join())
  return outcomes[0]!
}

const candidatesOf = ({ candidates }: Outcome.Outcome): ReadonlyArray<string> =>
  candidates.map(({ id, reason }) => `${id}: ${reason}`)

describe("amounts that differ", () => {
  const two: Run.Input = {
    deposits: [deposit("d1", 0, { amount: "10" })],
    transfers: [transfer("t1", 20, { amount: "10.4" }), transfer("t2", 25, { amount: "10.01" })],
    policy: { tolerance }
  }

  it("decide nothing, however much more one of them differs", () => {
    assert.include(only(two), { code: "ambiguous", matchedCount: 1, openCount: 1, residual: null })
  })

  it("say what times do not decide where one candidate differs least and another is nearest in time", () => {
    const found = only({
      deposits: [deposit("d1", 0, { amount: "100" })],
      transfers: [transfer("t1", 1, { amount: "100.41" }), transfer("t2", 50, { amount: "100.4" })],
      policy: { tolerance }
    })
    assert.strictEqual(found.code, "ambiguous")
    assert.include(found.explanation, "neither amounts nor times tell which")
  })

  it("leave candidates in order of their residuals, nearer ones first among equal residuals", () => {
    assert.deepStrictEqual(candidatesOf(only(two)), [
      "t2: It fits deposit d1, off by 0.01, and came 25 min later.",
      "t1: It fits deposit d1, off by 0.4, and came 20 min later."
    ])
    const more = [["t3", 30, "9.99"], ["t4", 21, "9.99"]] as const
    assert.deepStrictEqual(
      candidatesOf(only({
        ...two,
        transfers: more.map(([id, minutes, amount]) => transfer(id, minutes, { amount })).concat(two.transfers ?? [])
      })).map((text) => text.slice(0, 2)),
      // Each entry is named with its three nearest; `t1` has but one.
      ["t4", "t2", "t3", "t1"]
    )
  })

  it("leave of many candidates the three that differ least of each entry", () => {
    const four = [0, 1, 2, 3]
    const found = only({
      deposits: four.map((index) => deposit(`d${index}`, 0, { amount: `10.${index}` })),
      transfers: four.map((index) => transfer(`t${index}`, 20, { amount: `10.${index}4` })),
      policy: { tolerance }
    })
    const pairs = found.candidates.map(({ id, reason }) => `${reason.match(/deposit (\w+)/)?.[1]} ${id}`)
    assert.strictEqual(pairs.length, 14)
    // Each of the two is the fourth of both its entries.
    assert.notInclude(pairs, "d0 t3")
    assert.notInclude(pairs, "d3 t0")
  })

  it("leave the entries in doubt from which time took their candidate, and name it in the same order", () => {
    const found = Run.match({
      deposits: [
        deposit("d1", 0, { amount: "10" }),
        deposit("d2", 40, { amount: "10.3" }),
        deposit("d3", 50, { amount: "10.2" })
      ],
      transfers: [transfer("t1", 1, { amount: "10.01" })],
      policy: { tolerance, window: { before: "1 hour" } }
    }).outcomes
    assert.deepStrictEqual(Run.summary(found), ["ambiguous d2", "ambiguous d3", "tolerant d1 t1"])
    const left = Run.match({
      deposits: [deposit("d1", 0, { amount: "10" }), deposit("d2", 200, { amount: "10" })],
      transfers: [
        transfer("t1", 1, { amount: "10.2" }),
        transfer("t2", 201, { amount: "10.1" }),
        transfer("t3", 90, { amount: "10.3" })
      ],
      policy: { tolerance, window: { before: "2 hours", after: "2 hours" } }
    }).outcomes.find(({ code }) => code === "ambiguous")
    assert.deepStrictEqual(
      left?.candidates.map(({ id, reason }) => `${id}: ${reason}`),
      [
        "d2: It fits as well, but belongs to transfer t2.",
        "d1: It fits as well, but belongs to transfer t1."
      ].toSorted()
    )
  })

  it("are stated where every entry can only be paired in this way", () => {
    const input: Run.Input = { ...two, deposits: [...two.deposits ?? [], deposit("d2", 70, { amount: "10.4" })] }
    // The deposit comes 45 and 50 min after the transfers, so that it is no candidate of either; then it is of one.
    assert.deepStrictEqual(outcomes(input), ["ambiguous d1 t1 t2", "missing-transfer d2"])
    assert.deepStrictEqual(
      outcomes({ ...input, policy: { tolerance, window: { before: "46 minutes", after: "1 hour" } } }),
      [
        "tolerant d1 t1",
        "tolerant d2 t2"
      ]
    )
  })

  it("are decided by time alone only where amounts do not speak against it", () => {
    const of = (amount: string) =>
      outcomes({ ...two, transfers: [transfer("t1", 1, { amount }), transfer("t2", 25, { amount: "10.1" })] })
    assert.deepStrictEqual(of("10.05"), ["ambiguous t2", "tolerant d1 t1"])
    assert.deepStrictEqual(of("10.2"), ["ambiguous d1 t1 t2"])
  })

  it("are decided by time as equal amounts would be", () => {
    // As if all were equal, crossing is nearer in sum: 21 + 21 minutes against 10 + 52.
    const crossing: Run.Input = {
      deposits: [deposit("d1", 0, { amount: "10" }), deposit("d2", 31, { amount: "10.2" })],
      transfers: [transfer("t1", 10, { amount: "10.01" }), transfer("t2", -21, { amount: "10.21" })],
      policy: { tolerance, window: { before: "1 hour", after: "1 hour" } }
    }
    assert.deepStrictEqual(outcomes(crossing), ["ambiguous d1 d2 t2 t1"])
  })
})

describe("an amount that is exactly what a fee leaves", () => {
  const fees: Policy.Policy = { fees: [{ flat: "1" }], tolerance }
  const input: Run.Input = {
    deposits: [deposit("d1", 0, { amount: "10" })],
    transfers: [transfer("t1", 20, { amount: "9" }), transfer("t2", 10, { amount: "9.01" })],
    policy: fees
  }

  it("is taken before one that differs, as equal amounts are", () => {
    const found = Run.match(input).outcomes
    // That it is the transfer of something else is likely, and not known.
    assert.deepStrictEqual(Run.summary(found), ["ambiguous t2", "fee d1 t1"])
    const fee = found.find(({ code }) => code === "fee")
    assert.include(fee, { residual: "0", decidedBy: "amount" })
    assert.include(
      fee?.explanation,
      "exactly what was expected. Every way to pair as many entries as possible without a difference pairs these two."
    )
    assert.deepStrictEqual(fee?.candidates, [
      {
        side: "transfer",
        id: "t2",
        reason: "It is off by 0.01 and 10 min away; the other one is off by 0 and 20 min away."
      }
    ])
  })

  it("is decided by time among its like, against every candidate", () => {
    const of = (minutes: number, other: number) =>
      Run.match({
        ...input,
        transfers: [
          transfer("t1", 20, { amount: "9" }),
          transfer("t2", other, { amount: "9.01" }),
          transfer("t3", minutes, { amount: "9" })
        ]
      }).outcomes
    const found = of(50, 45)
    assert.deepStrictEqual(Run.summary(found).filter((line) => line.startsWith("fee")), ["fee d1 t1"])
    const fee = found.find(({ code }) => code === "fee")
    assert.strictEqual(fee?.decidedBy, "time")
    assert.include(fee?.explanation, "Others without a difference are much further away in time.")
    for (const outcomes of [of(40, 45), of(50, 40), of(50, 10)]) {
      assert.deepStrictEqual(outcomes.map(({ code }) => code), ["ambiguous"])
    }
  })

  it("is not stated where more entries could be paired without it", () => {
    const more = [...input.deposits ?? [], deposit("d2", 15, { amount: "10.4" })]
    // Of deposit d2 only transfer t1 is a candidate, so that both can be paired only if d1 belongs to t2.
    assert.deepStrictEqual(outcomes({ ...input, deposits: more, policy: { ...fees, window: { before: 0 } } }), [
      "fee d1 t2",
      "fee d2 t1"
    ])
  })
})

describe("a residual that the policy takes for noise", () => {
  const of = (residual: string, ...amounts: ReadonlyArray<string>) =>
    Run.match({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: amounts.map((amount, index) => transfer(`t${index + 1}`, 20 + index, { amount })),
      policy: { tolerance, ambiguity: { residual } }
    }).outcomes

  it("states the pair when it is below the size, and that of no rival is", () => {
    const found = of("0.02", "10.01", "10.02")
    assert.deepStrictEqual(Run.summary(found), ["ambiguous t2", "tolerant d1 t1"])
    const stated = found.find(({ code }) => code === "tolerant")
    assert.include(stated, { decidedBy: "amount", residual: "0.01" })
    assert.include(stated?.explanation, "The policy takes this difference for noise, and that of no other candidate.")
    assert.include(found.find(({ code }) => code === "ambiguous")?.explanation, "nearer in time or amount")
  })

  it("states nothing at the size, nor against another that is below it", () => {
    assert.deepStrictEqual(Run.summary(of("0.01", "10.01", "10.02")), ["ambiguous d1 t1 t2"])
    assert.deepStrictEqual(Run.summary(of("0.03", "10.01", "10.02")), ["ambiguous d1 t1 t2"])
    assert.deepStrictEqual(Run.summary(of("0.03", "10.01", "9.99")), ["ambiguous d1 t1 t2"])
  })

  it("states nothing against an equal residual, though another rule calls only one of them noise", () => {
    const network = (name: string, residual: string) => ({ asset: "BTC", network: name, ambiguity: { residual } })
    const found = outcomes({
      deposits: [deposit("d1", 0, { amount: "10", network: "A" }), deposit("d2", 1, { amount: "10.02", network: "B" })],
      transfers: [transfer("t1", 20, { amount: "10.01" })],
      policy: { tolerance, per: [network("A", "0.02"), network("B", "0.005")] }
    })
    assert.deepStrictEqual(found, ["ambiguous d1 d2 t1"])
  })
})

describe("entries of one reference whose amounts differ", () => {
  const x = { reference: "x" }
  const of = (policy: Policy.Policy, ...amounts: ReadonlyArray<string>) =>
    outcomes({
      deposits: [deposit("d1", 0, { ...x, amount: "10" })],
      transfers: amounts.map((amount, index) => transfer(`t${index + 1}`, 5 + index, { ...x, amount })),
      policy: { tolerance, ...policy }
    })

  it("are not told apart by which differs less", () => {
    assert.deepStrictEqual(of({}, "10.01", "10.4"), ["duplicate-suspect d1 t1 t2"])
    assert.deepStrictEqual(of({ ambiguity: { residual: "0.02" } }, "10.01", "10.4"), [
      "missing-deposit t2",
      "reference d1 t1"
    ])
  })

  it("are not told apart where another pairing differs as little, whatever the times", () => {
    const found = outcomes({
      deposits: [deposit("d1", 0, { ...x, amount: "10" }), deposit("d2", 40, { ...x, amount: "9" })],
      transfers: [transfer("t1", 1, { ...x, amount: "10" }), transfer("t2", 41, { ...x, amount: "11" })],
      policy: { tolerance: { absolute: "2" }, window: { before: "1 hour" } }
    })
    assert.deepStrictEqual(found, ["duplicate-suspect d1 d2 t1 t2"])
  })

  it("are told apart where one of them is equal", () => {
    assert.deepStrictEqual(of({}, "10", "10.4"), ["missing-deposit t2", "reference d1 t1"])
    assert.deepStrictEqual(of({ fees: [{ flat: "1" }] }, "9", "10.4"), ["missing-deposit t2", "reference d1 t1"])
    assert.deepStrictEqual(of({ fees: [{ flat: "1" }] }, "9", "10"), ["duplicate-suspect d1 t1 t2"])
  })
})

describe("the scope of a report", () => {
  const report = (policy: Policy.Policy): Report.Report => {
    const input: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5)], policy }
    return Report.make({
      policy: Run.policy(policy),
      accounts: Accounts.none,
      coverage: Run.complete,
      warnings: [],
      outcomes: Run.match(input).outcomes
    })
  }
  const says = "is forced among the candidates: a counterpart outside the window or the tolerance"

  it("says what forced can mean when a tolerance is on, for all assets or for one", () => {
    assert.notInclude(report({}).meaning, "forced")
    assert.include(report({ tolerance }).meaning, says)
    assert.include(report({ per: [{ asset: "BTC", tolerance: { relative: "0.001" } }] }).meaning, says)
  })

  it("says so where only a fee lets amounts differ", () => {
    assert.include(
      report({ fees: [{ flat: "1" }] }).meaning,
      "is forced among the candidates: a counterpart outside the window or what a fee leaves"
    )
  })
})

describe("a pair of equal amounts", () => {
  const grouping = { manyToOne: false, oneToMany: false } as const
  const fees = [{ flat: "1" }] as const

  it("is no proof where a fee explains another pair as exactly", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { amount: "100" }), deposit("d2", 1, { amount: "99" })],
      transfers: [transfer("t1", 20, { amount: "99" })],
      policy: { fees }
    }
    const found = only(input)
    assert.include(found, { code: "ambiguous", matchedCount: 1, openCount: 1, residual: null })
    assert.deepStrictEqual(candidatesOf(found), [
      "t1: It fits deposit d2, off by 0, and came 19 min later.",
      "t1: It fits deposit d1, off by 0, and came 20 min later."
    ])
    assert.deepStrictEqual(outcomes({ ...input, policy: {} }), ["exact d2 t1", "missing-transfer d1"])
  })

  it("is stated under a fee where it is forced, or time decides against every candidate, and leaves the other in doubt", () => {
    const deposits = [deposit("d1", 0, { amount: "100" }), deposit("d2", 40, { amount: "99" })]
    const t1 = transfer("t1", 45, { amount: "99" })
    const byTime = Run.match({ deposits, transfers: [t1], policy: { fees } }).outcomes
    assert.deepStrictEqual(Run.summary(byTime), ["ambiguous d1", "exact d2 t1"])
    assert.include(byTime.find(({ code }) => code === "exact"), { decidedBy: "time", residual: "0" })
    const forced = Run.match({ deposits, transfers: [t1, transfer("t2", 30, { amount: "100" })], policy: { fees } })
    assert.deepStrictEqual(
      forced.outcomes.map(({ code, decidedBy }) => [code, decidedBy]),
      [["exact", "forced"], ["exact", "forced"]]
    )
  })

  it("gives way under a tolerance where more entries can be paired without it", () => {
    const found = Run.match({
      deposits: [deposit("d1", 0, { amount: "100" }), deposit("d2", 25, { amount: "99.8" })],
      transfers: [transfer("t1", 30, { amount: "100" }), transfer("t2", 1, { amount: "100.3" })],
      policy: { tolerance }
    }).outcomes
    assert.deepStrictEqual(Run.summary(found), ["tolerant d1 t2", "tolerant d2 t1"])
    assert.deepStrictEqual(found.map(({ decidedBy }) => decidedBy), ["forced", "forced"])
  })

  it("is no proof under a tolerance, unless the policy takes smaller residuals for noise", () => {
    const of = (residual: string) =>
      Run.match({
        deposits: [deposit("d1", 0, { amount: "10" })],
        transfers: [transfer("t1", 20, { amount: "10" }), transfer("t2", 21, { amount: "10.1" })],
        policy: { tolerance, ambiguity: { residual } }
      }).outcomes
    assert.deepStrictEqual(Run.summary(of("0")), ["ambiguous d1 t1 t2"])
    assert.deepStrictEqual(Run.summary(of("0.01")), ["ambiguous t2", "exact d1 t1"])
    assert.include(of("0.01").find(({ code }) => code === "exact"), { decidedBy: "amount" })
  })

  it("is decided by time only against every candidate within the tolerance", () => {
    const of = (tolerance: string, other: number) =>
      Run.summary(
        Run.match({
          deposits: [deposit("d1", 0, { amount: "10" })],
          transfers: [
            transfer("t1", 10, { amount: "10" }),
            transfer("t2", 50, { amount: "10" }),
            transfer("t3", other, { amount: "10.1" })
          ],
          policy: { tolerance: { absolute: tolerance }, grouping }
        }).outcomes
      )
    assert.deepStrictEqual(of("0", 15), ["duplicate-suspect t2", "exact d1 t1", "missing-deposit t3"])
    assert.deepStrictEqual(of("0.5", 45), ["ambiguous t3", "duplicate-suspect t2", "exact d1 t1"])
    assert.deepStrictEqual(of("0.5", 20), ["ambiguous d1 t1 t3 t2"])
  })

  it("is as it is without a tolerance where nothing unlike competes with it", () => {
    const books: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", 1), deposit("d3", 5, { amount: "7" }), deposit("d4", 200)],
      transfers: [transfer("t1", 10), transfer("t2", 11), transfer("t3", 9, { amount: "7" })]
    }
    assert.deepStrictEqual(
      Run.match({ ...books, policy: { tolerance } }).outcomes,
      Run.match(books).outcomes
    )
  })
})
