/** A discrepancy that is known and explained is accepted, as long as nothing of it changes. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Decision from "../src/Decision.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as OpenItems from "../src/OpenItems.ts"
import * as Runs from "../src/Runs.ts"
import { accept, arrived, known, outcomeOf, t1, tells, told } from "./support/accept.ts"
import { arrives, book, far, options, rolled, swept, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { DAY, decide, HOUR, idOf, link, MINUTE, refused, testOn, why } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

describe.each(databases)("what is accepted, on $name", (kind) => {
  const test = testOn(kind)

  it.live("an accepted discrepancy keeps its code, says by whom and why, and counts as set aside, in a stream too", () =>
    test(Effect.gen(function*() {
      yield* book()
      const before = yield* told()
      yield* accept()
      const after = yield* told()
      const marked = after.outcomes.filter(({ accepted }) => accepted !== undefined)
      assert.deepStrictEqual(marked.map(({ accepted, code }) => ({ accepted, code })), [
        { code: "missing-deposit", accepted: { decision: 2, by: "clerk", ...known } }
      ])
      assert.include(
        marked[0]?.explanation ?? "",
        "It is accepted by clerk: ours, ticket 12 (write-off; decision 2)."
      )
      const usdt = ({ totals }: typeof after) => {
        const { in: all, open, setAside } = totals.find(({ asset }) => asset === "USDT")?.transfers ?? assert.fail()
        return { all, open, setAside }
      }
      assert.deepStrictEqual(usdt(before), {
        all: { count: 2, sum: "10.4" },
        open: { count: 2, sum: "10.4" },
        setAside: { count: 0, sum: "0" }
      })
      assert.deepStrictEqual(usdt(after), {
        all: { count: 2, sum: "10.4" },
        open: { count: 1, sum: "9" },
        setAside: { count: 1, sum: "1.4" }
      })
      assert.deepStrictEqual(
        after.counts.filter(({ code }) => code === "missing-deposit").map((
          { accepted, outcomes }
        ) => [outcomes, accepted]),
        [[2, 1]]
      )
      const open = ({ ageing }: typeof after) => ageing.reduce((sum, { entries }) => sum + entries, 0)
      assert.strictEqual(open(before) - open(after), 1)
      assert.deepStrictEqual(after.decisions?.applied, 1)
      const { last, outcomes, streamed, ...summary } = after
      assert.deepStrictEqual(last, [summary])
      assert.sameDeepMembers([...streamed], [...outcomes])
    })))

  it.live("a report of which every discrepancy is accepted is clean, and not when one is revoked", () =>
    test(Effect.gen(function*() {
      yield* book()
      assert.isFalse((yield* told()).clean)
      for (const id of ["near", "other"]) yield* accept({ side: "deposit", id: yield* idOf(id) })
      for (const id of ["t1", "t2"]) yield* accept({ side: "transfer", id })
      assert.isTrue((yield* told()).clean)
      yield* decide([{ kind: "revoke", decision: 3, words: "not ours" }])
      const { clean, decisions } = yield* told()
      assert.isFalse(clean)
      assert.deepStrictEqual(decisions?.faults, [])
    })))

  it.live("in the books it is decided with its code, what lapses waits again, and both tie with the roll-forward", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* accept()
      yield* book()
      assert.notInclude((yield* waiting()).join(), "1.4 USDT")
      assert.include((yield* rolled(3)).join(), "decided 1 1.4")
      yield* tells(transfer({ tranId: "t1", amount: "1.5", timestamp: NOW + 10 * MINUTE }), NOW + 6 * DAY + 1)
      yield* book()
      const { story } = yield* OpenItems.OpenItems
      const { changes, decisions } = Option.getOrThrow(yield* story(t1))
      assert.deepStrictEqual(changes.map(({ code, execution, state }) => [execution, state, code]), [
        [1, "open", "missing-deposit"],
        [3, "decided", "missing-deposit"],
        [4, "open", "source-conflict"]
      ])
      assert.deepStrictEqual(decisions.map(({ body: { kind, number } }) => [number, kind]), [[2, "accept"]])
      assert.include((yield* rolled(4)).join(), "reopened 1 1.4")
      const { rebuild, verify } = yield* Books.Books
      assert.deepStrictEqual(yield* verify, [])
      const before = yield* waiting()
      yield* rebuild
      assert.deepStrictEqual(yield* waiting(), before)
      assert.deepStrictEqual(yield* verify, [])
    })))

  it.live("a run with what is accepted is recorded and read back as it is", () =>
    test(Effect.gen(function*() {
      const before = yield* book()
      yield* accept()
      const after = yield* book()
      assert.notStrictEqual(after.run.id, before.run.id)
      const { outcome } = yield* Runs.Runs
      const { versions } = Option.getOrThrow(yield* outcome(yield* outcomeOf(t1)))
      assert.deepStrictEqual(versions.map(({ outcome: { accepted } }) => accepted?.decision), [undefined, 2])
    })))

  it.live("the ledger holds the facts that were accepted, and nothing else decides whether they are the same", () =>
    test(Effect.gen(function*() {
      yield* book()
      const outcome = yield* outcomeOf(t1)
      yield* accept()
      const { sql } = yield* Database
      const [row] = yield* sql<{ body: string }>`SELECT body FROM ledger WHERE number = 2`
      const body = yield* Schema.decodeEffect(Schema.fromJsonString(Decision.Body))(row?.body ?? "")
      assert.isTrue(Decision.isAcceptance(body))
      const { at: _at, number: _number, previous: _previous, ...rest } = body
      assert.deepStrictEqual(rest, {
        kind: "accept",
        by: "clerk",
        identity: "os",
        outcome,
        code: "missing-deposit",
        residual: null,
        entries: [{ ...t1, asset: "USDT", amount: "1.4", at: NOW + 10 * MINUTE, status: "settled" }],
        ...known
      })
    })))

  it.live("what vanished since is open again and told, and can be accepted as vanished once the first decision is revoked", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* accept()
      const { transfers } = yield* Archive.Archive
      const slice = { from: NOW + 10 * MINUTE, to: NOW + 11 * MINUTE }
      const coverage = [{ operation: "transfers", ...slice, readAt: NOW + 6 * DAY + 1, state: "complete" } as const]
      yield* transfers.saveSlice({ ...slice, records: [], bad: [], coverage })
      const { clean, decisions, outcomes } = yield* told()
      assert.isFalse(clean)
      assert.isFalse(outcomes.some(({ accepted }) => accepted !== undefined))
      assert.deepStrictEqual(decisions?.faults, [{
        decision: 2,
        of: "decision",
        text: "Decision 2 accepts the missing-deposit of transfer \"t1\", and is not followed: it is vanished now.",
        entries: [t1]
      }])
      yield* book()
      yield* decide([{ kind: "revoke", decision: 2, words: "it is gone" }])
      yield* accept()
      const after = yield* told()
      assert.deepStrictEqual(after.decisions?.faults, [])
      assert.deepStrictEqual(after.outcomes.filter(({ accepted }) => accepted).map(({ code }) => code), ["vanished"])
    })))

  it.live("what a policy file links is followed, and tells that the acceptance is not; a run over another day says nothing of it", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* accept()
      const policy = yield* Policy.make({ links: [{ deposits: [yield* idOf("near")], transfers: ["t1"] }] })
      const { decisions, outcomes } = yield* told(policy)
      assert.include(outcomes.map(({ code }) => code), "linked")
      assert.match(decisions?.faults.map(({ text }) => text).join() ?? "", /and is not followed: it is linked now\.$/)
      const { decisions: others } = yield* ArchiveReconciliation.run(options(far))
      assert.deepStrictEqual([others?.applied, others?.faults], [0, []])
    })))

  it.live("what the books do not know, what is matched, pending or undetermined, and what is not final cannot be accepted", () =>
    test(Effect.gen(function*() {
      const act = (outcome: string, provisional = false) =>
        refused([{ kind: "accept", outcome, provisional, ...known }])
      assert.include(yield* act("0123456789abcdef"), "0 NotBooked: no execution of the books came to outcome")
      yield* arrives(swept)
      yield* book()
      const { outcomes } = yield* told()
      const matched = outcomes.find(({ code }) => code === "exact") ?? assert.fail()
      assert.include(
        yield* act(matched.id),
        "0 NotAcceptable: outcome",
        "cannot be accepted: it is exact, and nothing is open"
      )
      yield* decide([yield* link("near", ["t1"])])
      yield* book()
      assert.include(yield* act(yield* outcomeOf(t1)), "it is linked, and nothing is open in it")

      const end = { from: NOW + 5 * DAY - HOUR, to: NOW + 5 * DAY + HOUR }
      const gap = deposit({ txId: "gap", insertTime: NOW + 5 * DAY - MINUTE, coin: "ETH" })
      const slow = deposit({ txId: "slow", insertTime: NOW + 5 * DAY - MINUTE, coin: "XRP", status: 4 })
      yield* arrived(gap, slow)
      yield* book(options(end))
      const codes = { gap: "it is coverage-gap, and nobody knows", slow: "it is unconfirmed, and may still settle" }
      for (const [name, said] of Object.entries(codes)) {
        const outcome = yield* outcomeOf({ side: "deposit", id: yield* idOf(name) })
        assert.include(yield* act(outcome, true), said)
      }
    })))

  it.live("what is not final is accepted provisionally, for the time being until it is final, and lapses where that differs", () =>
    test(Effect.gen(function*() {
      const beginning = { from: NOW - 5 * DAY, to: NOW - 5 * DAY + HOUR }
      yield* arrived(
        deposit({ txId: "stays", insertTime: NOW - 5 * DAY + MINUTE, coin: "ETH" }),
        deposit({ txId: "turns", insertTime: NOW - 5 * DAY + MINUTE, coin: "XRP" })
      )
      yield* book(options(beginning))
      const [stays, turns] = [yield* idOf("stays"), yield* idOf("turns")]
      const outcome = yield* outcomeOf({ side: "deposit", id: stays })
      assert.include(yield* refused([{ kind: "accept", outcome, ...known }]), "it is not final")
      for (const id of [stays, turns]) yield* accept({ side: "deposit", id }, { provisional: true })
      const said = Effect.map(ArchiveReconciliation.run(options(beginning)), ({ decisions, outcomes }) => [
        ...outcomes.toSorted((a, b) => (a.code < b.code ? -1 : 1))
          .map(({ accepted, code, final }) => [code, final, accepted?.decision, accepted?.provisional]),
        ...decisions?.faults.map(({ text }) => text) ?? []
      ])
      assert.deepStrictEqual(yield* said, [
        ["missing-transfer", false, 2, true],
        ["missing-transfer", false, 3, true]
      ])
      const before = { from: NOW - 7 * DAY, to: NOW - 5 * DAY }
      const read = { ...before, readAt: NOW + 6 * DAY, state: "complete" } as const
      yield* Archive.Archive.use(({ deposits, transfers }) =>
        Effect.andThen(
          deposits.saveSlice({ ...before, records: [], bad: [], coverage: [{ operation: "deposits", ...read }] }),
          transfers.saveSlice({ ...before, records: [], bad: [], coverage: [{ operation: "transfers", ...read }] })
        )
      )
      yield* tells(transfer({ tranId: "t9", asset: "XRP", timestamp: NOW - 5 * DAY + 2 * MINUTE }), NOW + 6 * DAY)
      assert.deepStrictEqual(yield* said, [
        ["exact", true, undefined, undefined],
        ["missing-transfer", true, 2, undefined],
        `Decision 3 accepts the missing-transfer of deposit "${turns}", and is not followed: it is exact now.`
      ])
    })))

  it.live("a decision that says otherwise of the same entries is refused, in either order", () =>
    test(Effect.gen(function*() {
      yield* book()
      const act = { kind: "accept", outcome: yield* outcomeOf(t1), ...known } as const
      const linked = yield* link("near", ["t1"])
      const excluded = { kind: "exclude", ...t1, ...why } as const
      yield* decide([act])
      const says = "0 Contradicted: decision 2 accepts the missing-deposit of transfer \"t1\"; revoke it"
      for (const other of [act, linked, excluded]) assert.include(yield* refused([other]), says)
      yield* decide([{ kind: "revoke", decision: 2, words: "to link it" }, linked])
      assert.include(yield* refused([act]), "0 Contradicted: decision 4 links")
      yield* decide([{ kind: "revoke", decision: 4, words: "no" }, excluded])
      assert.include(yield* refused([act]), "0 Contradicted: decision 6 excludes")
    })))

  it.live("a pair of an accepted class cannot be forbidden, and the pairs of a class count as matched as before", () =>
    test(Effect.gen(function*() {
      const time = NOW - 2 * DAY
      yield* arrived(
        ...[0, 1, 2].map((index) => deposit({ txId: `d${index}`, insertTime: time + index * MINUTE, coin: "ETH" }))
      )
      for (const index of [0, 1]) {
        const timestamp = time + (10 + index) * MINUTE
        yield* tells(transfer({ tranId: `e${index}`, asset: "ETH", timestamp }), NOW + 6 * DAY)
      }
      const day = options({ from: time - HOUR, to: time + HOUR })
      yield* decide([{ kind: "forbid", deposit: yield* idOf("d0"), transfer: "e1", ...why }])
      yield* book(day)
      const told = ArchiveReconciliation.run(day)
      const lines = Effect.map(told, ({ clean, totals: [total] }) => {
        const { matched, open, setAside } = total?.deposits ?? assert.fail()
        return [clean, matched.count, open.count, setAside.count]
      })
      const { outcomes } = yield* told
      assert.deepStrictEqual(
        outcomes.map(({ code, deposits, transfers }) => [code, deposits.length, transfers.length]),
        [
          ["class-short", 3, 2]
        ]
      )
      assert.deepStrictEqual(yield* lines, [false, 2, 1, 0])
      yield* decide([{ kind: "accept", outcome: outcomes[0]?.id ?? "", ...known }])
      assert.deepStrictEqual(yield* lines, [true, 2, 0, 1])
      const forbid = { kind: "forbid", deposit: yield* idOf("d1"), transfer: "e1", ...why } as const
      assert.include(yield* refused([forbid]), "0 Contradicted: decision 3 accepts the class-short of deposit")
      yield* book(day)
      const { story } = yield* OpenItems.OpenItems
      const states = yield* Effect.forEach(
        ["d0", "d1", "d2"],
        (name) =>
          Effect.flatMap(
            idOf(name),
            (id) => Effect.map(story({ side: "deposit", id }), Option.map(({ entry: { state } }) => state))
          )
      )
      assert.deepStrictEqual(states.flatMap(Option.toArray), ["decided"])
    })))
})
