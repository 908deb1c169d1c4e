/** Where an archive asks for approvals, a decision is proposed, and followed once another person agreed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { accept, outcomeOf, t1, tells, told as reported } from "./support/accept.ts"
import { book, far, options, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, DAY, decide, idOf, link, MINUTE, refused, report, testOn, told } from "./support/decisions.ts"
import { NOW, transfer } from "./support/records.ts"

const setting = (approvals: boolean, authors: Decision.Settings["authors"] = "any") =>
  ({ kind: "setting", approvals, authors, words: "two people decide" }) as const

const approve = (decision: number) => ({ kind: "approve", decision }) as const

/** Whether each decision is proposed, or the numbers of what approved and what revoked it. */
const standing = Effect.map(
  Decisions.Decisions.use(({ all }) => all),
  (all) =>
    all.map(({ approvedBy, body: { kind }, proposed, revokedBy }) =>
      `${kind}${proposed === true ? " proposed" : ""}${approvedBy === undefined ? "" : ` approved by ${approvedBy}`}${
        revokedBy === undefined ? "" : ` revoked by ${revokedBy}`
      }`
    )
)

const fact = { kind: "exclude", side: "transfer", id: "t1", reason: "test", words: "ours" } as const

describe.each(databases)("approvals, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a decision that is proposed has no effect until another author approves it, and nobody approves their own", () =>
    test(Effect.gen(function*() {
      const before = told(yield* report())
      yield* decide([setting(true)])
      yield* decide([yield* link("near", ["t1"])])
      assert.deepStrictEqual(told(yield* report()), before)
      assert.include(
        yield* refused([approve(2)]),
        "0 NotApprovable: decision 2 cannot be approved: it was proposed by clerk, and another person has to approve it"
      )
      yield* decide([approve(2)], { author: auditor })
      assert.include(told(yield* report()), "linked")
      assert.deepStrictEqual(yield* standing, ["setting", "link proposed approved by 3", "approve"])
      assert.include(yield* refused([approve(2)], { author: auditor }), "decision 3 did so already")
    })))

  it.live.each(["clerk ", " CLERK", "ｃｌｅｒｋ", "cl\u200berk", "Clerk\u0000"])(
    "an author is no other person under the name %j",
    (by) =>
      test(Effect.gen(function*() {
        yield* decide([setting(true)])
        yield* decide([fact])
        const said = yield* refused([approve(2)], { author: { by, identity: "claimed" } })
        assert.include(said, "it was proposed by clerk, and another person has to approve it")
      }))
  )

  it.live("what is proposed reserves its entries, and its author or anybody may withdraw it", () =>
    test(Effect.gen(function*() {
      yield* decide([setting(true), fact])
      const says = "0 Contradicted: decision 2 excludes transfer \"t1\"; revoke it before you decide otherwise"
      assert.strictEqual(yield* refused([yield* link("near", ["t1"])], { author: auditor }), says)
      yield* decide([{ kind: "revoke", decision: 2, words: "no" }])
      assert.include(yield* refused([approve(2)], { author: auditor }), "decision 3 revoked it")
      yield* decide([yield* link("near", ["t1"])])
      yield* decide([approve(4)], { author: auditor })
      yield* decide([{ kind: "revoke", decision: 4, words: "wrong after all" }])
      assert.include(told(yield* report()), "linked")
      yield* decide([approve(6)], { author: auditor })
      assert.notInclude(told(yield* report()), "linked")
      assert.deepStrictEqual(yield* standing, [
        "setting",
        "exclude proposed revoked by 3",
        "revoke",
        "link proposed approved by 5 revoked by 6",
        "approve",
        "revoke proposed approved by 7",
        "approve"
      ])
    })))

  it.live("an approval holds everything against what was proposed once more", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* decide([setting(true), { ...fact, id: "t2" }])
      yield* accept()
      assert.isFalse((yield* reported()).outcomes.some(({ accepted }) => accepted !== undefined))
      const later = { amount: "1.45", timestamp: NOW + 10 * MINUTE }
      yield* tells(transfer({ tranId: "t1", ...later }), NOW + 6 * DAY + 1)
      yield* tells(transfer({ tranId: "t2", ...later }), NOW + 6 * DAY + 1)
      assert.include(
        yield* refused([approve(3)], { author: auditor }),
        "the service told another content of transfer \"t2\" since"
      )
      assert.include(
        yield* refused([approve(4)], { author: auditor }),
        "the service told another content of transfer \"t1\" since; bring the books forward"
      )
      yield* book()
      assert.include(yield* refused([approve(4)], { author: auditor }), "stands in another outcome of the books now")
    })))

  it.live("an acceptance that is approved is followed, and the books have it", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* decide([setting(true)])
      yield* accept()
      yield* decide([approve(3)], { author: auditor })
      yield* book()
      assert.notInclude((yield* waiting()).join(), "1.4 USDT")
      assert.strictEqual(yield* outcomeOf(t1), (yield* reported()).outcomes.find(({ accepted }) => accepted)?.id)
    })))

  it.live("an execution of another day judges the time again of what was accepted there, and of what was approved", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* book(options(far))
      const id = yield* idOf("far")
      yield* accept({ side: "deposit", id })
      yield* book()
      assert.notInclude((yield* waiting()).join(), "deposit 9 USDT")
      yield* decide([{ kind: "revoke", decision: 3, words: "not ours" }, setting(true)])
      yield* accept({ side: "deposit", id })
      yield* book()
      assert.include((yield* waiting()).join(), "deposit 9 USDT")
      yield* decide([approve(7)], { author: auditor })
      yield* book()
      assert.notInclude((yield* waiting()).join(), "deposit 9 USDT")
      const { verify } = yield* Books.Books
      assert.deepStrictEqual(yield* verify, [])
    })))

  it.live("whoever would switch approvals off needs an approval too, and what was proposed before still waits", () =>
    test(Effect.gen(function*() {
      const { settings } = yield* Decisions.Decisions
      assert.deepStrictEqual(yield* settings, { approvals: false, authors: "any" })
      yield* decide([setting(true), fact, setting(false)])
      assert.deepStrictEqual(yield* settings, { approvals: true, authors: "any" })
      yield* decide([approve(3)], { author: auditor })
      assert.deepStrictEqual(yield* settings, { approvals: false, authors: "any" })
      assert.notInclude(told(yield* report()), "excluded")
      yield* decide([{ ...fact, id: "t2" }])
      assert.include(told(yield* report()), "excluded")
      yield* decide([approve(2)], { author: auditor })
      assert.lengthOf(told(yield* report()).filter((code) => code === "excluded"), 2)
      const detail = "decision 1 cannot be revoked: it is a setting that holds, or held; set it anew"
      assert.include(yield* refused([{ kind: "revoke", decision: 1, words: "no" }]), detail)
      assert.include(
        yield* refused([{ kind: "revoke", decision: 4, words: "no" }]),
        "it is an approval; revoke decision 3"
      )
    })))

  it.live("notes wait for nobody, a revocation of what is followed does, and what nobody proposed cannot be approved", () =>
    test(Effect.gen(function*() {
      yield* decide([fact, setting(true), { kind: "note", entries: [t1], words: "asked" }])
      yield* decide([{ kind: "revoke", decision: 1, words: "no" }])
      yield* decide([{ kind: "revoke", decision: 1, words: "no, I said" }])
      assert.deepStrictEqual(yield* standing, ["exclude", "setting", "note", "revoke proposed", "revoke proposed"])
      yield* decide([approve(4)], { author: auditor })
      assert.strictEqual((yield* standing)[0], "exclude revoked by 4")
      assert.include(yield* refused([approve(5)], { author: auditor }), "decision 4 revoked decision 1 already")
      assert.include(yield* refused([approve(3)], { author: auditor }), "it needs no approval")
      assert.include(yield* refused([approve(9)], { author: auditor }), "the ledger has no decision of this number")
    })))

  it.live("where the archive asks for tokens, no other author decides anything, and none of them can ask for tokens", () =>
    test(Effect.gen(function*() {
      const token = { by: "desk", identity: "token" } as const
      assert.include(yield* refused([setting(false, "token")]), "0 TokenDemanded: only authors who show a token")
      yield* decide([setting(false, "token")], { author: token })
      for (const act of [fact, setting(false), approve(1), { kind: "revoke", decision: 1, words: "no" } as const]) {
        assert.include(yield* refused([act]), "and clerk showed none")
      }
      yield* decide([fact], { author: token })
      assert.include(told(yield* report()), "excluded")
    })))

  it.live("a dry run shows what an approval would change", () =>
    test(Effect.gen(function*() {
      yield* decide([setting(true), yield* link("near", ["t1"])])
      const made = yield* Decisions.Decisions.use(({ attempt }) => attempt([approve(2)], { author: auditor }))
      const proposed = made.map(({ body }) => body)
      assert.include(told(yield* ArchiveReconciliation.run({ ...options(), proposed })), "linked")
      assert.notInclude(told(yield* report()), "linked")
      const { overlay } = yield* Archive.Archive
      const { applied } = yield* overlay((yield* report()).policy, options().range)
      assert.strictEqual(applied, 0)
    })))
})
