import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as Entry from "../src/Entry.ts"
import * as Past from "../src/internal/Past.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Report from "../src/Report.ts"
import * as Run from "./support/WordsOnly.ts"

const { deposit, outcomes, transfer } = Run

const LATER = Run.T0 + Run.DAY

/** What was said of an entry at T0 and is not said any more. */
const was = (...statuses: ReadonlyArray<Entry.Status>): Past.Past => ({
  statuses: statuses.map((status, index) => ({ status, seenAt: Run.T0 + index }))
})
const gone = { past: { statuses: [], vanishedAt: LATER } }
const takenBack = { status: "pending", past: was("settled") } as const
const otherwise = (...contents: ReadonlyArray<unknown>) => ({
  past: { statuses: [], conflicts: contents.map((content) => JSON.stringify(content)) }
})

const find = (input: Run.Input, code: Outcome.Code): Outcome.Outcome => {
  const found = Run.match(input).outcomes.find((outcome) => outcome.code === code)
  assert.isDefined(found, Run.outcomes(input).join("; "))
  return found
}

const until = (minutes: number) =>
  Run.complete.map((coverage) =>
    Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
  )

describe("what is to be objected to an entry", () => {
  it("is nothing where it has no past, or one in which it only came on", () => {
    assert.isUndefined(Past.objection("settled", undefined))
    assert.isUndefined(Past.objection("pending", undefined))
    assert.isUndefined(Past.objection("settled", was("pending", "failed", "settled", "unknown")))
    assert.isUndefined(Past.objection("failed", was("pending", "unknown", "failed")))
    assert.isUndefined(Past.objection("pending", was("unknown", "pending")))
    assert.isUndefined(Past.objection("settled", { statuses: [], conflicts: [] }))
  })

  it("is that its status went back from settled, or from failed to waiting", () => {
    for (const status of ["pending", "failed", "unknown"] as const) {
      assert.strictEqual(Past.objection(status, was("pending", "settled", "pending")), "status-regressed")
    }
    assert.strictEqual(Past.objection("pending", was("failed")), "status-regressed")
    assert.strictEqual(Past.objection("unknown", was("failed")), "status-regressed")
  })

  it("is the gravest of several", () => {
    const vanished = { ...was("settled"), vanishedAt: LATER }
    assert.strictEqual(Past.objection("pending", vanished), "vanished")
    assert.strictEqual(Past.objection("settled", vanished), "vanished")
    assert.strictEqual(Past.objection("pending", { ...vanished, conflicts: ["{}"] }), "source-conflict")
  })
})

describe("an entry that vanished", () => {
  it("is matched with nothing; a lone counterpart belongs to its outcome, on either side", () => {
    const ofDeposit = { deposits: [deposit("d1", 0, gone)], transfers: [transfer("t1", 5)] }
    assert.deepStrictEqual(outcomes(ofDeposit), ["vanished d1 t1"])
    assert.strictEqual(
      find(ofDeposit, "vanished").explanation,
      "The transfer of 1 BTC on 15 Jan 2027 08:05 UTC fits deposit d1, but that one is no longer shown by the source: a complete reading on 16 Jan 2027 08:00 UTC did not have it. The two are not matched."
    )
    const ofTransfer = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, gone)] }
    assert.deepStrictEqual(outcomes(ofTransfer), ["vanished d1 t1"])
    assert.match(
      find(ofTransfer, "vanished").explanation,
      /^The deposit of 1 BTC on 15 Jan 2027 08:00 UTC fits transfer t1, but that one is no longer shown/
    )
    assert.include(find(ofTransfer, "vanished"), { outcome: "discrepancy", final: true })
    assert.deepStrictEqual(find(ofTransfer, "vanished").candidates, [], "its own members are no candidates")
  })

  it("stands alone without one: whatever is outside the window, of another account, or not settled, is none", () => {
    const alone = (transfers: ReadonlyArray<Entry.Entry>) =>
      outcomes({ deposits: [deposit("d1", 0, { ...gone, account: "a" })], transfers })
    assert.deepStrictEqual(alone([]), ["vanished d1"])
    assert.deepStrictEqual(alone([transfer("t1", 61)]), ["missing-deposit t1", "vanished d1"])
    assert.deepStrictEqual(alone([transfer("t1", 5, { account: "b" })]), ["missing-deposit t1", "vanished d1"])
    assert.deepStrictEqual(alone([transfer("t1", 5, { status: "pending" })]), ["unconfirmed t1", "vanished d1"])
    assert.deepStrictEqual(alone([transfer("t1", 5, gone)]), ["vanished d1", "vanished t1"])
  })

  it("shares one outcome with all that may be its counterpart, and none is picked", () => {
    const input = {
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 5, gone), transfer("t2", 6, gone)]
    }
    assert.deepStrictEqual(outcomes(input), ["vanished d1 d2 t1 t2"])
    const { explanation } = find(input, "vanished")
    assert.match(
      explanation,
      /^2 deposits and 2 transfers of 1 BTC between 15 Jan 2027 08:00 UTC and 08:06 may belong together, but transfer t1 /
    )
    assert.include(explanation, "; transfer t2 is no longer shown")
    assert.match(explanation, /Which belongs to which is not known\.$/)
  })

  it("leaves others their counterpart, and says where what was equal went", () => {
    const input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5), transfer("t2", 6, gone)] }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t1", "vanished t2"])
    assert.deepStrictEqual(find(input, "vanished").candidates, [
      { side: "deposit", id: "d1", reason: "It is equal, but belongs to transfer t1, which has no other." }
    ])
    assert.deepStrictEqual(find(input, "exact").candidates, [{
      side: "transfer",
      id: "t2",
      reason:
        "It is equal, but is no longer shown by the source: a complete reading on 16 Jan 2027 08:00 UTC did not have it."
    }])
  })

  it("is named by a class that is short of it", () => {
    const input = {
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 10), transfer("t2", 11, gone)]
    }
    assert.deepStrictEqual(outcomes(input), ["class-short d1 d2 t1", "vanished t2"])
    const { candidates, explanation } = find(input, "class-short")
    assert.isTrue(candidates.some(({ id }) => id === "t2"))
    assert.include(explanation, "in dispute")
  })

  it("comes before a status that went back, a failure, and any other discrepancy", () => {
    const others = (...transfers: ReadonlyArray<Entry.Entry>) =>
      outcomes({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, gone), ...transfers] })
    assert.deepStrictEqual(others(transfer("t2", 5, takenBack)), ["status-regressed t2", "vanished d1 t1"])
    assert.deepStrictEqual(others(transfer("t2", 5, { status: "failed" })), ["not-settled t2", "vanished d1 t1"])
    assert.deepStrictEqual(others(transfer("t2", 61)), ["missing-deposit t2", "vanished d1 t1"])
    assert.deepStrictEqual(
      outcomes({ transfers: [transfer("t1", 5, { ...gone, from: "x", to: "y" })] }),
      ["vanished t1"],
      "not even out of the flows"
    )
    assert.deepStrictEqual(
      outcomes({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { ...gone, from: "x", to: "y" })] }),
      ["missing-transfer d1", "vanished t1"],
      "nor does that answer any deposit"
    )
    const back = {
      transfers: [transfer("t1", 0, { ...gone, from: "a", to: "" }), transfer("t2", 5, { from: "", to: "a" })]
    }
    assert.deepStrictEqual(outcomes(back), ["out-of-flow t2", "vanished t1"], "what vanished was not moved back")
  })

  it("is final once its horizon is read, and not before", () => {
    const input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, gone)], policy: { late: "1 hour" } }
    assert.isTrue(find({ ...input, coverage: until(126) }, "vanished").final)
    assert.isFalse(find({ ...input, coverage: until(120) }, "vanished").final)
  })

  it("is what the policy says where the policy names it", () => {
    const input = { deposits: [deposit("d1", 0, gone)], transfers: [transfer("t1", 5)] }
    assert.deepStrictEqual(outcomes({ ...input, policy: { exclude: [{ id: "d1" }] } }), [
      "excluded d1",
      "missing-deposit t1"
    ])
    assert.deepStrictEqual(outcomes({ ...input, policy: { minAmount: { BTC: "2" } } }), ["excluded d1", "excluded t1"])
    const links = [{ deposits: ["d1"], transfers: ["t1"] }] as const
    assert.deepStrictEqual(outcomes({ ...input, policy: { links } }), ["linked d1 t1"])
    const forbid = [{ deposit: "d1", transfer: "t1" }]
    assert.deepStrictEqual(outcomes({ ...input, policy: { forbid } }), ["missing-deposit t1", "vanished d1"])
    const excluded = { ...input, policy: { exclude: [{ id: "d1" }] } }
    assert.deepStrictEqual(find(excluded, "missing-deposit").candidates, [])
  })
})

describe("an entry whose status went back", () => {
  it("stands with its lone counterpart, or alone, and says from what to what", () => {
    const input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, takenBack)] }
    assert.deepStrictEqual(outcomes(input), ["status-regressed d1 t1"])
    assert.strictEqual(
      find(input, "status-regressed").explanation,
      "The deposit of 1 BTC on 15 Jan 2027 08:00 UTC fits transfer t1, but that one went back from settled (seen on 15 Jan 2027 08:00 UTC) to pending. The two are not matched."
    )
    assert.deepStrictEqual(outcomes({ deposits: [deposit("d1", 0, { status: "failed", past: was("settled") })] }), [
      "status-regressed d1"
    ])
    assert.include(
      find({ deposits: [deposit("d1", 0, { status: "unknown", past: was("failed") })] }, "status-regressed")
        .explanation,
      "went back from failed (seen on 15 Jan 2027 08:00 UTC) to a status that the policy does not know"
    )
  })

  it("is matched as always when it is settled now, whatever it was", () => {
    const past = was("settled", "pending", "failed")
    const input = { deposits: [deposit("d1", 0, { past })], transfers: [transfer("t1", 5)] }
    assert.deepStrictEqual(outcomes(input), ["exact d1 t1"])
  })

  it("is no failed attempt, unless it was never settled", () => {
    const failed = (past: Past.Past) =>
      outcomes({ deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { status: "failed", past })] })
    assert.deepStrictEqual(failed(was("settled")), ["status-regressed d1 t1"])
    assert.deepStrictEqual(failed(was("pending")), ["failed-attempt d1 t1"])
  })
})

describe("an entry that was told in several ways", () => {
  const record = { side: "transfer", id: "t1", asset: "BTC", amount: "1" }
  const told = transfer("t1", 5, otherwise({ ...record, amount: "2" }, { ...record, asset: "ETH", amount: "3" }))

  it("is a conflict of its own, that says how many contents there are, when, and how they differ", () => {
    const input = { deposits: [deposit("d1", 0)], transfers: [told] }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "source-conflict t1"])
    const found = find(input, "source-conflict")
    assert.strictEqual(
      found.explanation,
      "The source gave 3 versions of transfer t1: 1 BTC was moved on 15 Jan 2027 08:05 UTC; it also came with amount 2 instead of 1; and with asset ETH instead of BTC, amount 3 instead of 1. None of them is matched."
    )
    assert.deepStrictEqual(found.candidates.map(({ reason }) => reason), [
      "It also came with amount 2 instead of 1.",
      "It also came with asset ETH instead of BTC, amount 3 instead of 1."
    ])
  })

  it("is named by entries beside it, equal to one of its contents in any alias or not, and they are never final", () => {
    for (const [asset, amount] of [["BTC", "1"], ["BTC", "2"], ["ETH", "3.0"]] as const) {
      const found = find({ deposits: [deposit("d1", 0, { asset, amount })], transfers: [told] }, "missing-transfer")
      assert.deepStrictEqual(found.candidates, [
        { side: "transfer", id: "t1", reason: "The source gave 3 versions of it, one of them of that amount." }
      ])
      assert.isFalse(found.final)
    }
    const other = find({ deposits: [deposit("d1", 0, { amount: "7" })], transfers: [told] }, "missing-transfer")
    assert.deepStrictEqual(other.candidates, [
      { side: "transfer", id: "t1", reason: "The source gave 3 versions of it, one of which may belong here." }
    ])
    assert.isFalse(other.final)
  })

  it("is named only in the window", () => {
    const named = (minutes: number, fields: Partial<Entry.Entry>, ...more: ReadonlyArray<Entry.Entry>) => {
      const transfers = [transfer("t1", minutes, fields), ...more]
      return find({ deposits: [deposit("d1", 0)], transfers, policy: { late: 0 } }, "missing-transfer").candidates
        .length
    }
    const inArchive = otherwise({ ...record, amount: "1" })
    assert.deepStrictEqual([-2, -1, 60, 61].map((minutes) => named(minutes, { amount: "2", ...inArchive })), [
      0,
      1,
      1,
      0
    ])
    const inOneRun = (minutes: number) => named(minutes, {}, transfer("t1", minutes, { amount: "2" }))
    assert.deepStrictEqual([-2, -1, 60, 61].map(inOneRun), [0, 1, 1, 0])
  })

  it("compares the service's own records field by field, and reads what they say", () => {
    const own = {
      tranId: "t1",
      fromAccount: "a",
      toAccount: "",
      fromAccountType: "SPOT",
      toAccountType: "SPOT",
      asset: "BTC",
      amount: "1",
      status: "SUCCESS",
      clientTranId: "",
      timestamp: Run.T0
    }
    const entry = transfer("t1", 0, {
      from: "a",
      to: "",
      record: own,
      ...otherwise({ ...own, amount: "2", fromAccount: "b" })
    })
    const of = (account: string, amount: string) => ({
      deposits: [deposit("d1", 0, { account, amount })],
      transfers: [entry]
    })
    assert.include(
      find(of("a", "1"), "source-conflict").explanation,
      "also came with fromAccount b instead of a, amount 2 instead of 1."
    )
    const named = (account: string, amount: string) =>
      find(of(account, amount), "missing-transfer").candidates.find(({ id }) => id === "t1")?.reason
    const [equal, unlike] = [
      "The source gave 2 versions of it, one of them of that amount.",
      "The source gave 2 versions of it, one of which may belong here."
    ]
    assert.deepStrictEqual([named("a", "1"), named("b", "2")], [equal, equal])
    assert.deepStrictEqual([named("b", "1"), named("a", "2"), named("c", "1")], [unlike, unlike, undefined])
  })

  it("is a conflict also when its other contents cannot be read", () => {
    const past = { statuses: [], conflicts: ["no JSON", "[]"] }
    assert.match(
      find({ deposits: [deposit("d1", 0, { past })] }, "source-conflict").explanation,
      /3 versions .* with contents that cannot be read; and with contents that cannot be read\. /
    )
  })

  it("comes before everything else, and takes no counterpart with it", () => {
    const past = { ...takenBack.past, vanishedAt: LATER, conflicts: ["{}"] }
    const input = { deposits: [deposit("d1", 0)], transfers: [transfer("t1", 5, { status: "pending", past })] }
    assert.deepStrictEqual(outcomes(input), ["missing-transfer d1", "source-conflict t1"])
  })

  it("is a warning to a class that is short, which is then not final", () => {
    const input = {
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 10), transfer("t2", 11, otherwise({ asset: "BTC", amount: "4" }))]
    }
    assert.isFalse(find(input, "class-short").final)
    assert.isTrue(find({ ...input, transfers: input.transfers.slice(0, 1) }, "class-short").final)
    const versions = [transfer("t2", 11), transfer("t2", 11, { amount: "4" })]
    const inOneRun = find({ ...input, transfers: [...input.transfers.slice(0, 1), ...versions] }, "class-short")
    assert.isFalse(inOneRun.final)
    assert.isTrue(inOneRun.candidates.some(({ id }) => id === "t2"))
  })

  it("may be the counterpart instead of what failed, came late or is of another account", () => {
    const versions = [transfer("x", 5), transfer("x", 5, { amount: "7" })]
    const told: ReadonlyArray<readonly [Outcome.Code, Entry.Entry, Entry.Entry]> = [
      ["failed-attempt", deposit("d1", 0), transfer("f1", 5, { status: "failed" })],
      ["late", deposit("d1", 0), transfer("t1", 200)],
      ["account-mismatch", deposit("d1", 0, { account: "a" }), transfer("t1", 5, { account: "b" })]
    ]
    for (const [code, first, second] of told) {
      assert.isTrue(find({ deposits: [first], transfers: [second] }, code).final, code)
      const beside = find({ deposits: [first], transfers: [second, ...versions] }, code)
      assert.isFalse(beside.final, code)
      assert.isTrue(beside.candidates.some(({ id }) => id === "x"), code)
      assert.include(
        beside.explanation,
        " An equal entry in dispute may be the counterpart instead (see the candidates).",
        code
      )
    }
  })
})

describe("the same entry twice", () => {
  it("counts with the graver past, in whatever order it comes", () => {
    const entries = [deposit("d1", 0), deposit("d1", 0, gone), deposit("d1", 0, { past: was("pending") })]
    for (const deposits of [entries, entries.toReversed()]) {
      assert.deepStrictEqual(outcomes({ deposits, transfers: [transfer("t1", 5)] }), ["vanished d1 t1"])
    }
  })
})

describe("a report", () => {
  it("keeps the past of its entries", () => {
    const { outcomes } = Run.match({ deposits: [deposit("d1", 0, gone)], transfers: [transfer("t1", 5)] })
    const codec = Schema.fromJsonString(Schema.toCodecJson(Schema.Array(Report.ReportOutcome)))
    assert.deepStrictEqual(Schema.decodeSync(codec)(Schema.encodeSync(codec)(outcomes)), outcomes)
  })
})

describe("a deposit that settled long after its own time", () => {
  const LATE = 30 * 60
  const settled = (id: string, minutes: number, delay = LATE) =>
    deposit(id, minutes, {
      past: { statuses: was("pending").statuses, settledAt: Run.T0 + (minutes + delay) * Run.MINUTE }
    })

  it("belongs to the transfer that came in the window from when it was first seen settled, where neither has another", () => {
    const input = { deposits: [settled("d1", 0)], transfers: [transfer("t1", LATE + 10)] }
    const found = find(input, "exact")
    assert.include(found, { final: true, decidedBy: "forced", lagMs: (LATE + 10) * Run.MINUTE })
    assert.strictEqual(
      found.explanation,
      "1 BTC arrived on 15 Jan 2027 08:00 UTC and was moved 1 d 6 h later, 10 min after the deposit was first seen settled. Nothing else fits."
    )
    const to = (after: number) => outcomes({ ...input, transfers: [transfer("t1", LATE + after)] })
    assert.deepStrictEqual(to(-1), ["exact d1 t1"])
    assert.deepStrictEqual(to(60), ["exact d1 t1"])
    assert.deepStrictEqual(to(61), ["late d1 t1"])
    assert.deepStrictEqual(to(60 + 23 * 60), ["late d1 t1"])
    assert.deepStrictEqual(to(60 + 23 * 60 + 1), ["missing-deposit t1", "missing-transfer d1"])
  })

  it("still belongs to the transfer in the window from its own time", () => {
    const transfers = [transfer("t1", 5), transfer("t2", LATE + 10)]
    assert.deepStrictEqual(outcomes({ deposits: [settled("d1", 0)], transfers }), ["exact d1 t1", "missing-deposit t2"])
  })

  it("is ambiguous where several came then, or several settled then", () => {
    const several = { deposits: [settled("d1", 0)], transfers: [transfer("t1", LATE + 10), transfer("t2", LATE + 20)] }
    assert.deepStrictEqual(outcomes(several), ["ambiguous d1 t1 t2"])
    const two = { deposits: [settled("d1", 0), settled("d2", 7 * 60)], transfers: [transfer("t1", LATE + 10)] }
    assert.deepStrictEqual(outcomes(two), ["ambiguous d1 d2 t1"])
  })

  it("is not missing before the window from when it settled was read, nor is its transfer final", () => {
    const deposits = [settled("d1", 0)]
    assert.deepStrictEqual(outcomes({ deposits, coverage: until(LATE + 30) }), ["in-flight d1"])
    assert.deepStrictEqual(outcomes({ deposits, coverage: until(LATE + 61) }), ["missing-transfer d1"])
    const gap = Run.complete.flatMap((coverage) =>
      coverage.operation === "deposits" ? [coverage] : [
        Object.assign({}, coverage, { to: Run.T0 + LATE * Run.MINUTE, readAt: Run.T0 + LATE * Run.MINUTE }),
        Object.assign({}, coverage, { from: Run.T0 + (LATE + 20) * Run.MINUTE })
      ]
    )
    const input = { deposits, transfers: [transfer("t1", LATE + 30)], coverage: gap }
    assert.deepStrictEqual(outcomes(input), ["coverage-gap d1", "coverage-gap t1"])
    assert.isFalse(find(input, "coverage-gap").final)
  })

  it("counts only from its own time where the policy says so", () => {
    const input: Run.Input = { deposits: [settled("d1", 0)], transfers: [transfer("t1", LATE + 10)] }
    assert.deepStrictEqual(outcomes({ ...input, policy: { lagFrom: "seen" } }), [
      "missing-deposit t1",
      "missing-transfer d1"
    ])
  })

  it("is matched by an equal reference as well, and is an amount mismatch where the amounts differ", () => {
    const deposits = [{ ...settled("d1", 0), reference: "r" }]
    const to = (amount: string) =>
      outcomes({ deposits, transfers: [transfer("t1", LATE + 10, { reference: "r", amount })] })
    assert.deepStrictEqual(to("1"), ["reference d1 t1"])
    assert.deepStrictEqual(to("2"), ["amount-mismatch d1 t1"])
  })
})
