import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/WordsOnly.ts"

const { deposit, outcomes, transfer } = Run

const a = { account: "a" }
const pending = { status: "pending" } as const

const said = (id: string, input: Run.Input): Outcome.Outcome => {
  const found = Run.match(input).outcomes.find(({ deposits, transfers }) =>
    [...deposits, ...transfers].some((entry) => entry.id === id)
  )
  assert.isDefined(found)
  return found
}

describe("what is not settled yet", () => {
  const fee = { fees: [{ flat: "0.1" }] }

  it("explains what it fits after a fee or within the tolerance", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, { amount: "0.9", ...pending })]
    }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "unconfirmed t1"])
    assert.deepStrictEqual(outcomes({ ...input, policy: fee }), ["unconfirmed d1 t1"])
    assert.deepStrictEqual(outcomes({ ...input, policy: { tolerance: { absolute: "0.1" } } }), ["unconfirmed d1 t1"])
    const { explanation, final } = said("d1", { ...input, policy: fee })
    assert.isFalse(final)
    assert.strictEqual(
      explanation,
      "The deposit of 1 BTC on 15 Jan 2027 08:00 UTC and the transfer of 0.9 BTC on 15 Jan 2027 08:05 UTC may belong " +
        "together, but not all of them are settled yet."
    )
  })

  it("explains a transfer as well, when it is the deposit that waits", () => {
    const input: Run.Input = {
      policy: fee,
      deposits: [deposit("d1", 0, pending)],
      transfers: [transfer("t1", 5, { amount: "0.9" })]
    }
    assert.deepStrictEqual(outcomes(input), ["unconfirmed d1 t1"])
  })

  it("may be what comes late, and so may another that came late", () => {
    const late = transfer("t1", 100)
    const waits = transfer("t2", 110, pending)
    const of = (...transfers: ReadonlyArray<Entry.Entry>): Run.Input => ({ deposits: [deposit("d1", 0)], transfers })
    assert.deepStrictEqual(outcomes(of(waits)), ["unconfirmed d1", "unconfirmed t2"])
    assert.deepStrictEqual(outcomes(of(late, waits)), ["unconfirmed d1", "unconfirmed t1", "unconfirmed t2"])
    assert.deepStrictEqual(said("d1", of(late, waits)).candidates, [
      { side: "transfer", id: "t1", reason: "It is equal and near enough to be late or early." },
      { side: "transfer", id: "t2", reason: "It is equal and near enough to be late or early, but not settled yet." }
    ])
    assert.deepStrictEqual(outcomes(of(late, transfer("t2", 10, pending))), ["unconfirmed d1 t2", "unconfirmed t1"])
  })

  it("keeps another account, the wrong direction and another amount from being stated", () => {
    const of = (transfer: Entry.Entry) =>
      outcomes({
        deposits: [deposit("d1", 0, a)],
        transfers: [transfer, Run.transfer("t2", 5, { ...a, ...pending })],
        policy: { grouping: { manyToOne: false, oneToMany: false } }
      })
    assert.deepStrictEqual(of(transfer("t1", 5, { account: "b" })), ["missing-deposit t1", "unconfirmed d1 t2"])
    assert.deepStrictEqual(of(transfer("t1", 5, { from: "master", to: "a" })), ["out-of-flow t1", "unconfirmed d1 t2"])
    assert.deepStrictEqual(of(transfer("t1", 5, { ...a, amount: "0.95" })), ["missing-deposit t1", "unconfirmed d1 t2"])
  })

  it("makes nothing final that would be the counterpart otherwise", () => {
    const final = (transfer: Entry.Entry) =>
      said("t1", {
        deposits: [deposit("d1", 0, a)],
        transfers: [transfer, Run.transfer("t2", 5, { ...a, ...pending })]
      }).final
    assert.isFalse(final(transfer("t1", 5, { account: "b" })))
    assert.isFalse(final(transfer("t1", 5, { from: "master", to: "a" })))
    const ofAnother: Run.Input = {
      deposits: [deposit("d1", 0, a)],
      transfers: [transfer("t1", 5, { account: "b", ...pending })]
    }
    assert.deepStrictEqual(outcomes(ofAnother), ["missing-transfer d1", "unconfirmed t1"])
    assert.isFalse(said("d1", ofAnother).final)
  })

  it("makes nothing final that is short of it", () => {
    const final = (status: Entry.Status) =>
      said("d1", {
        deposits: [deposit("d1", 0), deposit("d2", 1)],
        transfers: [transfer("t1", 5), transfer("t2", 6, { status })]
      })
    assert.include(final("pending"), { code: "class-short", final: false })
    assert.include(final("failed"), { code: "class-short", final: true })
  })

  it("makes nothing final that may be a part of it, or of which it may be a part", () => {
    const sum = (status: Entry.Status): Run.Input => ({
      deposits: [deposit("d1", 0), deposit("d2", 1, { amount: "2" })],
      transfers: [transfer("t1", 5, { amount: "3", status })]
    })
    const { candidates, code, final } = said("d1", sum("pending"))
    assert.strictEqual(code, "missing-transfer")
    assert.isFalse(final)
    assert.deepStrictEqual(candidates, [
      { side: "transfer", id: "t1", reason: "It is not settled yet. One may be a part of the other." }
    ])
    assert.isTrue(said("d1", sum("failed")).final)
    const parts: Run.Input = {
      deposits: [deposit("d1", 0, { amount: "3" })],
      transfers: [transfer("t1", 5), transfer("t2", 6, { amount: "2", ...pending })]
    }
    assert.isFalse(said("d1", parts).final)
    assert.include(said("d1", parts).candidates.map(({ id }) => id), "t2")
  })

  it("keeps a failed attempt from being one that should be repeated, whatever it is less by", () => {
    const input: Run.Input = {
      policy: fee,
      deposits: [deposit("d1", 0)],
      transfers: [transfer("t1", 5, { status: "failed" }), transfer("t2", 6, { amount: "0.9", ...pending })]
    }
    assert.deepStrictEqual(outcomes(input), ["not-settled t1", "unconfirmed d1 t2"])
    assert.isFalse(said("t1", input).final)
  })

  it("leaves nothing final that no tier took and that lies within its horizon in the same asset", () => {
    const inputs: ReadonlyArray<Run.Input> = [
      // It may be a part of what was moved in one sum, as another deposit is, or the other way round.
      {
        deposits: [deposit("x", 1, { amount: "5" }), deposit("d", 3, { amount: "6", ...pending })],
        transfers: [transfer("t", 4, { amount: "11" })]
      },
      {
        deposits: [deposit("d", 0, { amount: "11" })],
        transfers: [transfer("x", 4, { amount: "5" }), transfer("t", 5, { amount: "6", ...pending })]
      },
      // It may be the sum of which what failed was a part.
      {
        deposits: [deposit("d", 1), deposit("x", 1, { amount: "2" })],
        transfers: [transfer("t", 8, { amount: "3", ...pending }), transfer("f", 9, { amount: "2", status: "failed" })]
      },
      // It goes back, or to another account, or is less by a fee.
      { deposits: [deposit("x", 0, a)], transfers: [transfer("t", 5, { from: "master", to: "a", ...pending })] },
      {
        policy: fee,
        deposits: [deposit("x", 1, a)],
        transfers: [transfer("t", 5, { account: "b", amount: "0.9", ...pending })]
      },
      {
        policy: fee,
        deposits: [deposit("x", 0), deposit("d", 2)],
        transfers: [transfer("t", 5), transfer("u", 10, { amount: "0.9", ...pending })]
      },
      // It bears the same reference.
      {
        policy: { grouping: { oneToMany: false } },
        deposits: [deposit("x", 0, { reference: "r" })],
        transfers: [transfer("t", 5, { amount: "1.1", reference: "r", ...pending })]
      }
    ]
    for (const input of inputs) {
      assert.isFalse(said("x", input).final, JSON.stringify(outcomes(input)))
      const settled = (entry: Entry.Entry): Entry.Entry =>
        entry.status === "pending" ? { ...entry, status: "failed" } : entry
      const without = {
        ...input,
        deposits: input.deposits?.map(settled) ?? [],
        transfers: input.transfers?.map(settled) ?? []
      }
      assert.isTrue(said("x", without).final, JSON.stringify(outcomes(without)))
    }
    const other: Run.Input = {
      deposits: [deposit("x", 0)],
      transfers: [transfer("t", 5, { asset: "ETH", ...pending }), transfer("u", 3000, pending)]
    }
    assert.isTrue(said("x", other).final)
  })

  describe("a deposit that is pending for long", () => {
    const DAY = 24 * 60
    /** A transfer so many minutes behind a deposit, for which nothing else is there. */
    const behind = (minutes: number, deposited: Run.Input["deposits"], policy: Run.Input["policy"] = {}) =>
      said("t", { deposits: deposited ?? [], transfers: [transfer("t", minutes, a)], policy })

    it("may settle at any time while the service shows it, so that no transfer until then is missing for good", () => {
      for (const minutes of [5, DAY, 2 * DAY, 7 * DAY]) {
        for (const status of ["pending", "unknown"] as const) {
          const { code, final } = behind(minutes, [deposit("d", 0, { status })])
          assert.isFalse(final, `${code} after ${minutes} minutes`)
        }
      }
      // Other deposits between them have nothing to do with it.
      const many = Array.from({ length: 20 }, (_, day) => deposit(`e${day}`, day * 300, { amount: "7" }))
      assert.isFalse(behind(4 * DAY, [deposit("d", 0, pending), ...many]).final)
    })

    it("holds up no transfer of another asset, none before it, and none after the service forgot it", () => {
      const { code, final } = behind(9 * DAY, [deposit("d", 0, pending)])
      assert.deepStrictEqual([code, final], ["missing-deposit", true])
      assert.isTrue(behind(3 * DAY, [deposit("d", 0, { asset: "ETH", ...pending })]).final)
      assert.isTrue(behind(-2 * DAY, [deposit("d", 0, pending)]).final)
      assert.isTrue(behind(3 * DAY, [deposit("d", 0, { status: "failed" })]).final)
    })

    it("holds up nothing where a lag counts from the deposit's own time alone", () => {
      assert.isTrue(behind(3 * DAY, [deposit("d", 0, pending)], { lagFrom: "seen" }).final)
    })
  })

  it("says what happens to what has nothing to do with it", () => {
    assert.deepStrictEqual(
      outcomes({
        deposits: [deposit("d1", 0, a), deposit("d2", 3000, a)],
        transfers: [transfer("t1", 5, { account: "b", ...pending }), transfer("t2", 3100, a)]
      }),
      ["late d2 t2", "missing-transfer d1", "unconfirmed t1"]
    )
  })
})
