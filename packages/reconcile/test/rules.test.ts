import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Matching from "../src/Matching.ts"
import type * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

describe("lists and identities", () => {
  it("1: members are ordered by time and then by id", () => {
    const [outcome] = Run.match({
      deposits: [deposit("b", 1), deposit("c", 0), deposit("a", 1)],
      transfers: [transfer("y", 9), transfer("x", 9), transfer("z", 9)]
    }).outcomes
    assert.deepStrictEqual(outcome?.deposits.map(({ id }) => id), ["c", "a", "b"])
    assert.deepStrictEqual(outcome?.pairs?.map(({ deposit, transfer }) => deposit + transfer), ["cx", "ay", "bz"])
  })

  it("2: what was considered and not taken is a candidate, not a member", () => {
    const [first] =
      Run.match({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { amount: "7" })] }).outcomes
    assert.deepStrictEqual(first?.transfers, [])
    assert.deepStrictEqual(first?.candidates.map(({ id, side }) => ({ id, side })), [{ id: "t1", side: "transfer" }])
  })

  it("3: outcomes are ordered by their earliest time", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("b", 500), deposit("a", 900)],
      transfers: [transfer("t", 100)],
      policy: { late: 0 }
    })
    const entries = outcomes.flatMap(({ deposits, transfers }) => deposits.concat(transfers))
    assert.deepStrictEqual(entries.map(({ id }) => id), ["t", "b", "a"])
  })
})

describe("candidates", () => {
  it("4: entries of known accounts match only within them", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 0, { account: "b" })],
      transfers: [transfer("t1", 5, { account: "b" }), transfer("t2", 5, { account: "a" })]
    }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t2", "exact d2 t1"])
  })

  it("4: an unknown account is compatible with all", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { account: "a" }), deposit("d2", 0)],
      transfers: [transfer("t1", 5, { account: "b" }), transfer("t2", 5, { account: "a" })]
    }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t2", "exact d2 t1"])
  })

  it("5: without both ends the direction is unknown and compatible", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { from: "a" })] }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t1"])
  })

  it("5: flows may name account types, and FUTURE equals FUTURES", () => {
    const policy: Policy.Policy = { flows: [{ from: "*", to: "master", types: [["SPOT", "FUTURES"]] }] }
    const moved = (toType: string): Run.Input => ({
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, { from: "a", to: "boss", fromType: "SPOT", toType })],
      accounts: { master: ["chief", "boss"], list: ["a"], complete: true },
      policy
    })
    assert.deepStrictEqual(outcomes(moved("FUTURE")), ["exact d1 t1"])
    assert.deepStrictEqual(outcomes(moved("SPOT")), ["missing-transfer d1", "out-of-flow t1"])
  })

  it("5: the star of a flow is any account but the master's, and only a listed one when the list is vouched complete", () => {
    const from = (account: string, complete: boolean): string | undefined =>
      Run.match({
        transfers: [transfer("t1", 5, { from: account, to: "master" })],
        accounts: { list: ["a"], complete }
      }).outcomes[0]?.code
    for (const complete of [true, false]) assert.strictEqual(from("", complete), "out-of-flow")
    assert.strictEqual(from("b", true), "out-of-flow")
    assert.strictEqual(from("b", false), "missing-deposit")
    assert.strictEqual(from("a", true), "missing-deposit")
  })

  it("6: both ends of the window are inclusive, and a negative bound is a least lag", () => {
    const at = (minutes: number): ReadonlyArray<string> =>
      outcomes({
        deposits: [deposit("d1", 0)],
        transfers: [transfer("t1", minutes)],
        policy: { window: { before: "-10 minutes", after: "20 minutes" }, late: 0 }
      })
    for (const minutes of [10, 20]) assert.deepStrictEqual(at(minutes), ["exact d1 t1"])
    for (const minutes of [9, 21]) assert.deepStrictEqual(at(minutes), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("6: lateness is inclusive and counts from the nearer end", () => {
    const at = (minutes: number): ReadonlyArray<string> =>
      outcomes({
        deposits: [deposit("d1", 0)],
        transfers: [transfer("t1", minutes)],
        policy: { window: { before: 0, after: "10 minutes" }, late: "5 minutes" }
      })
    assert.deepStrictEqual(at(15), ["late d1 t1"])
    assert.deepStrictEqual(at(-5), ["early d1 t1"])
    for (const minutes of [16, -6]) assert.deepStrictEqual(at(minutes), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("7: a window is closed when its end lies before the end of coverage, and open when equal", () => {
    const until = (ms: number) =>
      Run.match({
        deposits: [deposit("d1", 0)],
        coverage: Run.complete.map((coverage) => Object.assign({}, coverage, { to: Run.T0 + ms, readAt: Run.T0 + ms }))
      }).outcomes[0]?.code
    assert.strictEqual(until(Run.HOUR), "in-flight")
    assert.strictEqual(until(Run.HOUR + 1), "missing-transfer")
  })

  it("7: entries outside the range serve as candidates and get no outcome of their own", () => {
    const input: Run.Input = {
      deposits: [deposit("before", -1), deposit("alone", -500), deposit("inside", 10, { amount: "2" })],
      transfers: [transfer("t1", 1)],
      range: { from: Run.T0, to: Run.T0 + Run.DAY }
    }
    assert.deepStrictEqual(outcomes(input), ["exact before t1", "missing-transfer inside"])
  })
})

describe("amounts", () => {
  const fees: Policy.Policy = { fees: [{ flat: "0.1" }], tolerance: { absolute: "0.05" } }
  const of = (amount: string, policy: Policy.Policy = fees) =>
    Run.match({ deposits: [deposit("d1", 0, { amount: "10" })], transfers: [transfer("t1", 5, { amount })], policy })
      .outcomes

  it("8: of tolerance and fee the smaller residual counts, and the tolerance first", () => {
    assert.include(of("9.95")[0], { code: "tolerant", residual: "-0.05" })
    assert.include(of("9.94")[0], { code: "fee", residual: "0.04" })
    assert.include(of("9.85")[0], { code: "fee", residual: "-0.05" })
    assert.strictEqual(of("9.84").length, 2)
  })

  it("8: a fee that eats the whole deposit never matches", () => {
    assert.strictEqual(of("0.001", { fees: [{ flat: "10" }], tolerance: { absolute: "1", maxShare: "1" } }).length, 2)
  })

  it("9: a fee of the asset replaces the general one; two for one asset are alternatives", () => {
    const policy: Policy.Policy = { fees: [{ flat: "1" }, { asset: "BTC", flat: "2" }, { asset: "BTC", rate: "0.5" }] }
    assert.strictEqual(of("9", policy).length, 2)
    assert.include(of("8", policy)[0], { code: "fee", rule: "fee of 2" })
    assert.include(of("5", policy)[0], { code: "fee", rule: "fee of 50 %" })
  })

  it("10: an absolute tolerance never exceeds its share of the smaller amount", () => {
    const dust = (amount: string) =>
      outcomes({
        deposits: [deposit("d1", 0, { amount: "0.03" })],
        transfers: [transfer("t1", 5, { amount })],
        policy: { tolerance: { absolute: "0.05" } }
      })
    assert.deepStrictEqual(dust("0.02"), ["tolerant d1 t1"])
    assert.deepStrictEqual(dust("0.019"), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("10: a relative tolerance counts from its base, and may be strict", () => {
    const within = (base: "deposit" | "transfer" | "larger", amount: string, inclusive = true): boolean =>
      of(amount, { tolerance: { relative: "0.1", base, inclusive } }).length === 1
    assert.isTrue(within("deposit", "9"))
    assert.isFalse(within("transfer", "9"))
    assert.isTrue(within("larger", "9"))
    assert.isTrue(within("transfer", "11.1"))
    assert.isFalse(within("deposit", "11.1"))
    assert.isFalse(within("deposit", "11", false))
    assert.isTrue(within("deposit", "10.9999", false))
    assert.isTrue(within("deposit", "10", false))
  })

  it("10: an absolute tolerance may be strict", () => {
    const within = (amount: string): boolean =>
      of(amount, { tolerance: { absolute: "1", inclusive: false } }).length === 1
    assert.deepStrictEqual(["11", "10.999", "9", "9.001"].map(within), [false, true, false, true])
  })

  it("11: zero and malformed amounts are bad records and disturb nothing", () => {
    for (const amount of ["0", "0.000", "-1", "1e3", "", " 1", "1,000", "NaN"]) {
      const found = Run.match({
        deposits: [deposit("bad", 0, { amount }), deposit("d1", 0)],
        transfers: [transfer("t1", 1)]
      })
      assert.deepStrictEqual(Run.summary(found.outcomes), ["bad-record", "exact d1 t1"])
      assert.strictEqual(found.outcomes.find(({ bad }) => bad !== undefined)?.bad?.path, "amount")
    }
  })

  it("are equal however they are written, and so are assets that the policy calls equal, on every way", () => {
    const spelled = (network: object) =>
      outcomes({
        deposits: [
          deposit("d1", 0, { amount: "1.50", ...network }),
          deposit("d2", 1, { asset: "USDT-TRX", amount: "7", ...network })
        ],
        transfers: [transfer("t1", 5, { amount: "01.5" }), transfer("t2", 6, { asset: "USDT", amount: "7.0" })],
        policy: { assets: { aliases: [["USDT", "USDT-TRX"]] } }
      })
    // What names its network is no plain entry, and goes through the tiers.
    for (const network of [{}, { network: "TRX" }]) {
      assert.deepStrictEqual(spelled(network), ["exact d1 t1", "exact d2 t2"])
    }
  })

  it("may be of assets that are named like what every object has", () => {
    const input = (minAmount: Policy.Policy["minAmount"]): Run.Input => ({
      deposits: [deposit("d1", 0, { asset: "toString", amount: "7" })],
      transfers: [transfer("t1", 6, { asset: "constructor", amount: "7.0" })],
      policy: { assets: { aliases: [["toString", "constructor"]] }, ...(minAmount === undefined ? {} : { minAmount }) }
    })
    assert.deepStrictEqual(outcomes(input(undefined)), ["exact d1 t1"])
    assert.deepStrictEqual(outcomes(input({ constructor: "8" })), ["excluded d1", "excluded t1"])
  })

  it("are exact beyond what a double holds", () => {
    const long = (last: string): string => `${"9".repeat(64)}.${"0".repeat(63)}${last}`
    const input = (amount: string): Run.Input => ({
      deposits: [deposit("d1", 0, { amount: long("1") })],
      transfers: [transfer("t1", 1, { amount })],
      policy: { tolerance: { absolute: `0.${"0".repeat(63)}1` } }
    })
    assert.deepStrictEqual(outcomes(input(long("1"))), ["exact d1 t1"])
    assert.deepStrictEqual(outcomes(input(long("2"))), ["tolerant d1 t1"])
    assert.deepStrictEqual(outcomes(input(long("3"))), ["missing-deposit t1", "missing-transfer d1"])
    for (const amount of ["9007199254740991", "9007199254740992", "9007199254740993"]) {
      const seam = {
        deposits: [deposit("d1", 0, { amount: "9007199254740992" })],
        transfers: [transfer("t1", 1, { amount })]
      }
      assert.strictEqual(outcomes(seam).length, amount === "9007199254740992" ? 1 : 2)
    }
  })
})

describe("references and decisions by hand", () => {
  it("12: equal references within the horizon, but outside window or tolerance, are one discrepancy of both", () => {
    const x = { reference: "x" }
    const at = (minutes: number, amount = "1"): ReadonlyArray<string> =>
      outcomes({ deposits: [deposit("d1", 0, x)], transfers: [transfer("t1", minutes, { ...x, amount })] })
    assert.deepStrictEqual(at(1440), ["late d1 t1"])
    assert.deepStrictEqual(at(100, "77"), ["late d1 t1"])
    assert.deepStrictEqual(at(-1381), ["early d1 t1"])
    for (const minutes of [1441, -1382]) {
      assert.deepStrictEqual(at(minutes), ["missing-deposit t1", "missing-transfer d1"])
    }
    assert.deepStrictEqual(
      outcomes({
        deposits: [deposit("d1", 0, x)],
        transfers: [transfer("t1", 5, { ...x, amount: "99" }), transfer("t2", 5)]
      }),
      ["amount-mismatch d1 t1", "missing-deposit t2"]
    )
  })

  it("12: one reference on several entries that cannot be told apart is suspect, and no match", () => {
    const x = { reference: "x" }
    const input: Run.Input = {
      deposits: [deposit("d1", 0, x)],
      transfers: [transfer("t1", 5, x), transfer("t2", 50, x)]
    }
    assert.deepStrictEqual(outcomes(input), ["duplicate-suspect d1 t1 t2"])
    const apart: Run.Input = { ...input, transfers: [transfer("t1", 5, x), transfer("t2", 50, { ...x, amount: "9" })] }
    assert.deepStrictEqual(outcomes(apart), ["missing-deposit t2", "reference d1 t1"])
  })

  it("12: several equal references of which no amount fits are suspect", () => {
    const x = { reference: "x" }
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { ...x, amount: "10" })],
      transfers: [transfer("t1", 5, { ...x, amount: "5" }), transfer("t2", 6, { ...x, amount: "6" })]
    }
    assert.deepStrictEqual(outcomes(input), ["duplicate-suspect d1 t1 t2"])
  })

  it("12: an empty reference is none; `require` keeps apart what differs; `only` matches nothing else", () => {
    const pair = (left: string, right: string, reference: "require" | "only"): ReadonlyArray<string> =>
      outcomes({
        deposits: [deposit("d1", 0, { reference: left })],
        transfers: [transfer("t1", 5, { reference: right })],
        policy: { reference }
      })
    assert.deepStrictEqual(pair("", "x", "require"), ["exact d1 t1"])
    assert.deepStrictEqual(pair("y", "x", "require"), ["missing-deposit t1", "missing-transfer d1"])
    assert.deepStrictEqual(pair("", "", "only"), ["missing-deposit t1", "missing-transfer d1"])
    assert.deepStrictEqual(pair("x", "x", "only"), ["reference d1 t1"])
  })

  it("12: references that contradict are no candidates, so they exhaust no search", () => {
    const many = (make: typeof deposit, prefix: string) =>
      Array.from({ length: 20_000 }, (_, index) => make(prefix + index, 0, { reference: prefix + index }))
    const found = Run.match({
      deposits: many(deposit, "d"),
      transfers: [...many(transfer, "t"), transfer("none", 5)],
      policy: { reference: "require", late: 0 }
    }).outcomes
    const counts = new Map<string, number>()
    for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1)
    assert.deepStrictEqual(Object.fromEntries(counts), { "class-short": 1, "missing-deposit": 20_000 })
  })

  it("13: what is linked with something that is not at hand is not missing, but a gap that names it", () => {
    const links: Policy.Policy["links"] = [
      { deposits: ["d1", "d2"], transfers: ["t9"] },
      { deposits: ["d8"], transfers: ["t8"] }
    ]
    const { outcomes } = Run.match({
      deposits: [deposit("d1", 0), deposit("d3", 0)],
      transfers: [transfer("t1", 5)],
      policy: { links }
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["coverage-gap d1", "exact d3 t1"])
    assert.deepStrictEqual(outcomes.find(({ code }) => code === "coverage-gap")?.final, false)
    assert.strictEqual(
      outcomes.find(({ code }) => code === "coverage-gap")?.explanation,
      "The deposit of 1 BTC on 15 Jan 2027 08:00 UTC is linked by hand with entries that were not read or cannot be used: " +
        "deposit d2, transfer t9."
    )
  })

  it("13: an end of a link in several versions leaves the other one undetermined", () => {
    const found = Run.outcomes({
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5), transfer("t1", 5, { amount: "2" }), transfer("t2", 5)],
      policy: { links: [{ deposits: ["d1"], transfers: ["t1"] }] }
    })
    assert.deepStrictEqual(found, ["coverage-gap d1", "missing-deposit t2", "source-conflict t1 t1"])
  })

  it("13: a link never joins two assets", () => {
    const policy = Run.policy({ links: [{ deposits: ["d1"], transfers: ["t1"] }] })
    const input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 0, { asset: "ETH" })], policy }
    assert.isTrue(Result.isFailure(Matching.check(input)))
    assert.isTrue(Result.isSuccess(Matching.check({ ...input, transfers: [transfer("t1", 0)] })))
  })

  it("13: what is forbidden is matched in no tier, nor as late or as a mismatch", () => {
    const forbid = [{ deposit: "d1", transfer: "t1" }]
    const account = { account: "a" }
    for (
      const found of [
        transfer("t1", 5, account),
        transfer("t1", 70, account),
        transfer("t1", 5, { ...account, amount: "1.01" })
      ]
    ) {
      for (
        const policy of [
          { forbid },
          { forbid, tolerance: { absolute: "0.1" } },
          { forbid, reference: "ignore" } as const
        ]
      ) {
        assert.deepStrictEqual(
          outcomes({ deposits: [deposit("d1", 0, account)], transfers: [found], policy }),
          ["missing-deposit t1", "missing-transfer d1"]
        )
      }
    }
  })

  it("14: an exclusion without a side means both, and one that finds nothing is a warning", () => {
    const { outcomes, warnings } = Run.match({
      deposits: [deposit("x", 0)],
      transfers: [transfer("x", 1)],
      policy: { exclude: [{ id: "x" }, { side: "transfer", id: "gone" }] }
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["excluded x", "excluded x"])
    assert.deepStrictEqual(warnings, ["The policy excludes transfer \"gone\", which is not among the entries."])
  })
})

describe("what is left over", () => {
  it("18: the same record twice counts once, with a warning", () => {
    const { outcomes, warnings } = Run.match({
      deposits: [deposit("d1", 0), deposit("d1", 0)],
      transfers: [transfer("t1", 1)]
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["exact d1 t1"])
    assert.strictEqual(warnings.length, 1)
  })

  it("19: a failed transfer outside the window is no attempt", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 61, { status: "failed" })] }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "not-settled t1"])
  })

  it("20: with several equal candidates within the horizon nothing is called late", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0), deposit("d2", 3)], transfers: [transfer("t1", 100)] }
    assert.deepStrictEqual(outcomes(input), ["ambiguous d1 d2 t1"])
  })

  it("20: nothing is called early while the window of the deposit is open", () => {
    const found = Run.match({
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", -10)],
      coverage: Run.complete.map((coverage) =>
        Object.assign({}, coverage, { to: Run.T0 + Run.MINUTE * 30, readAt: Run.T0 + Run.MINUTE * 30 })
      )
    }).outcomes
    assert.deepStrictEqual(Run.summary(found), ["in-flight d1", "in-flight t1"])
  })

  it("21: without equal accounts or references a difference is only a candidate", () => {
    const found =
      Run.match({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { amount: "1.01" })] }).outcomes
    assert.deepStrictEqual(Run.summary(found), ["missing-deposit t1", "missing-transfer d1"])
    assert.deepStrictEqual(found.map(({ candidates }) => candidates.map(({ id }) => id)), [["t1"], ["d1"]])
  })

  it("21: two candidates in the window are none", () => {
    const a = { account: "a" }
    const input: Run.Input = {
      deposits: [deposit("d1", 0, a)],
      transfers: [transfer("t1", 5, { ...a, amount: "1.01" }), transfer("t2", 6, { ...a, amount: "1.02" })]
    }
    assert.deepStrictEqual(outcomes(input), ["missing-deposit t1", "missing-deposit t2", "missing-transfer d1"])
  })
})

describe("rules of single assets", () => {
  it("the first rule that names the asset, and the network if it names one, is in force", () => {
    const policy: Policy.Policy = {
      window: { before: 0, after: "10 minutes" },
      late: 0,
      per: [
        { asset: "BTC", network: "slow", window: { after: "3 hours" } },
        { asset: "BTC", tolerance: { absolute: "0.1" } }
      ]
    }
    const on = (network: string, minutes: number, amount: string): number =>
      outcomes({ deposits: [deposit("d1", 0, { network })], transfers: [transfer("t1", minutes, { amount })], policy })
        .length
    assert.strictEqual(on("slow", 100, "1"), 1)
    assert.strictEqual(on("fast", 100, "1"), 2)
    assert.strictEqual(on("fast", 5, "1.1"), 1)
    assert.strictEqual(on("slow", 5, "1.1"), 2)
  })
})
