import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "../src/Accounts.ts"
import type * as Entry from "../src/Entry.ts"
import * as Unusable from "../src/internal/engine/outcomes/Unusable.ts"
import * as Driver from "../src/internal/engine/stream/Driver.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/Run.ts"

const { deposit, outcomes, transfer } = Run

/** First seen settled so many minutes after the start, and last seen unsettled before. */
const settled = (unsettledAt: number, settledAt: number): Pick<Entry.Entry, "past"> => ({
  past: {
    statuses: [{ status: "pending", seenAt: Run.T0 }],
    unsettledAt: Run.T0 + unsettledAt * Run.MINUTE,
    settledAt: Run.T0 + settledAt * Run.MINUTE
  }
})

const lines = (found: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<string> =>
  found.map((outcome) =>
    `${Run.summary([outcome]).join()}${outcome.final ? "" : " not final"}${
      outcome.candidates.map(({ id }) => ` ${id}?`).join("")
    }`
  ).toSorted()

/** Each outcome, whether it is final, and its candidates. */
const told = (input: Run.Input): ReadonlyArray<string> => lines(Run.match(input).outcomes)

const reasons = (input: Run.Input): ReadonlyArray<string> =>
  Run.match(input).outcomes.flatMap(({ candidates }) => candidates.map(({ id, reason }) => `${id} ${reason}`))
    .toSorted()

/** The same of a stream that reads an hour at a time. */
const inSteps = ({ deposits = [], transfers = [] }: Run.Input): ReadonlyArray<string> => {
  const driver = Driver.make({ policy: Run.policy(), accounts: Accounts.none, enough: 1 })
  const found: Array<Outcome.Outcome> = []
  const end = 6000
  for (let from = -600; from < end; from += 60) {
    const [start, to] = [Run.T0 + from * Run.MINUTE, Run.T0 + (from + 60) * Run.MINUTE]
    const within = (entries: ReadonlyArray<Entry.Entry>) => entries.filter(({ at }) => at >= start && at < to)
    found.push(
      ...Array.from(driver.advance({
        deposits: within(deposits),
        transfers: within(transfers),
        unusable: Unusable.none,
        coverage: Run.complete.map((coverage) => Object.assign({}, coverage, { to })),
        watermark: to,
        ended: from + 60 >= end
      })).flat()
    )
  }
  return lines(found)
}

const two = [deposit("d0", 0), deposit("d1", 2)]

describe("what is short of a counterpart, and one that was left over", () => {
  it("name each other where the one may be late for the other, and neither is final", () => {
    const input = { deposits: two, transfers: [transfer("t0", 5), transfer("t2", 100)] }
    assert.deepStrictEqual(told(input), ["class-short d0 d1 t0 not final t2?", "missing-deposit t2 not final d1? d0?"])
    assert.deepStrictEqual(reasons(input), [
      "d0 It is equal and near enough to be late or early, but belongs to another break.",
      "d1 It is equal and near enough to be late or early, but belongs to another break.",
      "t2 It is equal and near enough to be late or early, but belongs to another break."
    ])
    assert.strictEqual(
      Run.match(input).outcomes.find(({ code }) => code === "class-short")?.explanation,
      "2 deposits and 1 transfer of 1 BTC between 15 Jan 2027 08:00 UTC and 08:05 cannot be told apart. They make 1 pair and leave 1 deposit without a transfer, whichever they are. An entry of another item may belong here instead (see the candidates)."
    )
  })

  it("do so however many are in the class, and whichever side is short, or early", () => {
    assert.deepStrictEqual(
      told({
        deposits: [...two, deposit("d2", 3)],
        transfers: [transfer("t0", 5), transfer("t1", 6), transfer("t2", 100)]
      }),
      ["class-short d0 d1 d2 t0 t1 not final t2?", "missing-deposit t2 not final d2? d1? d0?"]
    )
    assert.deepStrictEqual(told({ deposits: two, transfers: [transfer("t0", 5), transfer("t2", -60)] }), [
      "class-short d0 d1 t0 not final t2?",
      "missing-deposit t2 not final d0? d1?"
    ])
    assert.deepStrictEqual(
      told({ deposits: [deposit("d0", 0), deposit("d1", -60)], transfers: [transfer("t0", 5), transfer("t1", 6)] }),
      ["class-short d0 t0 t1 not final d1?", "missing-transfer d1 not final t0? t1?"]
    )
  })

  it("do so where a tolerance leaves open which belong together, but not where all of them have a counterpart", () => {
    const policy = { tolerance: { absolute: "0.1" } }
    const [d0, d1, t2] = [deposit("d0", 0), deposit("d1", 2, { amount: "1.05" }), transfer("t2", 100)]
    assert.deepStrictEqual(told({ policy, deposits: [d0, d1], transfers: [transfer("t0", 5), t2] }), [
      "ambiguous d0 d1 t0 not final t0? t0? t2?",
      "missing-deposit t2 not final d0?"
    ])
    assert.deepStrictEqual(
      told({ policy, deposits: [d0, d1], transfers: [transfer("t0", 5), transfer("t1", 6), t2] }),
      ["ambiguous d0 d1 t0 t1 t0? t1? t0? t1?", "missing-deposit t2"]
    )
  })

  it("do so in the window of another account, or in the wrong direction", () => {
    const a = { account: "a" }
    const deposits = [deposit("d0", 0, a), deposit("d1", 2, a)]
    const t0 = transfer("t0", 5, a)
    const elsewhere = { deposits, transfers: [t0, transfer("t2", 10, { account: "b" })] }
    assert.deepStrictEqual(told(elsewhere), [
      "class-short d0 d1 t0 not final t2?",
      "missing-deposit t2 not final d1? d0?"
    ])
    assert.include(
      reasons(elsewhere),
      "d0 It is equal and in the window, though of another account, but belongs to another break."
    )
    const back = { deposits, transfers: [t0, transfer("t2", 10, { from: "", to: "a" })] }
    assert.deepStrictEqual(told(back), ["class-short d0 d1 t0 not final t2?", "out-of-flow t2 not final d1? d0?"])
    assert.include(
      reasons(back),
      "t2 It is equal and in the window, though in the wrong direction, but belongs to another item that is set aside."
    )
    assert.deepStrictEqual(
      told({ deposits, transfers: [t0, transfer("t2", 100, { account: "b" })] }),
      ["class-short d0 d1 t0", "missing-deposit t2"],
      "late and of another account it is nobody's"
    )
  })

  it("do not where the class is short of the other side", () => {
    assert.deepStrictEqual(told({ deposits: [...two, deposit("d9", 200)], transfers: [transfer("t0", 5)] }), [
      "class-short d0 d1 t0",
      "missing-transfer d9"
    ])
  })

  it("do not where the policy forbids the pairs, nor beyond the horizon", () => {
    const forbid = ["d0", "d1"].map((id) => ({ deposit: id, transfer: "t2" }))
    const said = ["class-short d0 d1 t0", "missing-deposit t2"]
    assert.deepStrictEqual(
      told({ policy: { forbid }, deposits: two, transfers: [transfer("t0", 5), transfer("t2", 100)] }),
      said
    )
    assert.deepStrictEqual(
      outcomes({ policy: { late: 0 }, deposits: two, transfers: [transfer("t0", 5), transfer("t2", 100)] }),
      said
    )
  })

  it("leave what shares a reference with its counterpart where it is", () => {
    const x = { reference: "x" }
    assert.deepStrictEqual(
      told({ deposits: [deposit("d1", 0, x)], transfers: [transfer("t1", 100, x), transfer("t3", 5)] }),
      ["late d1 t1", "missing-deposit t3 d1?"]
    )
  })

  it("are told together by a stream, however far apart they lie", () => {
    const [deposits, transfers] = [two, [transfer("t0", 5), transfer("t2", 1300)]]
    const found = inSteps({ deposits, transfers })
    assert.deepStrictEqual(found, told({ deposits, transfers }))
    assert.deepStrictEqual(found, [
      "class-short d0 d1 t0 not final t2?",
      "missing-deposit t2 not final d1? d0?"
    ])
  })
})

describe("a deposit that settled late, and a transfer that came then", () => {
  it("name each other where the deposit is short of a counterpart by its own time", () => {
    assert.deepStrictEqual(
      told({
        policy: { late: 0 },
        deposits: [deposit("d0", 0, settled(590, 600)), deposit("d1", 2)],
        transfers: [transfer("t0", 5), transfer("t2", 605)]
      }),
      ["class-short d0 d1 t0 not final t2?", "missing-deposit t2 not final d0?"]
    )
    assert.deepStrictEqual(
      told({
        policy: { fees: [{ flat: "1" }] },
        deposits: [deposit("d0", 0, { amount: "2", ...settled(85, 90) }), deposit("d1", 100, { amount: "3" })],
        transfers: [transfer("t0", 105, { amount: "3" }), transfer("t1", 110, { amount: "2" })]
      }),
      ["ambiguous d1 t0 t1 not final t0? t1? d0?", "missing-transfer d0 not final t1?"]
    )
  })

  it("name each other where the transfer, or the deposit, is in a pair that is as good", () => {
    const lost = { deposits: [deposit("d2", 0, settled(78, 80)), deposit("d1", 74)], transfers: [transfer("t1", 81)] }
    assert.deepStrictEqual(told(lost), ["exact d1 t1 not final d2?", "missing-transfer d2 not final t1?"])
    assert.include(
      reasons(lost),
      "t1 It fits as well, counted from when the deposit settled, but belongs to deposit d1."
    )
    const kept = {
      deposits: [deposit("d0", 0, settled(590, 600))],
      transfers: [transfer("t0", 5), transfer("t2", 605)]
    }
    assert.deepStrictEqual(told(kept), ["exact d0 t0 not final t2?", "missing-deposit t2 not final d0?"])
    assert.include(
      reasons(kept),
      "d0 It fits as well, counted from when the deposit settled, but belongs to transfer t0."
    )
    for (const input of [lost, kept]) assert.deepStrictEqual(inSteps(input), told(input))
    assert.deepStrictEqual(
      told({ deposits: [...kept.deposits, deposit("d5", 600)], transfers: kept.transfers }),
      ["exact d0 t0", "exact d5 t2"],
      "nothing is left over"
    )
    assert.deepStrictEqual(told({ ...lost, policy: { lagFrom: "seen" } }), ["exact d1 t1", "missing-transfer d2"])
    assert.deepStrictEqual(
      told({ ...lost, transfers: [transfer("t1", 76)] }),
      ["exact d1 t1", "missing-transfer d2"],
      "it was not settled by then"
    )
  })

  it("name each other where the transfer is in a class", () => {
    assert.deepStrictEqual(
      told({
        deposits: [deposit("d0", 0, settled(590, 600)), deposit("d1", 600), deposit("d2", 601)],
        transfers: [transfer("t1", 605)]
      }),
      ["class-short d1 d2 t1 not final d0?", "missing-transfer d0 not final t1?"]
    )
  })

  it("name each other where another transfer for the deposit failed", () => {
    const input = {
      deposits: [deposit("d2", 0, settled(2999, 3000)), deposit("d1", 2999)],
      transfers: [transfer("t1", 3001), transfer("t0", 3015, { status: "failed" })]
    }
    assert.deepStrictEqual(told(input), ["exact d1 t1 not final d2?", "failed-attempt d2 t0 not final t1?"])
  })

  it("name each other where the transfer was taken as late, or of another account, and differs by a fee", () => {
    assert.deepStrictEqual(
      told({
        policy: { tolerance: { absolute: "0.1" } },
        deposits: [deposit("d1", 0, settled(180, 184)), deposit("d3", 100, { amount: "1.1" })],
        transfers: [transfer("t0", 185, { amount: "1.1" })]
      }),
      ["late d3 t0 not final d1?", "missing-transfer d1 not final t0?"]
    )
    assert.deepStrictEqual(
      told({
        policy: { fees: [{ flat: "0.1" }] },
        deposits: [
          deposit("d0", 0, { amount: "1.1", account: "a", ...settled(180, 184) }),
          deposit("d3", 184, { account: "b" })
        ],
        transfers: [transfer("t0", 185, { account: "a" })]
      }),
      ["account-mismatch d3 t0 not final d0?", "missing-transfer d0 not final t0?"]
    )
  })

  it("are not final where the deposit may be a part of a sum, whatever else the sum or its parts are in", () => {
    assert.deepStrictEqual(
      told({
        deposits: [
          deposit("d1", 0, settled(180, 184)),
          deposit("d2", 180, { amount: "2" }),
          deposit("d3", 100, { amount: "3" })
        ],
        transfers: [transfer("t0", 185, { amount: "3" })]
      }),
      ["late d3 t0 not final", "missing-transfer d1 not final t0?", "missing-transfer d2 not final"]
    )
  })
})
