/** The examples in docs/outcomes, with their numbers: what a page says of them is what the engine says. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Run from "./support/Run.ts"

const { HOUR, MINUTE, T0, deposit, transfer } = Run

const said = (input: Run.Input): ReadonlyArray<string> => Run.summary(Run.match(input).outcomes).toSorted()

const of = (amount: string, fields: Parameters<typeof deposit>[2] = {}) => ({ amount, ...fields })

/** Both sides were read up to so many minutes after T0, and the rest is still to come. */
const until = (deposits: number, transfers = deposits): ReadonlyArray<Coverage.Coverage> =>
  Run.complete.map((coverage) => {
    const to = T0 + (coverage.operation === "deposits" ? deposits : transfers) * MINUTE
    return { ...coverage, to, readAt: to }
  })

describe("docs/outcomes/matched.md", () => {
  it("amounts tell entries of one reference apart, and times do not", () => {
    const reference = "r"
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100", { reference })), deposit("d2", 1, of("40", { reference }))],
        transfers: [transfer("t1", 5, of("40", { reference })), transfer("t2", 6, of("100", { reference }))]
      }),
      ["reference d1 t2", "reference d2 t1"]
    )
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100", { reference })), deposit("d2", 1, of("100", { reference }))],
        transfers: [transfer("t1", 5, of("100", { reference })), transfer("t2", 6, of("100", { reference }))]
      }),
      ["duplicate-suspect d1 d2 t1 t2"]
    )
  })

  it("a pair is forced where every pairing with as many pairs contains it", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, of("100")), deposit("d2", 30, of("100"))],
      transfers: [transfer("t1", 10, of("100")), transfer("t2", 40, of("100"))]
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["exact d1 t1", "exact d2 t2"])
    assert.isTrue(outcomes.every(({ decidedBy }) => decidedBy === "forced"))
  })

  it("time decides for the nearer deposit, and the other one is ambiguous, or a suspected duplicate if it is a twin", () => {
    const deposits = (one: string, other: string) => [
      deposit("d1", 0, of("100", { address: one })),
      deposit("d2", 25, of("100", { address: other }))
    ]
    const transfers = [transfer("t1", 30, of("100"))]
    const { outcomes } = Run.match({ deposits: deposits("x", "y"), transfers })
    assert.deepStrictEqual(outcomes.map(({ code }) => code), ["ambiguous", "exact"])
    assert.deepInclude(outcomes[1], { decidedBy: "time" })
    assert.deepStrictEqual(outcomes[1]?.candidates.map(({ id }) => id), ["d1"])
    assert.deepStrictEqual(said({ deposits: deposits("x", "x"), transfers }), ["duplicate-suspect d1", "exact d2 t1"])
    assert.deepStrictEqual(
      said({ policy: { ambiguity: "assign" }, deposits: deposits("x", "y"), transfers }),
      ["exact d2 t1", "missing-transfer d1"]
    )
  })

  it("neither the smaller difference nor the nearer time decides under a tolerance", () => {
    assert.deepStrictEqual(
      said({
        policy: { tolerance: { absolute: "0.5" } },
        deposits: [deposit("d1", 0, of("100"))],
        transfers: [transfer("t1", 40, of("100")), transfer("t2", 5, of("99.8"))]
      }),
      ["ambiguous d1 t2 t1"]
    )
  })

  it("what a fee leaves exactly decides against what it does not explain", () => {
    const { outcomes } = Run.match({
      policy: { tolerance: { absolute: "0.5" }, fees: [{ flat: "1" }] },
      deposits: [deposit("d1", 0, of("100"))],
      transfers: [transfer("t1", 5, of("99")), transfer("t2", 6, of("98.8"))]
    })
    assert.deepStrictEqual(outcomes.map(({ code }) => code), ["fee", "ambiguous"])
    assert.deepInclude(outcomes[0], { decidedBy: "amount", residual: "0" })
  })

  it("all open candidates whose sum is expected are a group", () => {
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("3.1")), deposit("d2", 5, of("4.4"))],
        transfers: [transfer("t1", 20, of("7.5"))]
      }),
      ["grouped d1 d2 t1"]
    )
    assert.deepStrictEqual(
      said({
        policy: { fees: [{ flat: "1" }] },
        deposits: [deposit("d1", 0, of("100"))],
        transfers: [transfer("t1", 5, of("60")), transfer("t2", 6, of("38"))]
      }),
      ["grouped d1 t1 t2"]
    )
  })

  it("equal entries that come out even are a balanced class", () => {
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100")), deposit("d2", 5, of("100"))],
        transfers: [transfer("t1", 10, of("100")), transfer("t2", 15, of("100"))]
      }),
      ["class-balanced d1 d2 t1 t2"]
    )
  })
})

describe("docs/outcomes/missing.md", () => {
  it("a near miss is named, and is no match", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, of("100"))],
      transfers: [transfer("t1", 5, of("93"))]
    })
    assert.deepStrictEqual(outcomes.map(({ code }) => code), ["missing-transfer", "missing-deposit"])
    const reasons = (transfers: ReadonlyArray<string>, deposits: ReadonlyArray<string> = []): ReadonlyArray<string> =>
      Run.match({
        deposits: ["100", ...deposits].map((amount, index) => deposit(`d${index}`, index, of(amount))),
        transfers: transfers.map((amount, index) => transfer(`t${index}`, 5 + index, of(amount)))
      }).outcomes.find(({ code }) => code === "missing-transfer")?.candidates.map(({ reason }) => reason) ?? []
    assert.deepStrictEqual(reasons(["93"]), ["It is the only open one in the window, but the amounts differ by 7."])
    assert.deepStrictEqual(reasons(["60"]), ["It is the only open one in the window, but the amounts differ by 40."])
    assert.deepStrictEqual(reasons(["93"], ["300"]), ["It is in the window, but the amounts differ by 7."])
    assert.deepStrictEqual(reasons(["60"], ["300"]), [])
  })

  it("of one account, a difference of at most a tenth is a mismatch", () => {
    const account = "a"
    const pair = (amount: string) =>
      said({
        deposits: [deposit("d1", 0, of("100", { account }))],
        transfers: [transfer("t1", 5, of(amount, { account }))]
      })
    assert.deepStrictEqual(pair("97"), ["amount-mismatch d1 t1"])
    assert.deepStrictEqual(pair("88"), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("a lone transfer after the window is late, and two deposits for it are ambiguous", () => {
    const late = transfer("t1", 180, of("100"))
    const first = deposit("d1", 0, of("100"))
    assert.deepStrictEqual(said({ deposits: [first], transfers: [late] }), ["late d1 t1"])
    assert.deepStrictEqual(
      said({ deposits: [first, deposit("d2", 30, of("100"))], transfers: [late] }),
      ["ambiguous d1 d2 t1"]
    )
  })

  it("one reference is late before amounts are compared", () => {
    const reference = "r"
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100", { reference }))],
        transfers: [transfer("t1", 10, of("100")), transfer("t2", 180, of("100", { reference }))]
      }),
      ["late d1 t2", "missing-deposit t1"]
    )
  })

  it("parts that fall short say by how much", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, of("10"))],
      transfers: [transfer("t1", 5, of("4")), transfer("t2", 6, of("5"))]
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["split-incomplete d1 t1 t2"])
    assert.deepInclude(outcomes[0], { openSum: "1" })
  })

  it("one reference is a mismatch whatever the difference, and says nothing beyond the horizon", () => {
    const reference = "r"
    const pair = (minutes: number, amount: string) =>
      said({
        deposits: [deposit("d1", 0, of("100", { reference }))],
        transfers: [transfer("t1", minutes, of(amount, { reference }))]
      })
    assert.deepStrictEqual(pair(10, "20"), ["amount-mismatch d1 t1"])
    assert.deepStrictEqual(pair(25 * 60, "100"), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("the only other missing entry is named up to twice the horizon away", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, of("100"))],
      transfers: [transfer("t1", 25 * 60 + 30, of("100"))]
    })
    assert.deepStrictEqual(
      outcomes.map(({ candidates, code }) => ({ code, reasons: candidates.map(({ reason }) => reason) })),
      [
        {
          code: "missing-transfer",
          reasons: ["It is equal, but 1 d 1 h later, which is beyond what the policy takes for late or early."]
        },
        {
          code: "missing-deposit",
          reasons: ["It is equal, but 1 d 1 h earlier, which is beyond what the policy takes for late or early."]
        }
      ]
    )
  })

  it("a failed transfer is the attempt of all deposits that it may have been for, unless another try is under way", () => {
    const failed = transfer("t1", 10, of("100", { status: "failed" }))
    const deposits = [deposit("d1", 0, of("100")), deposit("d2", 5, of("100"))]
    assert.deepStrictEqual(said({ deposits, transfers: [failed] }), ["failed-attempt d1 d2 t1"])
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100"))],
        transfers: [failed, transfer("t2", 20, of("100", { status: "pending" }))]
      }),
      ["not-settled t1", "unconfirmed d1 t2"]
    )
    assert.deepStrictEqual(
      said({ deposits: [deposit("d1", 0, of("100"))], transfers: [failed, transfer("t2", 180, of("100"))] }),
      ["late d1 t2", "not-settled t1"]
    )
  })

  it("the wrong direction and the wrong account go before a transfer that is late", () => {
    const accounts = { list: ["a", "b"], complete: true }
    const late = transfer("t2", 180, of("100", { from: "a", to: "master" }))
    const deposits = [deposit("d1", 0, of("100", { account: "a" }))]
    const first = (from: string, to: string) => {
      const { outcomes } = Run.match({
        accounts,
        deposits,
        transfers: [transfer("t1", 5, of("100", { from, to })), late]
      })
      assert.deepStrictEqual(outcomes[1]?.candidates.map(({ id }) => id), ["d1"])
      return Run.summary(outcomes)
    }
    assert.deepStrictEqual(first("master", "a"), ["missing-deposit t2", "wrong-direction d1 t1"])
    assert.deepStrictEqual(first("b", "master"), ["account-mismatch d1 t1", "missing-deposit t2"])
  })

  it("names of assets look alike by case, by a network set off by a mark, and by a token standard", () => {
    const pair = (one: string, other: string) =>
      said({
        deposits: [deposit("d1", 0, of("100", { asset: one }))],
        transfers: [transfer("t1", 5, of("100", { asset: other }))]
      })
    for (const [one, other] of [["usdt", "USDT"], ["USDT", "USDT-TRX"], ["TRX_USDT", "USDT"], ["USDT", "USDTERC20"]]) {
      assert.deepStrictEqual(pair(one ?? "", other ?? ""), ["asset-mismatch d1 t1"])
    }
    assert.deepStrictEqual(pair("ST", "STETH"), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("a transfer back cancels the latest one before it", () => {
    const forth = { from: "a", to: "master" }
    const back = { from: "master", to: "a" }
    assert.deepStrictEqual(
      said({
        accounts: { list: ["a"], complete: true },
        deposits: [deposit("d1", 0, of("100", { account: "a" }))],
        transfers: [
          transfer("t1", 1, of("100", forth)),
          transfer("t2", 10, of("100", forth)),
          transfer("t3", 20, of("100", back))
        ]
      }),
      ["exact d1 t1", "reversed t2 t3"]
    )
  })
})

describe("docs/outcomes/undecided.md", () => {
  it("a class that is short says how much, and not which", () => {
    const { outcomes } = Run.match({
      deposits: [0, 5, 10].map((minutes) => deposit(`d${minutes}`, minutes, of("100"))),
      transfers: [15, 20].map((minutes) => transfer(`t${minutes}`, minutes, of("100")))
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["class-short d0 d5 d10 t15 t20"])
    assert.deepInclude(outcomes[0], { matchedCount: 2, openCount: 1, openSum: "100" })
  })

  it("a sum that can be made up in two ways is not stated", () => {
    assert.deepStrictEqual(
      said({
        deposits: ["1", "1.5", "2", "2.5"].map((amount, index) => deposit(`d${index}`, index, of(amount))),
        transfers: [transfer("t1", 20, of("3.5"))]
      }),
      ["d0", "d1", "d2", "d3", "t1"].map((id) => `split-ambiguous ${id}`)
    )
  })

  it("one large stray hides none of many small ones", () => {
    const codes = Run.match({
      deposits: Array.from({ length: 100 }, (_, index) => deposit(`d${index}`, index / 10, of("10"))),
      transfers: [transfer("t1", 20, of("55"))]
    }).outcomes.map(({ code }) => code)
    assert.lengthOf(codes.filter((code) => code === "missing-transfer"), 100)
  })

  it("an entry with a matched twin may be the same one told twice", () => {
    const address = "x"
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100", { address, reference: "r" })), deposit("d2", 1, of("100", { address }))],
        transfers: [transfer("t1", 10, of("100", { reference: "r" }))]
      }),
      ["duplicate-suspect d2", "reference d1 t1"]
    )
  })
})

describe("docs/outcomes/contradicted.md", () => {
  it("what would have matched a version of a conflict is missing, and names it", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0, of("100")), deposit("d2", 1, of("90"))],
      transfers: [transfer("t1", 10, of("100")), transfer("t1", 10, of("90"))]
    })
    const missing = outcomes.filter(({ code }) => code === "missing-transfer")
    assert.deepStrictEqual(missing.map(({ candidates }) => candidates.map(({ id }) => id)), [["t1"], ["t1"]])
    assert.isTrue(missing.every(({ final }) => !final))
  })
})

describe("docs/outcomes/waiting.md", () => {
  it("an entry waits for the window of another one that competes with it", () => {
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100")), deposit("d2", 50, of("100"))],
        transfers: [transfer("t1", 55, of("100"))],
        coverage: until(90)
      }),
      ["exact d2 t1", "in-flight d1"]
    )
  })

  it("one that is not settled yet may be late", () => {
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100"))],
        transfers: [transfer("t1", 180, of("100", { status: "pending" }))]
      }),
      ["unconfirmed d1", "unconfirmed t1"]
    )
  })

  it("an entry is not missing beside one of its account whose window has a gap", () => {
    const account = "a"
    const [deposits, transfers] = Run.complete
    assert.isDefined(deposits)
    assert.isDefined(transfers)
    assert.deepStrictEqual(
      said({
        deposits: [deposit("d1", 0, of("100", { account }))],
        transfers: [transfer("t1", 30, of("60", { account }))],
        coverage: [{ ...deposits, from: T0 }, { ...deposits, to: T0 - HOUR }, transfers]
      }),
      ["coverage-gap d1", "coverage-gap t1"]
    )
  })
})

describe("docs/outcomes.md", () => {
  it("a class that is one short and a late transfer of its amount are not final", () => {
    const { outcomes } = Run.match({
      deposits: [
        deposit("d1", 0, of("100", { account: "a" })),
        deposit("d2", 1, of("100", { account: "a" })),
        deposit("d3", 400, of("100", { account: "b" }))
      ],
      transfers: [transfer("t1", 10, of("100", { account: "a" })), transfer("t2", 480, of("100"))]
    })
    assert.deepStrictEqual(outcomes.map(({ code, final }) => [code, final]), [["class-short", false], ["late", false]])
  })
})
