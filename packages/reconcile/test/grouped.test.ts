import { assert, describe, it } from "@effect/vitest"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Report from "../src/Report.ts"
import * as Run from "./support/WordsOnly.ts"

const { deposit, outcomes, transfer } = Run

const only = (input: Run.Input): Outcome.Outcome => {
  const found = Run.match(input).outcomes
  assert.strictEqual(found.length, 1, Run.summary(found).join("; "))
  const [outcome] = found
  if (outcome === undefined) throw new Error("no outcome")
  return outcome
}

const d = (id: string, minutes: number, amount: string, fields = {}) => deposit(id, minutes, { amount, ...fields })
const t = (id: string, minutes: number, amount: string, fields = {}) => transfer(id, minutes, { amount, ...fields })

/** Coverage of both sides up to so many minutes after T0. */
const until = (minutes: number) =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

describe("tier grouped", () => {
  it("matches one transfer with all the deposits that it moved", () => {
    const outcome = only({ deposits: [d("d1", 0, "1"), d("d2", 1, "2.5")], transfers: [t("t1", 5, "3.5")] })
    assert.include(outcome, {
      code: "grouped",
      outcome: "matched",
      final: true,
      residual: "0",
      lagMs: null,
      decidedBy: "forced",
      rule: "all open in the window; equal sums"
    })
    assert.strictEqual(outcome.pairs, undefined)
    assert.strictEqual(
      outcome.explanation,
      "3.5 BTC was moved on 15 Jan 2027 08:05 UTC and gathers deposits d1 and d2, together 3.5 BTC. The amounts are equal. These are all open deposits in its window."
    )
  })

  it("matches one deposit with all the transfers that moved it", () => {
    const input = { deposits: [d("d1", 0, "6")], transfers: [t("t1", 5, "1"), t("t2", 6, "2"), t("t3", 7, "3")] }
    assert.deepStrictEqual(outcomes(input), ["grouped d1 t1 t2 t3"])
  })

  it("looks in neither direction that the policy does not ask for", () => {
    const many = { deposits: [d("d1", 0, "1"), d("d2", 1, "2")], transfers: [t("t1", 5, "3")] }
    const one = { deposits: [d("d1", 0, "3")], transfers: [t("t1", 5, "1"), t("t2", 6, "2")] }
    assert.strictEqual(outcomes({ ...many, policy: { grouping: { manyToOne: false } } }).length, 3)
    assert.strictEqual(outcomes({ ...one, policy: { grouping: { oneToMany: false } } }).length, 3)
    assert.strictEqual(outcomes({ ...many, policy: { grouping: { oneToMany: false } } }).length, 1)
  })

  it("takes the only set that covers, and leaves the others in the window alone", () => {
    const input = {
      deposits: [d("d1", 0, "1.37"), d("d2", 1, "2.51"), d("d3", 2, "7")],
      transfers: [t("t1", 5, "3.88")]
    }
    assert.deepStrictEqual(outcomes(input), ["grouped d1 d2 t1", "missing-transfer d3"])
  })

  it("takes a smaller set before a larger one", () => {
    const input = {
      deposits: [d("d1", 0, "4.113"), d("d2", 1, "5.371"), d("d3", 2, "1.032"), d("d4", 3, "3.081")],
      transfers: [t("t1", 5, "9.484")]
    }
    assert.deepStrictEqual(outcomes(input), ["grouped d1 d2 t1", "missing-transfer d3", "missing-transfer d4"])
  })

  it("sweeps more deposits than a set may have members, up to the longest run", () => {
    const deposits = Array.from({ length: 40 }, (_, index) => d(`d${index}`, index / 10, String(index + 1)))
    const input = { deposits, transfers: [t("t1", 10, "820")] }
    assert.strictEqual(only(input).deposits.length, 40)
    assert.notInclude(outcomes({ ...input, policy: { grouping: { maxRun: 39 } } }).join(), "grouped")
  })

  it("states no set where several have the fewest members, nor that one of their members is missing", () => {
    const found = Run.match({
      deposits: [d("d1", 0, "1"), d("d2", 1, "2"), d("d3", 2, "3"), d("d4", 3, "4")],
      transfers: [t("t1", 5, "5")]
    }).outcomes
    assert.deepStrictEqual(Run.summary(found), [
      "split-ambiguous d1",
      "split-ambiguous d2",
      "split-ambiguous d3",
      "split-ambiguous d4",
      "split-ambiguous t1"
    ])
    const target = found.find(({ transfers }) => transfers.length > 0)
    assert.deepStrictEqual(target?.candidates.map(({ id, reason }) => `${id}: ${reason}`).toSorted(), [
      "d1: It is one of 2 in set 2 of 2.",
      "d2: It is one of 2 in set 1 of 2.",
      "d3: It is one of 2 in set 1 of 2.",
      "d4: It is one of 2 in set 2 of 2."
    ])
    assert.include(target?.explanation, "in at least 2 ways")
    assert.deepStrictEqual(
      found.filter(({ deposits }) => deposits.length > 0).map(({ candidates }) => candidates.map(({ id }) => id)),
      [["t1"], ["t1"], ["t1"], ["t1"]]
    )
  })

  it("15: groups that share a member are both ambiguous", () => {
    const input = {
      deposits: [d("d1", 0, "1"), d("d2", 50, "2"), d("d3", 100, "4")],
      transfers: [t("t1", 55, "3"), t("t2", 105, "6")]
    }
    assert.deepStrictEqual(outcomes(input), [
      "split-ambiguous d1",
      "split-ambiguous d2",
      "split-ambiguous d3",
      "split-ambiguous t1",
      "split-ambiguous t2"
    ])
  })

  it("15: what one group takes may leave another with its only set", () => {
    const input = {
      deposits: [
        d("d1", 0, "1.001"),
        d("d2", 1, "2.003"),
        d("d3", 60, "5.007"),
        d("d4", 61, "3.002"),
        d("d5", 62, "6.006")
      ],
      transfers: [t("t1", 20, "3.004"), t("t2", 61, "8.009")]
    }
    assert.deepStrictEqual(outcomes(input), ["grouped d1 d2 t1", "grouped d3 d4 t2", "missing-transfer d5"])
  })

  it("an entry that is a member of one group and the target of another belongs to neither", () => {
    const input = {
      deposits: [d("d1", 0, "5.007"), d("d2", 1, "4.011")],
      transfers: [t("t1", 5, "2.003"), t("t2", 6, "3.004"), t("t3", 30, "9.018")]
    }
    assert.notInclude(outcomes(input).join(), "grouped")
  })

  it("13: a group that holds a forbidden pair is no candidate", () => {
    const input = { deposits: [d("d1", 0, "1"), d("d2", 1, "2")], transfers: [t("t1", 5, "3")] }
    assert.deepStrictEqual(outcomes({ ...input, policy: { forbid: [{ deposit: "d2", transfer: "t1" }] } }), [
      "missing-deposit t1",
      "missing-transfer d1",
      "missing-transfer d2"
    ])
  })

  it("members have compatible accounts and references, one asset, and lie in the window of each deposit", () => {
    const group = (fields: object, other: object = {}, policy: Policy.Policy = {}) =>
      outcomes({
        deposits: [d("d1", 0, "1", { account: "a", ...fields }), d("d2", 1, "2", other)],
        transfers: [t("t1", 5, "3", { account: "a", reference: "r" })],
        policy
      }).join()
    assert.strictEqual(group({}), "grouped d1 d2 t1")
    assert.notInclude(group({}, { account: "b" }), "grouped")
    assert.notInclude(group({ reference: "s" }, {}, { reference: "require" }), "grouped")
    assert.include(group({ reference: "s" }, {}, { reference: "ignore" }), "grouped")
    assert.notInclude(group({ asset: "ETH" }), "grouped")
    assert.include(group({ asset: "XBT" }, {}, { assets: { aliases: [["BTC", "XBT"]] } }), "grouped")
    assert.notInclude(group({}, {}, { window: { before: 0, after: "4 minutes" } }), "grouped d1")
  })
})

describe("sums are compared like amounts", () => {
  const sweep = (amount: string, policy: Policy.Policy, amounts = ["10", "20"]) =>
    Run.match({
      deposits: amounts.map((one, index) => d(`d${index}`, index, one)),
      transfers: [t("t1", 5, amount)],
      policy
    }).outcomes.map(({ code, residual, rule }) => `${code} ${residual} ${rule ?? ""}`.trim()).join("; ")

  it("within the tolerance of the sum, capped by its share of the smaller sum", () => {
    const within = "all open in the window; within the tolerance"
    assert.strictEqual(sweep("29.7", { tolerance: { absolute: "0.3" } }), `grouped -0.3 ${within}`)
    assert.notInclude(sweep("29.69", { tolerance: { absolute: "0.3" } }), "grouped")
    assert.notInclude(sweep("29.7", { tolerance: { absolute: "0.3", inclusive: false } }), "grouped")
    assert.strictEqual(sweep("30.3", { tolerance: { relative: "0.01" } }), `grouped 0.3 ${within}`)
    assert.notInclude(sweep("30.301", { tolerance: { relative: "0.01" } }), "grouped")
    assert.strictEqual(
      sweep("30.301", { tolerance: { relative: "0.01", base: "transfer" } }),
      `grouped 0.301 ${within}`
    )
    assert.notInclude(sweep("33.1", { tolerance: { absolute: "10", maxShare: "0.1" } }), "grouped")
    assert.strictEqual(sweep("33", { tolerance: { absolute: "10", maxShare: "0.1" } }), `grouped 3 ${within}`)
  })

  it("9: the flat part of a fee counts once a transfer, and its rate on the sum of the deposits", () => {
    const policy: Policy.Policy = { fees: [{ flat: "1", rate: "0.1" }] }
    assert.include(sweep("26", policy), "grouped 0 all open in the window; fee of 1 plus 10")
    const parts = (amount: string) =>
      outcomes({ deposits: [d("d1", 0, "30")], transfers: [t("t1", 5, "10"), t("t2", 6, amount)], policy })
    assert.deepStrictEqual(parts("15"), ["grouped d1 t1 t2"])
    assert.notInclude(parts("16").join(), "grouped")
  })

  it("a sweep within the tolerance is no fact where a smaller set covers too", () => {
    const policy: Policy.Policy = { tolerance: { absolute: "1" } }
    assert.notInclude(sweep("30.5", policy, ["10", "20", "0.7"]), "grouped")
    assert.include(sweep("30.7", policy, ["10", "20", "0.7"]), "grouped 0")
  })

  it("deposits under different rules form a group only by equal sums", () => {
    const group = (amount: string) =>
      outcomes({
        deposits: [d("d1", 0, "1", { network: "x" }), d("d2", 1, "2")],
        transfers: [t("t1", 5, amount)],
        policy: {
          tolerance: { absolute: "0.1" },
          per: [{ asset: "BTC", network: "x", tolerance: { absolute: "0.2" } }]
        }
      }).join()
    assert.include(group("3"), "grouped")
    assert.notInclude(group("3.05"), "grouped")
    assert.include(group("3.05"), "split-ambiguous t1")
  })

  it("amounts of any length are added exactly", () => {
    const long = (digit: string) => `0.${"0".repeat(40)}${digit}`
    const group = (amount: string) =>
      outcomes({
        deposits: [d("d1", 0, `123456789012345678901${long("1").slice(1)}`), d("d2", 1, long("2"))],
        transfers: [t("t1", 5, amount)]
      }).join()
    assert.include(group(`123456789012345678901${long("3").slice(1)}`), "grouped")
    assert.notInclude(group(`123456789012345678901${long("4").slice(1)}`), "grouped")
  })
})

describe("groups that are not over", () => {
  it("are in flight while the window of a member is open, or was not read", () => {
    const input = { deposits: [d("d1", 0, "1"), d("d2", 1, "2")], transfers: [t("t1", 5, "3")] }
    const short = { ...input, coverage: until(61) }
    assert.deepStrictEqual(outcomes(short), ["in-flight d1", "in-flight d2", "in-flight t1"])
    assert.deepStrictEqual(outcomes({ ...input, coverage: until(62) }), ["grouped d1 d2 t1"])
    const gap = Run.complete.map((coverage) =>
      coverage.operation === "deposits" ? Object.assign({}, coverage, { from: Run.T0 - Run.MINUTE }) : coverage
    )
    assert.deepStrictEqual(outcomes({ ...input, coverage: gap }), [
      "coverage-gap d1",
      "coverage-gap d2",
      "coverage-gap t1"
    ])
  })

  it("a smaller entry is not missing while a larger one may still turn out to hold it", () => {
    const input = { deposits: [d("d1", 40, "9")], transfers: [t("t1", 41, "4")] }
    assert.deepStrictEqual(outcomes({ ...input, coverage: until(60) }), ["in-flight d1", "in-flight t1"])
    assert.deepStrictEqual(outcomes({ ...input, coverage: until(110) }), ["missing-deposit t1", "missing-transfer d1"])
  })
})

describe("16: sums that fall short", () => {
  it("of a deposit moved only in part the rest is open", () => {
    const outcome = only({ deposits: [d("d1", 0, "5")], transfers: [t("t1", 5, "1"), t("t2", 6, "2")] })
    assert.include(outcome, { code: "split-incomplete", openSum: "2", openCount: 1, final: true, residual: null })
    assert.include(outcome.explanation, "account for 3 BTC, and 2 BTC is open")
  })

  it("the same holds for a transfer of which only parts came", () => {
    const outcome = only({ deposits: [d("d1", 0, "1"), d("d2", 1, "2")], transfers: [t("t1", 5, "5")] })
    assert.include(outcome, { code: "split-incomplete", openSum: "2" })
  })

  it("not while the window is open, and not where a part may belong elsewhere", () => {
    const input = { deposits: [d("d1", 0, "5")], transfers: [t("t1", 5, "1"), t("t2", 6, "2")] }
    assert.deepStrictEqual(outcomes({ ...input, coverage: until(60) }), [
      "in-flight d1",
      "in-flight t1",
      "in-flight t2"
    ])
    const two = { ...input, deposits: [...input.deposits, d("d2", 2, "7")] }
    assert.notInclude(outcomes(two).join(), "split-incomplete")
  })

  it("late and amount-mismatch go first", () => {
    const late = {
      deposits: [d("d1", 0, "5")],
      transfers: [t("t1", 5, "1"), t("t2", 6, "2"), t("t3", 100, "5")]
    }
    assert.deepStrictEqual(outcomes(late), ["late d1 t3", "missing-deposit t1", "missing-deposit t2"])
    const pair = { deposits: [d("d1", 0, "5", { account: "a" })], transfers: [t("t1", 5, "4.9", { account: "a" })] }
    assert.deepStrictEqual(outcomes(pair), ["amount-mismatch d1 t1"])
  })
})

describe("sums that may be chance", () => {
  const ROUND = ["200", "300", "50", "400", "430", "460", "600", "700", "800", "900"]
  const parts = (amount: (index: number) => string, count: number) =>
    Array.from({ length: count }, (_, index) => d(`d${index}`, index / 10, amount(index)))
  const targetOf = (input: Run.Input) => Run.match(input).outcomes.find(({ transfers }) => transfers.length > 0)

  it("a set of round amounts is not stated where another could as well have covered", () => {
    const outcome = targetOf({
      deposits: ROUND.map((amount, index) => d(`d${index + 1}`, index / 10, amount)),
      transfers: [t("t1", 5, "500")]
    })
    assert.strictEqual(outcome?.code, "split-ambiguous")
    assert.deepStrictEqual(outcome?.candidates.map(({ id }) => id), ["d1", "d2"])
    assert.include(
      outcome?.explanation,
      "It equals the sum of deposits d1 and d2, but 6 open deposits in its window are small enough to be parts of it, and they allow so many sums that it may be chance."
    )
  })

  it("round amounts say no more for an odd one among the candidates", () => {
    const deposits = [...ROUND, "17.0301"].map((amount, index) => d(`d${index + 1}`, index / 10, amount))
    assert.strictEqual(targetOf({ deposits, transfers: [t("t1", 5, "500")] })?.code, "split-ambiguous")
  })

  it("the same set of amounts with more digits is a fact", () => {
    const deposits = [d("d1", 0, "200.137"), d("d2", 1, "300.251"), d("d3", 2, "50.017"), d("d4", 3, "400.311")]
    assert.include(outcomes({ deposits, transfers: [t("t1", 5, "500.388")] }), "grouped d1 d2 t1")
  })

  it("the only set among few is a fact, however round", () => {
    const deposits = [d("d1", 0, "200"), d("d2", 1, "300"), d("d3", 2, "50"), d("d4", 3, "400")]
    assert.include(outcomes({ deposits, transfers: [t("t1", 5, "500")] }), "grouped d1 d2 t1")
  })

  it("all there is in the window is a fact, however round", () => {
    const deposits = [d("d1", 0, "200"), d("d2", 1, "300")]
    assert.deepStrictEqual(outcomes({ deposits, transfers: [t("t1", 5, "500")] }), ["grouped d1 d2 t1"])
  })

  it("no set is looked for where none would be evidence", () => {
    const outcome = targetOf({
      deposits: parts((index) => String(10 * (index + 1)), 30),
      transfers: [t("t1", 5, "1230")]
    })
    assert.include(outcome, { code: "split-ambiguous" })
    assert.include(outcome?.explanation, "30 open deposits in its window are small enough to be parts of it")
    assert.deepStrictEqual(outcome?.candidates, [])
  })

  it("entries are missing beside a stray larger one, which they name", () => {
    const found = Run.match({
      deposits: parts((index) => String(10 * (index + 10)), 30),
      transfers: [t("t1", 5, "410")]
    }).outcomes
    const of = (id: string) => found.find(({ deposits }) => deposits.some((one) => one.id === id))
    assert.include(of("d3"), { code: "missing-transfer" })
    assert.deepStrictEqual(of("d3")?.candidates[0], {
      side: "transfer",
      id: "t1",
      reason: "It may be the whole of which this one is a part."
    })
  })

  it("entries are not missing where larger ones could take an eighth of them", () => {
    const transfers = Array.from({ length: 4 }, (_, index) => t(`t${index}`, 5, String(410 + 10 * index)))
    const found = outcomes({ deposits: parts((index) => String(10 * (index + 10)), 30).slice(0, 20), transfers })
    assert.include(found, "split-ambiguous d3")
  })
})

describe("searches that would take too long", () => {
  const deposits = Array.from({ length: 1100 }, (_, index) => d(`d${index}`, 0, String(100_003 + 7 * index * index)))
  const codes = (input: Run.Input, ids: ReadonlyArray<string>) => {
    const found = Run.match(input).outcomes
    return ids.map((id) =>
      found.find((one) => [...one.deposits, ...one.transfers].some((entry) => entry.id === id))?.code
    )
  }

  it("end as such, without what could be no part of anything", () => {
    const transfers = Array.from({ length: 80 }, (_, index) => t(`t${index}`, 5, String(9_000_001 + 13 * index)))
    const input = {
      deposits: [...deposits, d("large", 1, "9999999999")],
      transfers: [...transfers, t("small", 6, "17")]
    }
    assert.deepStrictEqual(codes(input, ["t1", "d5", "small", "large"]), [
      "search-exhausted",
      "search-exhausted",
      "missing-deposit",
      "missing-transfer"
    ])
  })

  it("leave what one of them could take hardly any of missing", () => {
    assert.deepStrictEqual(codes({ deposits, transfers: [t("t1", 5, "9000001")] }, ["t1", "d5"]), [
      "search-exhausted",
      "missing-transfer"
    ])
  })
})

describe("23: control totals with groups", () => {
  it("count the members as matched, and what they differ by as residual", () => {
    const policy: Policy.Policy = { fees: [{ flat: "0.5" }] }
    const input = {
      deposits: [d("d1", 0, "1"), d("d2", 1, "2"), d("d3", 500, "9")],
      transfers: [t("t1", 5, "2.5"), t("t2", 501, "1"), t("t3", 502, "2")]
    }
    const { outcomes: found, warnings } = Run.match({ ...input, policy })
    assert.deepStrictEqual(Run.summary(found), ["grouped d1 d2 t1", "split-incomplete d3 t2 t3"])
    const report = Report.make({
      range: { from: Run.T0, to: Run.T0 + Run.DAY },
      asOf: Run.T0 + Run.DAY,
      policy: Run.policy(policy),
      accounts: { master: ["master"], list: [], complete: false },
      coverage: Run.complete,
      outcomes: found,
      warnings
    })
    const [total] = report.totals
    assert.deepStrictEqual(total?.deposits.matched, { count: 2, sum: "3" })
    assert.deepStrictEqual(total?.transfers.matched, { count: 1, sum: "2.5" })
    assert.include(total?.net, { total: "6.5", residual: "0.5", open: "6" })
    assert.strictEqual(report.matchRate.deposits.matched, 2)
  })
})
