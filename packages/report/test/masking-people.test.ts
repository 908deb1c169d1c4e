import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Json from "../src/Json.ts"
import * as Masking from "../src/Masking.ts"

describe("a masked report of what people wrote", () => {
  it("hides a number that names an account in the reasons that people gave", () => {
    const accounts = { list: ["12345"], complete: true }
    const input = {
      deposits: [Run.deposit("d1", 0, { account: "12345" }), Run.deposit("d2", 5, { account: "12345" })],
      transfers: [Run.transfer("t1", 2)],
      bad: [],
      coverage: Run.complete,
      accounts,
      policy: Run.policy({
        exclude: [{ id: "d2", reason: "asked by 12345" }],
        links: [{ deposits: ["d1"], transfers: ["t1"], reason: "refund of 12345" }]
      })
    }
    const report = Report.make({ ...input, ...Matching.match(input) })
    assert.include(Json.render(report), "asked by 12345")
    const masked = Json.render(Masking.report(report, accounts))
    assert.include(masked, "asked by account-1")
    assert.include(masked, "refund of account-1")
    assert.notInclude(masked, "12345")
  })

  it("hides names in the ids that warnings tell, also in numbers and within quotation marks", () => {
    const accounts = { list: ["12345", `AC "ME" x`], complete: true }
    const policy = Run.policy({
      exclude: [{ id: `AC "ME" x-9` }],
      links: [{ deposits: ["12345-d1"], transfers: ["t2"] }, { deposits: ["12345-d7"], transfers: ["12345-t7"] }]
    })
    const report = Report.make({
      outcomes: [],
      coverage: [],
      warnings: [
        `The link of "12345-d1" with "t2" could not be followed and was left out.`,
        `The policy excludes entry "AC "ME" x-9", which is not among the entries.`,
        `The policy links deposit "12345-d7", transfer "12345-t7"; not among the entries: deposit "12345-d7".`
      ],
      accounts,
      policy
    })
    const masked = Masking.report(report, accounts)
    assert.deepStrictEqual(masked.warnings, [
      `The link of "account-1-d1" with "t2" could not be followed and was left out.`,
      `The policy excludes entry "account-2-9", which is not among the entries.`,
      `The policy links deposit "account-1-d7", transfer "account-1-t7"; not among the entries: deposit "account-1-d7".`
    ])
  })

  it("hides names in what is told of decisions that could not be followed, and in who decided", () => {
    const accounts = { list: ["4242"], complete: true }
    const text = "Decision 1 excludes transfer \"4242-7\", and is not followed: transfer \"4242-7\" is gone."
    const policy = Run.policy({
      exclude: [{ id: "t9", by: "4242", reason: "asked by 4242" }],
      forbid: [{ deposit: "4242-1", transfer: "t1", by: "4242" }]
    })
    const report = Report.make({ outcomes: [], coverage: [], warnings: [text], accounts, policy })
    const masked = Masking.report({
      ...report,
      decisions: {
        head: { number: 1, id: "0".repeat(64) },
        applied: 0,
        faults: [{ decision: 1, of: "decision", text, entries: [{ side: "transfer", id: "4242-7" }] }]
      }
    }, accounts)
    assert.deepStrictEqual(masked.warnings, [text.replaceAll("4242", "account-1")])
    assert.deepStrictEqual(masked.decisions?.faults, [
      {
        decision: 1,
        of: "decision",
        text: text.replaceAll("4242", "account-1"),
        entries: [{ side: "transfer", id: "account-1-7" }]
      }
    ])
    assert.notInclude(Json.render(masked), "4242")
  })

  it("leaves out the words of facts that do not fit their outcome", () => {
    const input = {
      deposits: [Run.deposit("d1", 0)],
      transfers: [],
      bad: [],
      coverage: Run.complete,
      accounts: Accounts.none,
      policy: Run.policy()
    }
    const report = Report.make({ ...input, ...Matching.match(input) })
    const [outcome] = report.outcomes
    assert.isDefined(outcome)
    const unfit: ReadonlyArray<Partial<Outcome.Outcome>> = [
      { because: { code: "moved-back" } },
      { because: { code: "no-counterpart", taken: false }, deposits: [], transfers: [] },
      { because: { code: "sum-falls-short", sum: "1" } }
    ]
    for (const one of unfit) {
      const [masked] = Masking.report({ ...report, outcomes: [{ ...outcome, ...one }] }, Accounts.none).outcomes
      assert.strictEqual(masked?.explanation, "masked")
    }
  })

  it("reads no report in which a text stands for an amount", () => {
    const isRead = Schema.is(Outcome.Because)
    const because = (fee: string) => ({ code: "within-noise", fee: { flat: "0", rate: fee } })
    assert.isTrue(isRead(because("0.1")))
    for (const rate of ["x", "1e400000000"]) assert.isFalse(isRead(because(rate)))
    assert.isFalse(isRead({ code: "sum-falls-short", sum: "QXALPHA7" }))
    assert.isFalse(isRead({ code: "below-least", least: "QXALPHA7" }))
  })

  it("hides an account that is called as flows call the master account, or all accounts", () => {
    const accounts = { master: "hot", list: ["master", "*"], complete: false }
    const input = {
      deposits: [Run.deposit("d1", 0, { account: "master" }), Run.deposit("d2", 100, { account: "*" })],
      transfers: [],
      bad: [],
      coverage: Run.complete,
      accounts,
      policy: Run.policy({ flows: [{ from: "*", to: "master" }] })
    }
    const masked = Masking.report(Report.make({ ...input, ...Matching.match(input) }), accounts)
    const shown = masked.outcomes.flatMap(({ deposits }) => deposits.map(({ account }) => account))
    assert.sameMembers(shown, ["account-1", "account-2"])
    assert.deepStrictEqual(masked.flows, [{ from: "*", to: "master" }])
  })

  it("hides a memo in ids and references", () => {
    const input = {
      deposits: [
        Run.deposit("d:QXADDRESS:QXMEMO", 0, { address: "QXADDRESS", memo: "QXMEMO", reference: "QXMEMO" })
      ],
      transfers: [Run.transfer("t1", 2)],
      bad: [],
      coverage: Run.complete,
      accounts: Accounts.none,
      policy: Run.policy()
    }
    const masked = Masking.report(Report.make({ ...input, ...Matching.match(input) }), Accounts.none)
    assert.deepInclude(masked.outcomes[0]?.deposits[0], {
      id: "d:address-1:memo-1",
      reference: "memo-1",
      memo: "memo-1"
    })
    assert.notMatch(Json.render(masked), /QXMEMO|QXADDRESS/)
  })

  it("gives no two ids one name, though an id looks like a pseudonym", () => {
    const ids = ["sub", "account-1", "account-~1", "account-sub", "sub-1"]
    const input = {
      deposits: ids.map((id, index) => Run.deposit(id, 100 * index, { account: "sub" })),
      transfers: [],
      bad: [],
      coverage: Run.complete,
      accounts: Accounts.none,
      policy: Run.policy()
    }
    const masked = Masking.report(Report.make({ ...input, ...Matching.match(input) }), Accounts.none)
    const shownIds = masked.outcomes.flatMap(({ deposits }) => deposits.map(({ id }) => id))
    assert.strictEqual(new Set(shownIds).size, ids.length)
    assert.includeMembers(shownIds, ["account-1", "account-~1", "account-~~1"])
  })
})
