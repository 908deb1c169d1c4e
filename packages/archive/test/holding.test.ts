/** Where decisions stand, whatever rows the ledger has: also rows that no trial would have let in. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Decision from "../src/Decision.ts"
import * as About from "../src/internal/ledger/About.ts"
import * as Holding from "../src/internal/ledger/Holding.ts"
import { NOW } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const By = Schema.Literals(["clerk", "auditor", "Clerk "])

const isSamePerson = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()
const Target = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))

const Meant = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("exclude"), by: By }),
  Schema.Struct({ kind: Schema.Literal("setting"), by: By, approvals: Schema.Boolean }),
  Schema.Struct({ kind: Schema.Literal("approve"), by: By, decision: Target }),
  Schema.Struct({ kind: Schema.Literal("revoke"), by: By, decision: Target })
])

const body = (meant: typeof Meant.Type, index: number): Decision.Body => {
  const common = { number: index + 1, previous: "", at: NOW, by: meant.by, identity: "claimed", words: "so" } as const
  switch (meant.kind) {
    case "exclude":
      return {
        ...common,
        kind: "exclude",
        reason: "other",
        entries: [{ side: "transfer", id: `t${index}`, asset: "BTC", amount: "1", at: NOW }]
      }
    case "setting":
      return { ...common, kind: "setting", approvals: meant.approvals, authors: "any" }
    default:
      return { ...common, kind: meant.kind, decision: meant.decision }
  }
}

const held = (bodies: ReadonlyArray<Decision.Body>) => {
  const holder = Holding.make()
  for (const body of bodies) holder.add({ id: "", body })
  return holder.held()
}

describe("what a decision is about", () => {
  it.prop(
    "is itself, or what is behind all that it takes back or approves: a decision before it, whatever rows name each other",
    [Schema.Array(Meant).check(Schema.isMaxLength(9))],
    ([all]) => {
      const { decisions } = held(all.map(body))
      const aboutOf = About.make(decisions)
      const behind = (number: number): number | undefined => {
        const one = all[number - 1]
        if (one === undefined || !("decision" in one)) return one === undefined ? undefined : number
        return one.decision < number ? behind(one.decision) : undefined
      }
      for (const decision of decisions) {
        const { number } = decision.body
        assert.strictEqual(aboutOf(decision)?.body.number, behind(number))
      }
    },
    { arbitrary: { runs: cases(100) } }
  )
})

describe("the standing of decisions", () => {
  it.prop(
    "holds without a second person only where no approval was asked for when it was made, and never after a revocation",
    [Schema.Array(Meant).check(Schema.isMaxLength(9))],
    ([all]) => {
      const bodies = all.map(body)
      const standing = bodies.map((_, index) => held(bodies.slice(0, index + 1)))
      const { decisions } = held(bodies)
      const approvalsBefore = (index: number) => (standing[index - 1]?.settings ?? Decision.defaults).approvals
      const waits = (index: number): boolean => {
        const one = bodies[index]
        if (one === undefined || !approvalsBefore(index)) return false
        if (one.kind !== "revoke") return one.kind === "exclude" || one.kind === "setting"
        const target = standing[index - 1]?.decisions[one.decision - 1]
        return target?.body.kind === "exclude" && Decision.holds(target)
      }
      /** The place of the row by which a row counts; none where it never does. */
      const countsAt = (index: number): number => waits(index) ? (decisions[index]?.approvedBy ?? Infinity) - 1 : index
      const revocations = (index: number): ReadonlyArray<number> =>
        bodies.flatMap((one, at) =>
          at > index && one.kind === "revoke" && one.decision === index + 1 ? [countsAt(at)] : []
        )
      for (const [index, decision] of decisions.entries()) {
        const { approvedBy, body, proposed, revokedBy } = decision
        assert.strictEqual(proposed, waits(index) ? true : undefined)
        const agrees = bodies.findIndex((one, at) =>
          at > index && one.kind === "approve" && one.decision === body.number && !isSamePerson(one.by, body.by) &&
          !revocations(index).some((revoked) => revoked < at)
        )
        assert.strictEqual(approvedBy, waits(index) && agrees >= 0 ? agrees + 1 : undefined)
        const isRevoked = revocations(index).some((at) => at < Infinity)
        assert.strictEqual(revokedBy !== undefined, isRevoked)
        assert.strictEqual(Decision.holds(decision), !isRevoked && (!waits(index) || agrees >= 0))
      }
    },
    { arbitrary: { runs: cases(300) } }
  )

  it("is not approved by a row of the same person under another spelling of the name", () => {
    const decisionsBy = (by: typeof By.Type) =>
      held([
        body({ kind: "setting", by: "auditor", approvals: true }, 0),
        body({ kind: "exclude", by: "clerk" }, 1),
        body({ kind: "approve", by, decision: 2 }, 2)
      ]).decisions
    const approvedBy = (by: typeof By.Type) => decisionsBy(by)[1]?.approvedBy
    const ofOneself = (by: typeof By.Type) =>
      Decision.approvalsOfOneself(decisionsBy(by)).map(({ approval, target }) => [approval.body.by, target.body.number])
    assert.deepStrictEqual(ofOneself("Clerk "), [["Clerk ", 2]])
    assert.deepStrictEqual(ofOneself("auditor"), [])
    assert.isUndefined(approvedBy("clerk"))
    assert.isUndefined(approvedBy("Clerk "))
    assert.strictEqual(approvedBy("auditor"), 3)
  })
})
