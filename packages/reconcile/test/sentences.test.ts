/** Sentences that must be true of the very entries that they speak of. */
import { assert, describe, it } from "@effect/vitest"
import type * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const find = (input: Run.Input, code: Outcome.Code): Outcome.Outcome => {
  const found = Run.match(input).outcomes.find((outcome) => outcome.code === code)
  if (found === undefined) assert.fail(`no ${code}`)
  return found
}

const fees = { fees: [{ flat: "1", rate: "0" }] }
const r = { reference: "r" }

/** A deposit of 100, and a transfer of another amount so many minutes later. */
const unlike = (amount: string, minutes: number, fields: object, policy: Run.Input["policy"] = fees): Run.Input => ({
  policy,
  deposits: [deposit("d1", 0, { amount: "100", ...fields })],
  transfers: [transfer("t1", minutes, { amount, ...fields })]
})

describe("amounts that neither the tolerance nor a fee explains", () => {
  const moved = (off: string, place = ""): string =>
    `Moved ${off}: 100 arrived${place} on 15 Jan 2027 08:00 UTC, 95 was moved 5 min later. `
  const left = "A fee of 1 would leave 99. "
  const forbidden = "The policy does not allow this difference. "
  const fee = { flat: "1", rate: "0" }

  it("are compared with what the fee leaves, and the facts hold the fee", () => {
    const ofAccount = find(unlike("95", 5, { account: "a" }), "amount-mismatch")
    assert.strictEqual(
      ofAccount.explanation,
      `${moved("4 BTC too little", " in a")}${left}${forbidden}Both belong to the same account, and nothing else fits.`
    )
    assert.deepStrictEqual(ofAccount.because, { code: "same-account-alone", fee })
    assert.strictEqual(ofAccount.residual, "-4")
    const ofReference = find(unlike("95", 5, r), "amount-mismatch")
    assert.strictEqual(
      ofReference.explanation,
      `${moved("4 BTC too little")}${left}${forbidden}Both carry the same reference.`
    )
    assert.deepStrictEqual(ofReference.because, { code: "same-reference", fee })
  })

  it("are compared with each other where the deposit's own amount is nearer", () => {
    const { explanation } = find(unlike("100.5", 5, r), "amount-mismatch")
    assert.include(explanation, "Moved 0.5 BTC too much: 100 arrived ")
    assert.notInclude(explanation, "fee")
  })

  it("differ by no negative number without a fee", () => {
    assert.strictEqual(
      find(unlike("95", 5, r, {}), "amount-mismatch").explanation,
      `${moved("5 BTC too little")}${forbidden}Both carry the same reference.`
    )
  })

  it("are told of a late transfer", () => {
    const end = (amount: string, policy?: Run.Input["policy"]): string | undefined =>
      find(unlike(amount, 180, r, policy), "late").explanation.split("Both carry ")[1]
    assert.strictEqual(
      end("95"),
      "the same reference, though what was moved is 4 less than the 99 that a fee of 1 leaves."
    )
    assert.strictEqual(end("99"), "the same reference, and what was moved is exactly what a fee of 1 leaves.")
    assert.strictEqual(end("95", {}), "the same reference, though the amounts differ by 5.")
    assert.strictEqual(end("100"), "the same reference.")
  })

  it("are told of a transfer that came when the deposit settled", () => {
    const past = {
      statuses: [{ status: "pending" as const, seenAt: Run.T0 }],
      unsettledAt: Run.T0 + 180 * Run.MINUTE,
      settledAt: Run.T0 + 184 * Run.MINUTE
    }
    const { because, explanation } = find({
      policy: fees,
      deposits: [deposit("d1", 0, { amount: "100", past, ...r })],
      transfers: [transfer("t1", 185, { amount: "99", ...r })]
    }, "reference")
    assert.include(because, { code: "same-reference" })
    assert.deepInclude(because, { fee })
    assert.include(explanation, "After a fee of 1 that is exactly what was expected. Both carry the same reference.")
  })

  const notes = (input: Run.Input): ReadonlyArray<ReadonlyArray<string>> =>
    Run.match(input).outcomes.map(({ candidates }) => candidates.map(({ reason }) => reason))

  it("are told of a lone candidate, in words that hold from both sides", () => {
    const reason = "It is the only open one in the window, but after a fee of 1 the amounts differ by 7."
    assert.deepStrictEqual(notes(unlike("92", 5, {})), [[reason], [reason]])
    assert.include(find(unlike("92", 5, {}), "missing-transfer").candidates[0]?.because, { code: "other-amount" })
    assert.deepInclude(find(unlike("92", 5, {}), "missing-transfer").candidates[0]?.because, { fee })
  })

  it("are told of near misses", () => {
    const among = (policy: Run.Input["policy"]): Run.Input => {
      const { deposits = [], ...rest } = unlike("92", 5, {}, policy)
      return { ...rest, deposits: [...deposits, deposit("d2", 1, { amount: "300" })] }
    }
    const reasons = (policy: Run.Input["policy"]) =>
      find(among(policy), "missing-transfer").candidates.map(({ reason }) => reason)
    assert.deepStrictEqual(reasons(fees), ["It is in the window, but after a fee of 1 the amounts differ by 7."])
    assert.deepStrictEqual(reasons({ ...fees, tolerance: { absolute: "2" } }), [
      "It is in the window, but after a fee of 1 the amounts differ by 7, more than the 2 that is accepted."
    ])
  })

  it("are told with the difference that the tolerance accepts for that fee, not for the whole deposit", () => {
    const input = {
      policy: { fees: [{ flat: "10", rate: "0" }], tolerance: { relative: "0.05", base: "deposit" } } as const,
      deposits: [deposit("d1", 0, { amount: "100" }), deposit("d2", 1, { amount: "300" })],
      transfers: [transfer("t1", 5, { amount: "94.9" })]
    }
    const [miss] = find(input, "missing-transfer").candidates
    assert.strictEqual(
      miss?.reason,
      "It is in the window, but after a fee of 10 the amounts differ by 4.9, more than the 4.5 that is accepted."
    )
  })
})

describe("linked entries", () => {
  it("are compared by how much more or less the transfers are", () => {
    const policy: Run.Input["policy"] = { links: [{ deposits: ["d1"], transfers: ["t1"] }] }
    const linked = (amount: string): string => find(unlike(amount, 5, {}, policy), "linked").explanation
    assert.include(linked("95"), "The transfers are 5 less than the deposits.")
    assert.include(linked("101"), "The transfers are 1 more than the deposits.")
  })
})

describe("what is equal and in the window of an entry without a counterpart", () => {
  const said = " is left for it. What is equal belongs to other items (see the candidates)."

  it("is in another outcome, be it moved back, excluded or matched", () => {
    const movedBack = find({
      deposits: [deposit("d1", 0, { account: "a" })],
      transfers: [
        transfer("t1", 5, { account: "a", from: "a", to: "master" }),
        transfer("t2", 9, { account: "a", from: "master", to: "a" })
      ]
    }, "missing-transfer")
    assert.include(movedBack.explanation, said)
    assert.deepStrictEqual(movedBack.candidates.map(({ reason }) => reason), ["It is equal, but was moved back."])
    const excluded = find({
      policy: { exclude: [{ id: "t1" }] },
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5)]
    }, "missing-transfer")
    assert.include(excluded.explanation, said)
    assert.deepStrictEqual(excluded.candidates.map(({ reason }) => reason), [
      "It is equal, but belongs to another item that is set aside."
    ])
  })
})

describe("a twin", () => {
  const account = { account: "a" }

  it("is like a deposit in what was compared, whatever its reference and network", () => {
    const found = find({
      deposits: [
        deposit("d1", 0, { ...account, reference: "x", network: "TRX" }),
        deposit("d2", 3, { ...account, reference: "y", network: "ETH" })
      ],
      transfers: [transfer("t1", 5, { ...account, reference: "x" })]
    }, "duplicate-suspect")
    assert.strictEqual(
      found.explanation,
      "1 BTC arrived in a on 15 Jan 2027 08:03 UTC, and no transfer is left for it. It equals deposit d1 in amount, account, address and memo; that one arrived 3 min earlier and is matched. It may be the same one told twice."
    )
    assert.deepStrictEqual(found.candidates.map(({ reason }) => reason), [
      "It equals this one in amount, account, address and memo, came 3 min earlier, and is matched.",
      "It is equal, but belongs to deposit d1."
    ])
  })

  it("is like a transfer in other fields", () => {
    const { candidates, explanation } = find({
      deposits: [deposit("d1", 0, account)],
      transfers: [transfer("t1", 1, account), transfer("t2", 30, account)]
    }, "duplicate-suspect")
    assert.include(
      explanation,
      "It equals transfer t1 in amount, account, ends and account types; that one was moved 29 min earlier"
    )
    assert.include(
      candidates[0]?.reason,
      "It equals this one in amount, account, ends and account types, came 29 min earlier"
    )
  })
})

describe("what falls short of a deposit", () => {
  it("is not called alone where another transfer in the window went elsewhere", () => {
    const { explanation } = find({
      deposits: [deposit("d1", 0, { amount: "10" }), deposit("d2", 1, { amount: "7", reference: "r" })],
      transfers: [
        transfer("t1", 5, { amount: "4" }),
        transfer("t2", 6, { amount: "5" }),
        transfer("t3", 7, { amount: "7", reference: "r" })
      ]
    }, "split-incomplete")
    assert.strictEqual(
      explanation,
      "10 BTC arrived on 15 Jan 2027 08:00 UTC and is partly settled: transfers t1 and t2 account for 9 BTC, and 1 BTC is open. Nothing else that is open in its window fits any of these entries."
    )
  })
})
