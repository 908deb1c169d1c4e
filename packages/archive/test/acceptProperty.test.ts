/** Whatever changes of the facts that were accepted, the outcome is open again; whatever else changes, it stays accepted. */
import { assert, describe, it } from "@effect/vitest"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import type * as Decision from "../src/Decision.ts"
import * as Accepting from "../src/internal/ledger/Accepting.ts"
import * as Facts from "../src/internal/ledger/Facts.ts"
import { NOW } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const Small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))

const Member = Schema.Struct({ asset: Schema.Literals(["BTC", "ETH"]), amount: Small, at: Small, status: Entry.Status })

/** A discrepancy of a few entries; what is absent is so in some of them. */
const Made = Schema.Struct({
  code: Schema.Literals(Outcome.codes.discrepancy),
  deposits: Schema.Array(Member).check(Schema.isMinLength(1), Schema.isMaxLength(3)),
  transfers: Schema.Array(Member).check(Schema.isMaxLength(3)),
  residual: Schema.NullOr(Small),
  openCount: Schema.optionalKey(Small),
  openSum: Schema.optionalKey(Small)
})

const outcome = (made: typeof Made.Type): Outcome.Outcome => {
  const entry = (side: Entry.Side) => (member: typeof Member.Type, index: number): Entry.Entry => ({
    side,
    id: `${side}${index}`,
    asset: member.asset,
    amount: `${member.amount}.5`,
    at: NOW + member.at,
    status: member.status
  })
  return {
    id: "0123456789abcdef",
    outcome: "discrepancy",
    code: made.code,
    final: true,
    deposits: made.deposits.map(entry("deposit")),
    transfers: made.transfers.map(entry("transfer")),
    lagMs: null,
    residual: made.residual === null ? null : String(-made.residual),
    ...(made.openCount === undefined ? {} : { openCount: made.openCount }),
    ...(made.openSum === undefined ? {} : { openSum: String(made.openSum) }),
    explanation: "Something is lacking.",
    candidates: []
  }
}

const acceptance = (was: Outcome.Outcome): Decision.Acceptance => {
  const { entries, ...facts } = Facts.of(was)
  if (!Arr.isReadonlyArrayNonEmpty(entries)) return assert.fail()
  return {
    number: 7,
    previous: "",
    at: NOW,
    by: "clerk",
    identity: "token",
    kind: "accept",
    outcome: was.id,
    ...facts,
    entries,
    reason: "other",
    words: "so"
  }
}

const first = (change: (entry: Entry.Entry) => Partial<Entry.Entry>) => (was: Outcome.Outcome): Outcome.Outcome => ({
  ...was,
  deposits: was.deposits.map((entry, index) => index === 0 ? { ...entry, ...change(entry) } : entry)
})

const facts: Readonly<Record<string, (was: Outcome.Outcome) => Outcome.Outcome>> = {
  code: (was) => ({ ...was, code: was.code === "late" ? "early" : "late" }),
  match: (was) => ({ ...was, outcome: "matched", code: "exact" }),
  residual: (was) => ({ ...was, residual: was.residual === null ? "0" : null }),
  openCount: (was) => ({ ...was, openCount: (was.openCount ?? 0) + 1 }),
  openSum: (was) => ({ ...was, openSum: was.openSum === "9" ? "8" : "9" }),
  amount: first(({ amount }) => ({ amount: `1${amount}` })),
  asset: first(({ asset }) => ({ asset: asset === "BTC" ? "ETH" : "BTC" })),
  status: first(({ status }) => ({ status: status === "settled" ? "failed" : "settled" })),
  at: first(({ at }) => ({ at: at + 1 })),
  another: (was) => ({ ...was, transfers: [...was.transfers, { ...was.deposits[0]!, side: "transfer", id: "more" }] }),
  fewer: (was) => ({ ...was, deposits: was.deposits.slice(1), transfers: [...was.transfers].slice(1) }),
  twice: (was) => ({ ...was, deposits: [...was.deposits, was.deposits[0]!] })
}

const others: Readonly<Record<string, (was: Outcome.Outcome) => Outcome.Outcome>> = {
  nothing: (was) => was,
  final: (was) => ({ ...was, final: false }),
  words: (was) => ({ ...was, explanation: "It is otherwise." }),
  candidates: (was) => ({ ...was, candidates: [{ side: "transfer", id: "x", reason: "near" }] }),
  id: (was) => ({ ...was, id: "fedcba9876543210" }),
  order: (was) => ({ ...was, deposits: was.deposits.toReversed(), transfers: was.transfers.toReversed() }),
  account: first(() => ({ account: "a@x", network: "TRX", reference: "r" })),
  zeros: first(({ amount }) => ({ amount: `0${amount}00` }))
}

const one = (names: Readonly<Record<string, unknown>>) => Schema.Literals(Object.keys(names))

/** What a run says of an outcome after one that was accepted became it. */
const said = (was: Outcome.Outcome, is: ReadonlyArray<Outcome.Outcome>) => {
  const accepting = Accepting.make([acceptance(was)], { from: NOW, to: NOW + 100 })
  const accepted = is.map(({ ...outcome }) => accepting.accepted(outcome)?.decision)
  return { accepted, applied: accepting.applied(), faults: accepting.faults().map(({ decision }) => decision) }
}

describe("what was accepted", () => {
  it.prop(
    "is open again whatever of its facts changes, and that is told",
    [Made, one(facts)],
    ([made, name]) => {
      const was = outcome(made)
      assert.deepStrictEqual(said(was, [facts[name]!(was)]), { accepted: [undefined], applied: 0, faults: [7] })
    },
    { arbitrary: { runs: cases(200) } }
  )

  it.prop(
    "stays accepted whatever else changes",
    [Made, one(others)],
    ([made, name]) => {
      const was = outcome(made)
      assert.deepStrictEqual(said(was, [others[name]!(was)]), { accepted: [7], applied: 1, faults: [] })
    },
    { arbitrary: { runs: cases(200) } }
  )

  it("is told where no outcome of its time has its entries any more, and not by a run over other time", () => {
    const was = outcome({
      code: "late",
      deposits: [{ asset: "BTC", amount: 1, at: 0, status: "settled" }],
      transfers: [],
      residual: null
    })
    assert.deepStrictEqual(said(was, []), { accepted: [], applied: 0, faults: [7] })
    const later = Accepting.make([acceptance(was)], { from: NOW + 1, to: NOW + 100 })
    assert.deepStrictEqual(later.faults(), [])
    const [fault] = Accepting.make([acceptance(was)], { from: NOW, to: NOW + 100 }).faults()
    assert.deepStrictEqual(fault, {
      decision: 7,
      of: "decision",
      text:
        "Decision 7 accepts the late of deposit \"deposit0\", and is not followed: no outcome tells of it any more.",
      entries: [{ side: "deposit", id: "deposit0" }]
    })
  })
})
