import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Prices from "@tallystick/report/Prices"
import * as Priority from "@tallystick/report/Priority"
import * as Titles from "@tallystick/report/Titles"
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Stakes from "../src/internal/content/Stakes.ts"

const { deposit, transfer } = Run

/** Deposits that nobody moved: all of them breaks. */
const breaks = (amounts: ReadonlyArray<readonly [asset: string, amount: string]>) =>
  Run.match({ deposits: amounts.map(([asset, amount], n) => deposit(`d${n}`, n * 1000, { asset, amount })) }).outcomes

const order = (
  amounts: ReadonlyArray<readonly [string, string]>,
  prices?: Prices.Prices,
  aliases: ReadonlyArray<ReadonlyArray<string>> = []
) =>
  Priority.sorted(breaks(amounts), { policy: { assets: { aliases } }, prices })
    .map(({ stake: { amount, asset, worth } }) => `${amount} ${asset} ${worth ?? "?"}`)

const plain = { policy: { assets: { aliases: [] } } }

describe("the order of breaks", () => {
  it("is by asset and the larger amount first, digit by digit", () => {
    assert.deepStrictEqual(
      order([["BTC", "9.0"], ["ETH", "1"], ["BTC", "10"], ["BTC", "9.00000000000000000000000000000000001"], [
        "ADA",
        "2"
      ]]),
      ["2 ADA ?", "10 BTC ?", "9.00000000000000000000000000000000001 BTC ?", "9 BTC ?", "1 ETH ?"]
    )
  })

  it("is by money where prices are given, and what has none comes after", () => {
    const prices = new Map([["BTC", "65000.12"], ["USDT", "1"]])
    assert.deepStrictEqual(
      order([["ADA", "1000000"], ["USDT", "70000"], ["BTC", "2.5"], ["USDT", "3"], ["XRP", "1"]], prices),
      ["2.5 BTC 162500.3", "70000 USDT 70000", "3 USDT 3", "1000000 ADA ?", "1 XRP ?"]
    )
  })

  it("takes a price for every name that the policy calls equal", () => {
    const aliases = [["USDT", "USDT-TRX", "USDT-ETH"]]
    assert.deepStrictEqual(
      order([["USDT-ETH", "3"], ["USDT", "4"], ["USDT-TRX", "5"]], new Map([["USDT-TRX", "2"]]), aliases),
      ["5 USDT 10", "4 USDT 8", "3 USDT 6"]
    )
  })

  it("is the same for the same outcomes in any order", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = Generator.make(seed)
      const outcomes = breaks(
        Array.from({ length: 12 }, () => [random.pick(["A", "B"]), String(random.int(1, 3))] as const)
      )
      const prices = new Map([["A", "2"]])
      const of = (list: typeof outcomes) => Priority.sorted(list, { ...plain, prices }).map(({ stake }) => stake.id)
      assert.deepStrictEqual(of(random.shuffle(outcomes)), of(outcomes))
    }
  })
})

describe("the differences of pairs", () => {
  const account = { account: "a" }
  const priced = { ...plain, prices: new Map([["BTC", "10"]]) }

  it("order them: a small pair that is off by more comes before a large one that came late", () => {
    const { outcomes } = Run.match({
      deposits: [
        deposit("late", 0, { ...account, amount: "700" }),
        deposit("off", 5000, { ...account, amount: "1.5" }),
        deposit("alone", 9000, { amount: "0.001" })
      ],
      transfers: [
        transfer("t1", 70, { ...account, amount: "700" }),
        transfer("t2", 5001, { ...account, amount: "1.4988" })
      ]
    })
    for (const options of [plain, priced]) {
      assert.deepStrictEqual(Priority.sorted(outcomes, options).map(({ outcome }) => outcome.code), [
        "amount-mismatch",
        "missing-transfer",
        "late"
      ])
    }
    assert.deepStrictEqual(Priority.sorted(outcomes, priced).map(({ stake }) => stake.worth), ["0.012", "0.01", "0"])
  })
})

describe("what is at stake", () => {
  const stakeOf = Stakes.of({ ...plain, prices: new Map([["BTC", "10"]]) })
  const of = (outcomes: ReadonlyArray<Outcome.Outcome>) =>
    outcomes.map(stakeOf).map(({ amount, asset, difference, worth }) =>
      [amount, asset, difference === null ? "none" : `${difference.bound} ${difference.size}`, worth ?? "?"].join(", ")
    )

  it("is the side with more of an outcome, and of a pair that differs its difference", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d", 0, { amount: "10", account: "a" })],
      transfers: [transfer("t", 1, { amount: "9.5", account: "a" })]
    })
    assert.deepStrictEqual(outcomes.map(({ code }) => code), ["amount-mismatch"])
    assert.deepStrictEqual(of(outcomes), ["10, BTC, exact 0.5, 5"])
  })

  it("is what no pair settles of a class that does not come out even", () => {
    const { outcomes } = Run.match({
      deposits: [0, 1, 2].map((n) => deposit(`d${n}`, n)),
      transfers: [0, 1].map((n) => transfer(`t${n}`, 10 + n))
    })
    assert.deepStrictEqual(outcomes.map(({ code }) => code), ["class-short"])
    assert.deepStrictEqual(of(outcomes), ["1, BTC, exact 1, 10"])
  })

  it("is what is lacking of a sum that is not made up, not the whole of it, in money too", () => {
    const parts = (
      side: typeof deposit,
      prefix: string
    ) => [side(`${prefix}1`, 5, { amount: "1" }), side(`${prefix}2`, 6, { amount: "2" })]
    const policy = { grouping: { manyToOne: true, oneToMany: true } }
    const less = Run.match({ deposits: [deposit("d", 0, { amount: "5" })], transfers: parts(transfer, "t"), policy })
    const more = Run.match({ deposits: parts(deposit, "d"), transfers: [transfer("t", 10, { amount: "5" })], policy })
    for (const { outcomes } of [less, more]) {
      assert.deepStrictEqual(outcomes.map(({ code }) => code), ["split-incomplete"])
      assert.deepStrictEqual(of(outcomes), ["2, BTC, exact 2, 20"])
      assert.strictEqual(Titles.counted("split-incomplete", outcomes.length), "1 partly settled amount")
    }
  })

  it("is what is open of both sides of a class, as if each were alone", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d0", 0), deposit("d1", 1), deposit("d2", 59)],
      transfers: [transfer("t0", 60), transfer("t1", 110), transfer("t2", 112)]
    })
    assert.deepStrictEqual(outcomes.map(({ code, openCount }) => [code, openCount]), [["class-short", 2]])
    assert.deepStrictEqual(of(outcomes), ["2, BTC, exact 2, 20"])
  })

  it("is no money of a match, and nothing of a record that could not be read", () => {
    const { outcomes } = Run.match({
      deposits: [deposit("d", 0)],
      transfers: [transfer("t", 1)],
      bad: [{ side: "deposit", source: "a file", path: "", reason: "", raw: "" }]
    })
    assert.deepStrictEqual(of(outcomes).toSorted(), ["0, , none, ?", "1, BTC, exact 0, 0"])
  })
})

const decimal = (random: Generator.Generator): string => {
  const digits = (most: number) => Array.from({ length: random.int(1, most) }, () => random.int(0, 9)).join("")
  return random.chance(0.3) ? digits(6) : `${digits(random.pick([2, 64]))}.${digits(random.pick([2, 64]))}`
}

describe("the arithmetic of prices", () => {
  it("is exact, and compares as decimals do", () => {
    const random = Generator.make(7)
    for (let n = 0; n < 500; n++) {
      const [a, b] = [decimal(random), decimal(random)]
      const [left, right] = [Amount.toBigDecimal(a), Amount.toBigDecimal(b)]
      assert.isTrue(BigDecimal.equals(Amount.toBigDecimal(Amount.times(a, b)), BigDecimal.multiply(left, right)))
      assert.strictEqual(Math.sign(Amount.compare(a, b)), BigDecimal.Order(left, right))
      assert.strictEqual(Amount.compare(a, `0${a}`), 0)
    }
  })
})

describe("a price list", () => {
  const read = Schema.decodeUnknownResult(Prices.PriceList, { onExcessProperty: "error" })

  it("holds decimal texts above zero", () => {
    assert.isTrue(Result.isSuccess(read({ BTC: "65000.12", "1INCH": "0.0000001" })))
    for (const price of ["0", "0.00", "-1", "1e3", "1,000", "", " 1", 1, null]) {
      assert.isTrue(Result.isFailure(read({ BTC: price })), JSON.stringify(price))
    }
    assert.isTrue(Result.isFailure(read({ "": "1" })))
  })

  it("contradicts itself where names of one asset have other prices", () => {
    const aliases = [["USDT", "USDT-TRX"]]
    assert.isUndefined(Prices.contradiction(new Map([["USDT", "1.0"], ["USDT-TRX", "1"]]), aliases))
    assert.isUndefined(Prices.contradiction(new Map([["USDT", "1"], ["BTC", "2"]]), aliases))
    assert.deepStrictEqual(Prices.contradiction(new Map([["USDT", "1"], ["USDT-TRX", "2"]]), aliases), [
      "USDT",
      "USDT-TRX"
    ])
  })
})
