import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import {
  archiveOn,
  auditor,
  clerk,
  DAY,
  decide,
  HOUR,
  idOf,
  link,
  MINUTE,
  refused,
  report,
  testOn,
  told,
  why
} from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

describe.each(databases)("decisions, on $name", (kind) => {
  const archive = archiveOn(kind)
  const test = testOn(kind)

  it.live("a link pairs what amounts and times would not, and tells who said so and why", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(told(yield* report()), [
        "missing-deposit",
        "missing-deposit",
        "missing-transfer",
        "missing-transfer"
      ])
      yield* decide([yield* link("near", ["t1"]), yield* link("far", ["t2"])])
      const after = yield* report()
      assert.deepStrictEqual(told(after), ["linked", "linked", "missing-transfer"])
      assert.include(
        after.outcomes.map(({ explanation }) => explanation).join("\n"),
        "linked by clerk (the sweeper paid 0.1 (fee; decision 1))"
      )
      const { head } = yield* Decisions.Decisions
      assert.deepStrictEqual(after.decisions, { head: yield* head, applied: 2, faults: [] })
    })))

  it.live("an exclusion takes an entry out, and a note changes nothing", () =>
    test(Effect.gen(function*() {
      const before = yield* report()
      const id = yield* idOf("other")
      yield* decide([{ kind: "note", entries: [{ side: "deposit", id }], words: "asked the exchange" }])
      assert.deepStrictEqual((yield* report()).outcomes, before.outcomes)
      yield* decide([{ kind: "exclude", side: "deposit", id, reason: "test", words: "a test of ours" }])
      const { outcomes } = yield* report()
      const excluded = outcomes.find(({ code }) => code === "excluded")
      assert.include(excluded?.explanation ?? "", "is excluded by clerk: a test of ours (test; decision 2)")
    })))

  it.live("a forbidden pair is not stated, and can be stated again once that was revoked", () =>
    test(Effect.gen(function*() {
      const policy = yield* Policy.make({ tolerance: { absolute: "0.2" } })
      const pair = Effect.map(report(policy), ({ outcomes }) => outcomes.some(({ code }) => code === "tolerant"))
      assert.isTrue(yield* pair)
      yield* decide([{ kind: "forbid", deposit: yield* idOf("near"), transfer: "t1", ...why }])
      assert.isFalse(yield* pair)
      yield* decide([{ kind: "revoke", decision: 1, words: "it was right" }], { author: auditor })
      assert.isTrue(yield* pair)
      const { all } = yield* Decisions.Decisions
      assert.deepStrictEqual((yield* all).map(({ revokedBy }) => revokedBy), [2, undefined])
    })))

  it.live("a decision on a deposit that settled days later holds in the report of the day on which it settled", () =>
    Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive.Archive
      const slice = { from: NOW - 5 * DAY, to: NOW + 6 * DAY, bad: [] }
      const read = (operation: Coverage.Coverage["operation"], readAt: number): Coverage.Coverage => ({
        operation,
        from: slice.from,
        to: slice.to,
        readAt,
        state: "complete"
      })
      for (const [status, readAt] of [[4, NOW + HOUR], [5, NOW + 4 * DAY], [5, NOW + 7 * DAY]] as const) {
        yield* deposits.saveSlice({
          ...slice,
          records: [deposit({ txId: "slow", status })],
          coverage: [read("deposits", readAt)]
        })
      }
      yield* transfers.saveSlice({
        ...slice,
        records: [transfer({ tranId: "t4", timestamp: NOW + 4 * DAY + 10 * MINUTE })],
        coverage: [read("transfers", NOW + 7 * DAY)]
      })
      const codes = Effect.map(
        ArchiveReconciliation.run({
          range: { from: NOW + 4 * DAY, to: NOW + 5 * DAY },
          accounts: { list: ["a@x"], complete: true }
        }),
        ({ decisions, outcomes }) => [...told({ outcomes }), decisions?.applied]
      )
      assert.deepStrictEqual(yield* codes, ["exact", undefined])
      yield* decide([{ kind: "exclude", side: "deposit", id: yield* idOf("slow"), reason: "test", words: "ours" }])
      assert.deepStrictEqual(yield* codes, ["missing-deposit", 1])
    }).pipe(at(NOW + 8 * DAY), Effect.provide(archive)))

  it.live("a link in the ledger wins over the policy's link to an entry of another week", () =>
    test(Effect.gen(function*() {
      const [near, far] = [yield* idOf("near"), yield* idOf("far")]
      yield* decide([{ kind: "link", deposits: [far], transfers: ["t2"], ...why }])
      const policy = yield* Policy.make({ links: [{ deposits: [near], transfers: ["t2"] }] })
      const { decisions, outcomes } = yield* ArchiveReconciliation.run({
        range: { from: NOW - 4 * DAY - HOUR, to: NOW - 4 * DAY + HOUR },
        accounts: { list: ["a@x"], complete: true },
        policy
      })
      assert.deepStrictEqual(decisions?.faults.map(({ of }) => of), ["policy"])
      assert.deepStrictEqual(outcomes.flatMap(({ deposits }) => deposits.map(({ id }) => id)), [far])
    })))

  it.live("a decision is not followed once the service told another content of its entry, or a linked entry failed", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* decide([yield* link("near", ["t1"]), yield* link("far", ["t2"])])
      const seen = (record: ReturnType<typeof transfer>, readAt: number) =>
        transfers.savePage({ records: [record], bad: [], readAt })
      yield* seen(transfer({ tranId: "t1", amount: "7", timestamp: NOW + 10 * MINUTE }), NOW + 6 * DAY + 1)
      yield* seen(
        transfer({ tranId: "t2", amount: "9", timestamp: NOW + 20 * MINUTE, status: "FAILED" }),
        NOW + 6 * DAY + 2
      )
      const { clean, decisions, outcomes } = yield* report()
      assert.isFalse(clean)
      assert.isFalse(outcomes.some(({ code }) => code === "linked"))
      assert.deepStrictEqual(
        decisions?.faults.map(({ text }) => text.split("not followed: ")[1]),
        ["the service told another content of transfer \"t1\" since.", "transfer \"t2\" failed."]
      )
    })))

  it.live("a name that nobody checked is shown as claimed", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])], { author: auditor })
      const { outcomes } = yield* report()
      assert.include(
        outcomes.map(({ explanation }) => explanation).join("\n"),
        "linked by auditor (claimed) (the sweeper"
      )
    })))

  it.live("finds both where a transfer has the name of a deposit's transaction", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* transfers.savePage({ records: [transfer({ tranId: "near" })], bad: [], readAt: NOW + 6 * DAY + 1 })
      const { find } = yield* Decisions.Decisions
      assert.deepStrictEqual((yield* find("near")).map(({ side }) => side), ["deposit", "transfer"])
    })))

  it.live("finds an entry by the beginning of its id, and by both ends as reports shorten it, but only where no whole name is meant", () =>
    test(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const records = [
        transfer({ tranId: "6100000017" }),
        transfer({ tranId: "61000000171" }),
        transfer({ tranId: "62%_00" })
      ]
      yield* transfers.savePage({ records, bad: [], readAt: NOW + 6 * DAY + 1 })
      const { find } = yield* Decisions.Decisions
      const ids = (name: string) => Effect.map(find(name), (found) => found.map(({ id }) => id).toSorted())
      assert.deepStrictEqual(yield* ids("6100000017"), ["6100000017"])
      assert.deepStrictEqual(yield* ids("61000000"), ["6100000017", "61000000171"])
      assert.deepStrictEqual(yield* ids("61000000…171"), ["61000000171"])
      assert.deepStrictEqual(yield* ids("61000000...171"), ["61000000171"])
      assert.deepStrictEqual(yield* ids("610"), [])
      assert.deepStrictEqual(yield* ids("62__"), [])
      assert.deepStrictEqual(yield* ids("62%_"), ["62%_00"])
      const other = yield* idOf("other")
      assert.deepStrictEqual(yield* ids(`othe…${other.slice(-4)}`), [other])
      assert.deepStrictEqual(yield* ids(other.slice(0, -1)), [other])
    })))

  it.live("tells every entry that a shortened id may mean, however many others begin alike", () =>
    test(Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive.Archive
      const moved = Array.from({ length: 200 }, (_, n) => transfer({ tranId: `${1_374_112_800 + n}` }))
      yield* transfers.savePage({ records: moved, bad: [], readAt: NOW + 6 * DAY + 1 })
      const twins = [deposit({ txId: "0xaa0099" }), deposit({ txId: "0xaa0099" })]
      const arrived = Array.from({ length: 60 }, (_, n) => deposit({ txId: `0xaa00${n + 10}` }))
      yield* deposits.savePage({ records: [...arrived, ...twins], bad: [], readAt: NOW + 6 * DAY + 1 })
      const { find } = yield* Decisions.Decisions
      const ids = (name: string) => Effect.map(find(name), (found) => found.map(({ id }) => id).toSorted())
      assert.deepStrictEqual(yield* ids("1374112…05"), ["1374112805", "1374112905"])
      assert.deepStrictEqual(yield* ids("1374112…945"), ["1374112945"])
      assert.lengthOf(yield* ids("1374112…"), 20)

      const all = yield* Effect.forEach([...arrived, ...twins], ({ txId }) => find(txId))
      const kept = Array.from(new Set(all.flat().map(({ id }) => id)))
      const [, second = ""] = yield* ids("0xaa0099")
      assert.match(second, /#2$/)
      assert.deepStrictEqual(yield* ids("0xaa00…#2"), [second])
      assert.deepStrictEqual(yield* ids(`0xaa00…${second.slice(-4)}`), [second])
      assert.deepStrictEqual(yield* ids(`0xaa00…${second.slice(4)}`), [second])
      for (const { id } of all.flat().slice(-8)) {
        const tails = [id.slice(-1), id.slice(-2), id.slice(-4), id.slice(-12)]
        for (const tail of tails) {
          const fitting = kept.filter((one) => one.endsWith(tail)).toSorted()
          assert.deepStrictEqual(yield* ids(`0xaa00…${tail}`), fitting.slice(0, 20), tail)
        }
      }
    })))

  it.live("only decisions on entries of the time that is read are laid over a policy", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const { overlay } = yield* Archive.Archive
      const applied = (from: number, to: number) =>
        Effect.map(overlay(Policy.defaults, { from, to }), ({ applied }) => applied)
      assert.strictEqual(yield* applied(NOW, NOW + 1), 1)
      assert.strictEqual(yield* applied(NOW + 10 * MINUTE, NOW + 11 * MINUTE), 1)
      assert.strictEqual(yield* applied(NOW + HOUR, NOW + DAY), 0)
      assert.strictEqual(yield* applied(NOW - DAY, NOW), 0)
    })))

  it.live("what contradicts a decision that holds is refused, and nothing of what came with it is kept", () =>
    test(Effect.gen(function*() {
      const [near, far] = [yield* idOf("near"), yield* idOf("far")]
      yield* decide([yield* link("near", ["t1"])])
      const note = { kind: "note", entries: [{ side: "deposit", id: far }], words: "seen" } as const
      const says = `decision 1 links deposit "${near}" and transfer "t1"; revoke it before you decide otherwise`
      for (
        const act of [
          yield* link("near", ["t2"]),
          yield* link("far", ["t1"]),
          yield* link("near", ["t1"]),
          { kind: "forbid", deposit: near, transfer: "t1", ...why },
          { kind: "exclude", side: "transfer", id: "t1", ...why }
        ] satisfies ReadonlyArray<Decision.Act>
      ) {
        assert.strictEqual(yield* refused([note, act]), `1 Contradicted: ${says}`)
      }
      yield* decide([{ kind: "forbid", deposit: near, transfer: "t2", ...why }])
      const { all } = yield* Decisions.Decisions
      assert.deepStrictEqual((yield* all).map(({ body }) => body.kind), ["link", "forbid"])
      yield* decide([{ kind: "revoke", decision: 1, words: "wrong" }, yield* link("far", ["t1"])])
    })))

  it.live("an entry that is not there, twice there, or vanished cannot be decided on", () =>
    test(Effect.gen(function*() {
      assert.strictEqual(
        yield* refused([{ kind: "exclude", side: "transfer", id: "t9", ...why }]),
        "0 UnknownEntry: the archive keeps no transfer with the id t9"
      )
      assert.strictEqual(yield* refused([yield* link("near", ["t1", "t1"])]), "0 Repeated: transfer t1 is named twice")
      const { transfers } = yield* Archive.Archive
      yield* transfers.saveSlice({
        from: NOW,
        to: NOW + DAY,
        records: [],
        bad: [],
        coverage: [{ operation: "transfers", from: NOW, to: NOW + DAY, readAt: NOW + 7 * DAY, state: "complete" }]
      })
      assert.include(yield* refused([yield* link("near", ["t1"])]), "has vanished from the service")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked the exchange" }])
    })))

  it.live("a decision whose entry vanished is not followed, says so, and keeps the books from being clean", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const { transfers } = yield* Archive.Archive
      yield* transfers.saveSlice({
        from: NOW,
        to: NOW + DAY,
        records: [],
        bad: [],
        coverage: [{ operation: "transfers", from: NOW, to: NOW + DAY, readAt: NOW + 7 * DAY, state: "complete" }]
      })
      const { clean, decisions, warnings } = yield* report()
      const fault = `Decision 1 links deposit "${yield* idOf(
        "near"
      )}" and transfer "t1", and is not followed: transfer "t1" is gone.`
      assert.isFalse(clean)
      assert.deepStrictEqual(decisions?.faults.map(({ decision, of, text }) => ({ decision, of, text })), [
        { decision: 1, of: "decision", text: fault }
      ])
      assert.include(warnings, fault)
    })))

  it.live("others' decisions on the same entries since somebody looked are a conflict, their notes and revocations too", () =>
    test(Effect.gen(function*() {
      const near = yield* idOf("near")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "another one" }], {
        author: auditor
      })
      yield* decide([{ kind: "note", entries: [{ side: "deposit", id: near }], words: "mine" }], { author: auditor })
      const act = yield* link("near", ["t1"])
      assert.strictEqual(
        yield* refused([act], { seen: 1 }),
        `0 Outdated: meanwhile decision 2 is a note on deposit "${near}"; look at it, then decide again`
      )
      yield* decide([act, { kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "both" }], { seen: 2 })
      yield* decide([{ kind: "revoke", decision: 3, words: "no" }], { author: auditor })
      assert.include(yield* refused([act], { seen: 4 }), "meanwhile decision 5 revokes decision 3")
      yield* decide([act], { seen: 5 })
    })))

  it.live("what is revoked cannot be revoked again, nor a revocation, nor what is not there", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const revoke = (decision: number): Decision.Act => ({ kind: "revoke", decision, words: "wrong" })
      assert.include(yield* refused([revoke(1), revoke(1)]), "1 NotRevocable: decision 1 cannot be revoked")
      yield* decide([revoke(1)])
      assert.include(yield* refused([revoke(1)]), "decision 2 did so already")
      assert.include(yield* refused([revoke(2)]), "it is a revocation")
      assert.include(yield* refused([revoke(7)]), "the ledger has none of this number")
    })))

  it.live("an attempt says what would be decided, and decides nothing", () =>
    test(Effect.gen(function*() {
      const { all, attempt, head } = yield* Decisions.Decisions
      const acts = [yield* link("near", ["t1"])]
      const tried = yield* attempt(acts, { author: clerk })
      assert.deepStrictEqual(yield* all, [])
      assert.strictEqual((yield* head).number, 0)
      assert.deepStrictEqual(yield* decide(acts), tried)
    })))

  it.live("a decision in the ledger wins over the policy's line, which the report names", () =>
    test(Effect.gen(function*() {
      const [near, far] = [yield* idOf("near"), yield* idOf("far")]
      const policy = yield* Policy.make({
        links: [{ deposits: [far], transfers: ["t1"] }],
        exclude: [{ id: near }],
        forbid: [{ deposit: near, transfer: "t1" }]
      })
      yield* decide([yield* link("near", ["t1"])])
      const { clean, decisions, outcomes, policy: followed } = yield* report(policy)
      assert.deepStrictEqual(followed.links.map(({ by }) => by), ["clerk"])
      assert.deepStrictEqual(followed.forbid, [])
      assert.deepStrictEqual(followed.exclude, [{ side: "transfer", id: near }])
      assert.isFalse(clean)
      assert.isTrue(outcomes.some(({ code }) => code === "linked"))
      assert.deepStrictEqual(decisions?.faults.map(({ text }) => text.split(" of ")[0]), [
        "links[0]",
        "forbid[0]",
        "exclude[0]"
      ])
    })))
})
