import { assert, describe, it } from "@effect/vitest"
import type * as BadRecord from "@tallystick/core/BadRecord"
import { readdirSync, readFileSync } from "node:fs"
import * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/Run.ts"
import * as Samples from "./support/Samples.ts"

const { deposit, outcomes, transfer } = Run
const { readUntil } = Samples

const only = (input: Run.Input): Outcome.Outcome => {
  const [outcome, ...rest] = Run.match(input).outcomes
  assert.isDefined(outcome)
  assert.deepStrictEqual(rest, [])
  return outcome
}

describe("matched", () => {
  it("an equal transfer in the window is exact", () => {
    const outcome = only({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5)] })
    assert.include(outcome, {
      code: "exact",
      outcome: "matched",
      lagMs: 300_000,
      residual: "0",
      decidedBy: "forced",
      final: true
    })
    assert.strictEqual(
      outcome.explanation,
      "1 BTC arrived on 15 Jan 2027 08:00 UTC and was moved 5 min later. Every way to pair as many equal amounts as possible pairs these two."
    )
  })

  it("amounts are equal however they are written", () => {
    const input = {
      deposits: [deposit("d1", 0, { amount: "01.50" })],
      transfers: [transfer("t1", 5, { amount: "1.5" })]
    }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t1"])
  })

  it("a much nearer transfer is stated by time, and the other not called missing", () => {
    const { outcomes } = Run.match({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 1), transfer("t2", 30)] })
    assert.deepStrictEqual(Run.summary(outcomes), ["duplicate-suspect t2", "exact d1 t1"])
    const exact = outcomes.find(({ code }) => code === "exact")
    assert.strictEqual(exact?.decidedBy, "time")
    assert.deepStrictEqual(exact?.candidates, [{
      side: "transfer",
      id: "t2",
      because: { code: "farther-in-time", apartMs: 1_800_000, ownMs: 60_000 },
      reason: "It is 30 min away, and the other one 1 min."
    }])
    const other = outcomes.find(({ code }) => code === "duplicate-suspect")
    assert.deepStrictEqual(other?.candidates.map(({ id, reason, side }) => ({ side, id, reason })), [
      {
        side: "transfer",
        id: "t1",
        reason: "It equals this one in amount, account, ends and account types, came 29 min earlier, and is matched."
      },
      { side: "deposit", id: "d1", reason: "It is equal, but belongs to transfer t1, which is nearer in time." }
    ])
    assert.include(other?.explanation, "It may be the other way round.")
  })

  it("a transfer within the tolerance is tolerant", () => {
    const outcome = only({
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, { amount: "1.01" })],
      policy: { tolerance: { absolute: "0.01" } }
    })
    assert.include(outcome, { code: "tolerant", residual: "0.01", decidedBy: "forced" })
  })

  it("a transfer less a fee is explained by the fee", () => {
    const outcome = only({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: [transfer("t1", 5, { amount: "9.98999" })],
      policy: { fees: [{ flat: "0.00001", rate: "0.001" }] }
    })
    assert.include(outcome, { code: "fee", residual: "0", rule: "fee of 0.00001 plus 0.1 %" })
  })

  it("equal references have the first say", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { reference: "x" })],
      transfers: [transfer("near", 1), transfer("far", 40, { reference: "x" })]
    }
    assert.deepStrictEqual(outcomes(input), ["duplicate-suspect near", "reference d1 far"])
    assert.deepStrictEqual(outcomes({ ...input, policy: { reference: "ignore" } }), [
      "duplicate-suspect far",
      "exact d1 near"
    ])
  })

  it("a link joins what nothing else would, and shows the residual", () => {
    const outcome = only({
      deposits: [deposit("d1", 0, { amount: "3" }), deposit("d2", 9000, { status: "pending" })],
      transfers: [transfer("t1", 5, { amount: "3.5" })],
      policy: { links: [{ deposits: ["d1", "d2"], transfers: ["t1"], by: "desk", reason: "ticket 7" }] }
    })
    assert.include(outcome, {
      code: "linked",
      residual: "-0.5",
      rule: "linked by desk (ticket 7)",
      lagMs: null,
      final: true
    })
  })

  it("entries that cannot be told apart and all have a counterpart are one balanced class, first in first out", () => {
    const outcome = only({
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 10), transfer("t2", 11)]
    })
    assert.include(outcome, { code: "class-balanced", matchedCount: 2, openCount: 0, lagMs: null, residual: null })
    assert.deepStrictEqual(outcome.pairs, [
      { deposit: "d1", transfer: "t1", lagMs: 600_000 },
      { deposit: "d2", transfer: "t2", lagMs: 600_000 }
    ])
  })

  it("the policy may ask for one of several pairings instead", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 10), transfer("t2", 11)],
      policy: { ambiguity: "assign" }
    }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t1", "exact d2 t2"])
    assert.isTrue(Run.match(input).outcomes.every(({ decidedBy }) => decidedBy === "assigned"))
  })
})

describe("discrepancies", () => {
  it("a deposit with nothing in its window is missing its transfer, finally once its horizon is read", () => {
    assert.include(only({ deposits: [deposit("d1", 0)] }), { code: "missing-transfer", final: true })
    assert.include(only({ deposits: [deposit("d1", 0)], coverage: readUntil(120) }), {
      code: "missing-transfer",
      final: false
    })
  })

  it("a transfer with nothing in its window is missing its deposit", () => {
    assert.include(only({ transfers: [transfer("t1", 0)] }), { code: "missing-deposit", outcome: "discrepancy" })
  })

  it("lone entries of one account whose amounts differ by at most a tenth are a mismatch", () => {
    const account = { account: "a" }
    const with10 = (amount: string, fields = account) => ({
      deposits: [deposit("d1", 0, { ...account, amount: "11" })],
      transfers: [transfer("t1", 5, { ...fields, amount })]
    })
    assert.include(only(with10("10")), { code: "amount-mismatch", residual: "-1", lagMs: 300_000 })
    assert.deepStrictEqual(outcomes(with10("9.99")), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("an equal transfer after the window is late, before it early", () => {
    assert.include(only({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 61)] }), {
      code: "late",
      lagMs: 3_660_000
    })
    assert.include(only({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", -2)] }), {
      code: "early",
      lagMs: -120_000
    })
  })

  it("a class with too few counterparts is one outcome with its numbers", () => {
    const outcome = only({
      deposits: [deposit("d1", 0), deposit("d2", 1), deposit("d3", 2)],
      transfers: [transfer("t1", 10), transfer("t2", 11)]
    })
    assert.include(outcome, { code: "class-short", matchedCount: 2, openCount: 1, openSum: "1" })
    assert.deepStrictEqual(outcome.candidates, [], "its own members are no candidates")
  })

  it("unlike amounts that fit in several ways are ambiguous", () => {
    const outcome = only({
      deposits: [deposit("d1", 0, { amount: "10" })],
      transfers: [transfer("t1", 10, { amount: "10.1" }), transfer("t2", 11, { amount: "9.9" })],
      policy: { tolerance: { absolute: "0.1" } }
    })
    assert.include(outcome, { code: "ambiguous", matchedCount: 1, openCount: 1 })
  })

  it("an equal transfer that failed is a failed attempt", () => {
    const outcome = only({
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, { status: "failed" }), transfer("t2", 6, { status: "failed" })]
    })
    assert.include(outcome, { code: "failed-attempt", outcome: "discrepancy" })
    assert.deepStrictEqual(outcome.transfers.map(({ id }) => id), ["t1", "t2"])
  })

  it("more pairs than are searched end as such, and swallow nobody without a candidate", () => {
    const size = 800
    const { outcomes } = Run.match({
      deposits: [
        ...Array.from({ length: size }, (_, index) => deposit(`d${index}`, 0, { amount: `10.${1000 + index}` })),
        deposit("lone", 0, { amount: "20" })
      ],
      transfers: Array.from({ length: size }, (_, index) => transfer(`t${index}`, 1, { amount: `10.${2000 + index}` })),
      policy: { tolerance: { absolute: "1" } }
    })
    assert.deepStrictEqual(outcomes.map(({ code }) => code).toSorted(), ["missing-transfer", "search-exhausted"])
    const exhausted = outcomes.find(({ code }) => code === "search-exhausted")
    assert.strictEqual(exhausted?.deposits.length, size)
    assert.include(exhausted?.explanation, "640000")
  })

  it("which spelling stands for a version of a conflict does not depend on the order of the input", () => {
    const versions = ["1", "2", "1.0", "2.00"].map((amount) => deposit("d1", 0, { amount }))
    const amounts = [versions, versions.toReversed()].map((deposits) => {
      const { outcomes, warnings } = Run.match({ deposits })
      return [outcomes.map(({ deposits }) => deposits.map(({ amount }) => amount)), warnings]
    })
    assert.deepStrictEqual(amounts[0], [[["1", "2"]], [
      "2 deposits came again with the same id and content; each counts once."
    ]])
    assert.deepStrictEqual(amounts[1], amounts[0])
  })

  it("one identity with two contents is a conflict, and neither takes part", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d1", 0, { amount: "2" })],
      transfers: [transfer("t1", 5)]
    }
    assert.deepStrictEqual(outcomes(input), ["missing-deposit t1", "source-conflict d1 d1"])
  })
})

describe("pending", () => {
  it("a deposit whose window is not over is in flight", () => {
    assert.include(only({ deposits: [deposit("d1", 0)], coverage: readUntil(60) }), {
      code: "in-flight",
      outcome: "pending",
      final: false
    })
  })

  it("what is not settled is unconfirmed", () => {
    assert.include(only({ deposits: [deposit("d1", 0, { status: "pending" })] }), {
      code: "unconfirmed",
      outcome: "pending"
    })
  })

  it("a deposit whose equal transfer waits is not missing it", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { status: "pending" })] }
    assert.deepStrictEqual(outcomes(input), ["unconfirmed d1 t1"])
  })

  it("a status that nobody knows is never settled", () => {
    const input: Run.Input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 50000, { status: "unknown" })] }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "unknown-status t1"])
  })
})

describe("undetermined and set aside", () => {
  it("a deposit whose window was not read is a coverage gap that names it", () => {
    const [deposits] = Run.complete
    const outcome = only({ deposits: [deposit("d1", 0)], coverage: [deposits!] })
    assert.include(outcome, { code: "coverage-gap", outcome: "undetermined", final: false })
    assert.deepStrictEqual(outcome.missing, {
      operation: "transfers",
      from: Run.T0 - Run.MINUTE,
      to: Run.T0 + Run.HOUR + 1,
      readAt: 0,
      state: "incomplete",
      gap: { code: "not-read", detail: "nobody asked for these records" }
    })
  })

  it("what the policy excludes is set aside with its reason", () => {
    const outcome = only({
      deposits: [deposit("d1", 0)],
      policy: { exclude: [{ side: "deposit", id: "d1", reason: "a test" }] }
    })
    assert.include(outcome, { code: "excluded", outcome: "set-aside", rule: "a test" })
  })

  it("dust is set aside, on both sides and through aliases", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0, { amount: "0.0099" }), deposit("d2", 0, { amount: "0.01" })],
      transfers: [transfer("t1", 1, { asset: "XBT", amount: "0.0099" })],
      policy: { minAmount: { BTC: "0.01" }, assets: { aliases: [["BTC", "XBT"]] } }
    }
    assert.deepStrictEqual(outcomes(input), ["excluded d1", "excluded t1", "missing-transfer d2"])
  })

  it("a bad record keeps its text and its place", () => {
    const bad: BadRecord.BadRecord = {
      side: "deposit",
      source: "page 1, record 2",
      path: "amount",
      reason: "…",
      raw: "{}"
    }
    const { outcomes, warnings } = Run.match({ bad: [bad, bad] })
    assert.deepStrictEqual(outcomes.map(({ bad, code }) => ({ bad, code })), [{ bad, code: "bad-record" }, {
      bad,
      code: "bad-record"
    }])
    assert.strictEqual(new Set(outcomes.map(({ id }) => id)).size, 2)
    const explained = (path: string) => Run.match({ bad: [{ ...bad, path }] }).outcomes[0]?.explanation
    assert.strictEqual(explained("amount"), "A deposit record at page 1, record 2 could not be used: \"amount\": ….")
    assert.strictEqual(explained(""), "A deposit record at page 1, record 2 could not be used: ….")
    assert.strictEqual(warnings.length, 1)
  })

  it("a failed record without counterpart is not settled", () => {
    assert.include(only({ transfers: [transfer("t1", 0, { status: "failed" })] }), {
      code: "not-settled",
      outcome: "set-aside"
    })
  })

  it("a transfer that no flow names is out of flow", () => {
    const outcome = only({ transfers: [transfer("t1", 0, { from: "master", to: "a" })] })
    assert.include(outcome, { code: "out-of-flow", outcome: "set-aside" })
  })
})

const all: ReadonlyArray<Outcome.Code> = Outcome.Code.literals

describe("every code", () => {
  it("comes to pass in some situation", () => {
    for (const code of all) {
      assert.include(Run.match(Samples.samples[code]).outcomes.map((outcome) => outcome.code), code)
    }
  })

  it("has its section in the documentation, and a line in the table of all", () => {
    const docs = new URL("../../../docs/", import.meta.url)
    const read = (file: string): string => readFileSync(new URL(file, docs), "utf8")
    const sections = readdirSync(new URL("outcomes/", docs)).flatMap((file) =>
      Array.from(read(`outcomes/${file}`).matchAll(/^### `([a-z-]+)`$/gm), ([, code]) => `outcomes/${file}#${code}`)
    )
    const lines = Array.from(
      read("outcomes.md").matchAll(/^\| \[`([a-z-]+)`\]\((\S+)\)/gm),
      ([, code, link]) => ({ code, link })
    )
    assert.sameMembers(lines.map(({ code }) => code), Array.from<string | undefined>(all))
    assert.sameMembers(lines.map(({ link }) => link), Array.from<string | undefined>(sections))
  })
})
