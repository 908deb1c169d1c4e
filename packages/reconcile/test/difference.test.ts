import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Difference from "../src/Difference.ts"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Books from "./support/Books.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"
import * as Samples from "./support/Samples.ts"
import * as Truth from "./support/Truth.ts"

const { deposit, transfer } = Run

const text = (outcome: Outcome.Outcome): string => {
  const found = Difference.of(outcome)
  if (found === undefined) return "nothing to speak of"
  const { amount, asset, bound, excess, missing, size } = found
  return `${bound} ${amount} ${asset}${amount.replace("-", "") === size ? "" : ` (${missing} and ${excess})`}`
}

const differences = (input: Run.Input): ReadonlyArray<string> =>
  Run.match(input).outcomes.map((outcome) => `${outcome.code}: ${text(outcome)}`).toSorted()

const ofSamples: Readonly<Record<Outcome.Code, string>> = {
  linked: "exact 0 BTC",
  reference: "exact 0 BTC",
  exact: "exact 0 BTC",
  tolerant: "exact -0.01 BTC",
  fee: "exact 0 BTC",
  grouped: "exact 0 BTC",
  "class-balanced": "exact 0 BTC",
  "missing-transfer": "exact 1 BTC",
  "missing-deposit": "exact -1 BTC",
  "amount-mismatch": "exact -0.01 BTC",
  late: "exact 0 BTC",
  early: "exact 0 BTC",
  "class-short": "exact 1 BTC",
  ambiguous: "at least 1 BTC",
  "split-incomplete": "exact 2 BTC",
  "split-ambiguous": "at most 1 BTC",
  "search-exhausted": "at most -80 BTC (8111.96 and 8191.96)",
  "failed-attempt": "exact 1 BTC",
  "wrong-direction": "at least 1 BTC",
  "account-mismatch": "exact 0 BTC",
  reversed: "exact 0 BTC",
  "duplicate-suspect": "at most -1 BTC",
  "source-conflict": "at most 2 BTC",
  vanished: "at most 1 BTC",
  "status-regressed": "at most 1 BTC",
  "asset-mismatch": "at most 1 USDT",
  "in-flight": "at most 1 BTC",
  unconfirmed: "at most 1 BTC",
  "unknown-status": "at most 1 BTC",
  "coverage-gap": "at most 1 BTC",
  excluded: "exact 0 BTC",
  "bad-record": "nothing to speak of",
  "not-settled": "exact 0 BTC",
  "out-of-flow": "exact 0 BTC"
}

describe("the difference", () => {
  it("is stated for every code", () => {
    const found = Object.entries(Samples.samples).map(([code, input]) => {
      const one = Run.match(input).outcomes.find((outcome) => outcome.code === code)
      assert.isDefined(one)
      return [code, text(one)]
    })
    assert.deepStrictEqual(Object.fromEntries(found), ofSamples)
  })

  it("is what a pair is off by, and nothing where a late pair agrees", () => {
    const account = { account: "a" }
    assert.deepStrictEqual(
      differences({
        deposits: [deposit("d1", 0, { ...account, amount: "1.5" })],
        transfers: [transfer("t1", 1, { ...account, amount: "1.4988" })]
      }),
      ["amount-mismatch: exact 0.0012 BTC"]
    )
    assert.deepStrictEqual(
      differences({
        deposits: [deposit("d1", 0, { amount: "700" })],
        transfers: [transfer("t1", 70, { amount: "700" })]
      }),
      ["late: exact 0 BTC"]
    )
  })

  it("leaves out what a fee explains", () => {
    assert.deepStrictEqual(
      differences({
        deposits: [deposit("d1", 0, { amount: "10", reference: "x" })],
        transfers: [transfer("t1", 1, { amount: "9.7", reference: "x" })],
        policy: { fees: [{ flat: "0.1" }] }
      }),
      ["amount-mismatch: exact 0.2 BTC"]
    )
  })

  it("is so many equal amounts as lack a counterpart, and does not net the two sides", () => {
    assert.deepStrictEqual(
      differences({
        deposits: [deposit("d0", 0), deposit("d1", 1), deposit("d2", 59)],
        transfers: [transfer("t0", 60), transfer("t1", 110), transfer("t2", 112)]
      }),
      ["class-short: exact 0 BTC (1 and 1)"]
    )
  })

  it("of equal amounts is at most so much while time that was not read may bring a counterpart", () => {
    const input = {
      deposits: [deposit("d1", 0), deposit("d2", 1), deposit("d3", 2), deposit("d4", 3)],
      transfers: [transfer("t1", 50)]
    }
    assert.deepStrictEqual(differences({ ...input, coverage: Samples.readUntil(62) }), ["class-short: at most 3 BTC"])
    assert.deepStrictEqual(differences({ ...input, coverage: Samples.readUntil(64) }), ["class-short: exact 3 BTC"])
  })

  it("of records that share a reference is what is too much, if they are of one amount", () => {
    const reference = { reference: "x" }
    const of = (...amounts: ReadonlyArray<string>) =>
      differences({
        deposits: [deposit("d1", 0, reference)],
        transfers: amounts.map((amount, index) => transfer(`t${index}`, 5, { ...reference, amount }))
      })
    assert.deepStrictEqual(of("1", "1.0"), ["duplicate-suspect: at most -1 BTC"])
    assert.deepStrictEqual(of("0.4", "0.6"), ["duplicate-suspect: at most 0 BTC (1 and 1)"])
  })

  it("of unlike amounts that fit in several ways is at least that of the smallest that can be left", () => {
    assert.deepStrictEqual(
      differences({
        deposits: [deposit("d1", 0, { amount: "10" })],
        transfers: [transfer("t1", 10, { amount: "10.1" }), transfer("t2", 11, { amount: "9.9" })],
        policy: { tolerance: { absolute: "0.1" } }
      }),
      ["ambiguous: at least -9.9 BTC"]
    )
  })

  it("counts the late counterparts that are no members of the outcome", () => {
    const input = { deposits: [deposit("d1", 0), deposit("d2", 3)], transfers: [transfer("t1", 100)] }
    const coverage = [
      ...Run.complete.filter(({ operation }) => operation === "transfers"),
      ...Samples.readUntil(50).filter(({ operation }) => operation === "deposits")
    ]
    assert.deepStrictEqual(Run.outcomes({ ...input, coverage }), ["ambiguous d1 d2", "in-flight t1"])
    assert.deepStrictEqual(differences({ ...input, coverage }), [
      "ambiguous: at least 1 BTC",
      "in-flight: at most -1 BTC"
    ])
  })

  it("is none of an entry that its source tells in several assets or told otherwise before, nor of a record that is no entry", () => {
    const [conflict] = Run.match({ deposits: [deposit("d1", 0), deposit("d1", 0, { asset: "ETH" })] }).outcomes
    assert.isDefined(conflict)
    assert.strictEqual(conflict.code, "source-conflict")
    assert.isUndefined(Difference.of(conflict))
    const told = deposit("d1", 0, { past: { statuses: [], conflicts: ["{\"asset\":\"BTC\",\"amount\":\"100\"}"] } })
    const [before] = Run.match({ deposits: [told] }).outcomes
    assert.isDefined(before)
    assert.strictEqual(before.code, "source-conflict")
    assert.isUndefined(Difference.of(before))
    const bad = { side: "deposit", source: "page 1", path: "", reason: "no", raw: "x" } as const
    const [record] = Run.match({ bad: [bad] }).outcomes
    assert.isDefined(record)
    assert.isUndefined(Difference.of(record))
  })
})

const decimal = (text: string): BigDecimal.BigDecimal => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigDecimal.make(BigInt(whole + fraction), fraction.length)
}

const zero = BigDecimal.fromBigInt(0n)

const sum = (amounts: ReadonlyArray<string>): BigDecimal.BigDecimal =>
  amounts.reduce((total, amount) => BigDecimal.sum(total, decimal(amount)), zero)

/** Failed entries moved nothing. */
const moved = (entries: ReadonlyArray<Entry.Entry>): BigDecimal.BigDecimal =>
  sum(entries.filter(({ status }) => status !== "failed").map(({ amount }) => amount))

const net = ({ deposits, transfers }: Outcome.Outcome): BigDecimal.BigDecimal =>
  BigDecimal.subtract(moved(deposits), moved(transfers))

const hasFee = ({ because }: Outcome.Outcome): boolean =>
  because !== undefined && "fee" in because && because.fee !== undefined

describe("the differences of books in which everything happens", () => {
  const outcomes = Array.from({ length: Generator.cases(80) }, (_, seed) => Books.report(Generator.make(seed)).outcomes)
    .flat()
    .flatMap((outcome) => {
      const difference = Difference.of(outcome)
      return difference === undefined ? [] : [{ outcome, difference }]
    })

  it("come, with what fees explain, to the deposits minus the transfers, asset by asset", () => {
    const counted = outcomes.filter(({ difference, outcome }) =>
      difference.bound === "exact" && outcome.outcome !== "set-aside" && outcome.code !== "reversed"
    )
    const isOfFee = new Set(counted.filter(({ outcome }) => hasFee(outcome)))
    for (const [asset, own] of Map.groupBy(counted, ({ difference }) => difference.asset)) {
      const fees = own.filter((one) => isOfFee.has(one)).map(({ difference, outcome }) =>
        BigDecimal.subtract(net(outcome), decimal(difference.amount))
      )
      for (const fee of fees) assert.isTrue(BigDecimal.isGreaterThan(fee, zero))
      const total = BigDecimal.sum(
        sum(own.map(({ difference }) => difference.amount)),
        fees.reduce((all, fee) => BigDecimal.sum(all, fee), zero)
      )
      const expected = own.reduce((all, { outcome }) => BigDecimal.sum(all, net(outcome)), zero)
      assert.isTrue(BigDecimal.equals(total, expected), asset)
    }
    for (const { difference, outcome } of counted) {
      if (!hasFee(outcome)) assert.isTrue(BigDecimal.equals(decimal(difference.amount), net(outcome)), outcome.code)
    }
    assert.isAbove(new Set(counted.map(({ outcome }) => outcome.code)).size, 8)
  })

  it("never exceed the entries of their outcome, and are made of what is missing and what is too much", () => {
    for (const { difference, outcome } of outcomes) {
      const { amount, bound, excess, missing, size } = difference
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(decimal(missing), moved(outcome.deposits)) || bound === "exact")
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(decimal(excess), moved(outcome.transfers)) || bound === "exact")
      assert.isFalse(missing.startsWith("-") || excess.startsWith("-"))
      assert.isTrue(BigDecimal.equals(decimal(amount), BigDecimal.subtract(decimal(missing), decimal(excess))))
      assert.isTrue(BigDecimal.equals(decimal(size), BigDecimal.sum(decimal(missing), decimal(excess))))
    }
    assert.deepStrictEqual(
      Array.from(new Set(outcomes.map(({ difference }) => difference.bound))).toSorted(),
      ["at least", "at most", "exact"]
    )
  })
})

describe("the differences of a history whose truth is known", () => {
  it("hold what was never moved between their bounds", () => {
    for (const perDay of [20, 100, 500]) {
      for (let seed = 1; seed <= Math.min(Generator.cases(3), Truth.MOST_SEEDS); seed++) {
        const { deposits, transfers, truth } = Truth.history(seed, perDay, 0, Truth.minutes(0, 30))
        let [low, high] = [zero, zero]
        for (const outcome of Run.match({ deposits, transfers }).outcomes) {
          const found = Difference.of(outcome)
          if (found === undefined) continue
          const { bound, missing } = found
          if (bound !== "at most") low = BigDecimal.sum(low, decimal(missing))
          high = BigDecimal.sum(high, bound === "at least" ? moved(outcome.deposits) : decimal(missing))
        }
        const unmoved = moved(deposits.filter(({ id }) => !truth.has(id)))
        assert.isTrue(BigDecimal.isLessThanOrEqualTo(low, unmoved), `${perDay} a day, seed ${seed}: at least`)
        assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(high, unmoved), `${perDay} a day, seed ${seed}: at most`)
      }
    }
  })
})
