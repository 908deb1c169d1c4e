/** The books say where each entry stands after the last execution that judged it. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as OpenItems from "../src/OpenItems.ts"
import * as Runs from "../src/Runs.ts"
import { arrives, book, far, near, options, refused, rolled, swept, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { DAY, decide, link, testOn } from "./support/decisions.ts"
import { NOW } from "./support/records.ts"

describe.each(databases)("the books, on $name", (kind) => {
  const test = testOn(kind)

  it.live("an execution opens items, and a later one closes what a person decided, so that both tie", () =>
    test(Effect.gen(function*() {
      const { execution } = yield* book()
      assert.strictEqual(execution.body.number, 1)
      const first = yield* waiting()
      assert.deepStrictEqual(first, [
        "open missing-transfer since 1: deposit 1.5 USDT",
        "open missing-transfer since 1: deposit 3 BTC",
        "open missing-deposit since 1: transfer 1.4 USDT",
        "open missing-deposit since 1: transfer 9 USDT"
      ])
      yield* decide([yield* link("near", ["t1"])])
      const second = yield* book()
      assert.strictEqual(second.execution.body.number, 3)
      const left = [
        "open missing-transfer since 1: deposit 3 BTC",
        "open missing-deposit since 1: transfer 9 USDT"
      ]
      assert.deepStrictEqual(yield* waiting(), left)
      assert.deepStrictEqual(yield* rolled(1), [
        "deposit BTC open: new 1 3, carriedForward 1 3",
        "deposit USDT open: new 1 1.5, carriedForward 1 1.5",
        "transfer USDT open: new 2 10.4, carriedForward 2 10.4"
      ])
      assert.deepStrictEqual(yield* rolled(3), [
        "deposit BTC open: broughtForward 1 3, carriedForward 1 3",
        "deposit USDT open: broughtForward 1 1.5, decided 1 1.5",
        "transfer USDT open: broughtForward 2 10.4, decided 1 1.4, carriedForward 1 9"
      ])
      assert.deepStrictEqual(yield* waiting(1), first)
      assert.deepStrictEqual(yield* waiting(3), left)
    })))

  it.live("the books are told as they were after an execution, and after nothing else", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* decide([yield* link("near", ["t1"])])
      yield* book()
      for (const number of [0, 2, 4, 99, 1.5, NaN]) {
        const listed = yield* Effect.flip(waiting(number))
        assert.strictEqual(listed._tag === "BookError" ? listed.reason._tag : listed._tag, "NoExecution")
        assert.include(listed.message, `row ${number} of the ledger is no execution`)
        assert.strictEqual((yield* Effect.flip(rolled(number))).message, listed.message)
      }
    })))

  it.live("a report tells apart what is new, what was settled and by what, and what goes on waiting", () =>
    test(Effect.gen(function*() {
      const books = Effect.map(book(), ({ report }) => report.books ?? assert.fail("a report tells of the books"))
      const first = yield* books
      assert.deepInclude(first, { new: 4, closed: [], carried: { entries: 0, items: 0, oldest: [] } })
      yield* decide([yield* link("near", ["t1"])])
      const { carried, closed, execution, new: fresh, rollForward } = yield* books
      assert.strictEqual(execution.number, 3)
      assert.deepStrictEqual([fresh, closed], [0, [{ state: "decided", code: "linked", count: 2 }]])
      assert.deepInclude(carried, { entries: 2, items: 2 })
      assert.deepStrictEqual(
        carried.oldest.map((
          { code, count, entries, since }
        ) => [code, count, since, entries.map(({ amount }) => amount)]),
        [["missing-transfer", 1, 1, ["3"]], ["missing-deposit", 1, 1, ["9"]]]
      )
      assert.deepStrictEqual(rollForward, yield* OpenItems.OpenItems.use(({ rollForward }) => rollForward(3)))
      // What was settled otherwise before had not waited: it is settled anew, and closes nothing.
      const why = { reason: "test", words: "a test of ours" } as const
      yield* decide([{ kind: "revoke", decision: 2, words: "it was another one" }])
      yield* decide([{ kind: "exclude", side: "transfer", id: "t1", ...why }])
      assert.deepInclude(yield* books, { new: 1, closed: [] })
    })))

  it.live("an entry has a story: what it was after each execution that changed it, and what was decided on it", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* decide([yield* link("near", ["t1"])])
      yield* book()
      yield* decide([{ kind: "revoke", decision: 2, words: "it was another one" }])
      yield* book()
      yield* book()
      const { find, story } = yield* OpenItems.OpenItems
      const told = Option.getOrThrow(yield* story({ side: "transfer", id: "t1" }))
      assert.deepStrictEqual(told.changes.map(({ code, execution, state }) => [execution, state, code]), [
        [1, "open", "missing-deposit"],
        [3, "decided", "linked"],
        [5, "open", "missing-deposit"]
      ])
      assert.deepStrictEqual(told.decisions.map(({ body }) => body.number), [2])
      assert.strictEqual(told.entry.execution, 6)
      assert.deepStrictEqual(yield* rolled(5), [
        "deposit BTC open: broughtForward 1 3, carriedForward 1 3",
        "deposit USDT open: reopened 1 1.5, carriedForward 1 1.5",
        "transfer USDT open: broughtForward 1 9, reopened 1 1.4, carriedForward 2 10.4"
      ])
      assert.deepStrictEqual((yield* find(told.entry.item)).map(({ id }) => id), ["t1"])
      const outcomes = [told.entry.outcome, told.changes[1]?.outcome ?? ""]
      for (const outcome of outcomes) {
        assert.include((yield* find(outcome.slice(0, 12))).map(({ id }) => id), "t1")
      }
      assert.deepStrictEqual(yield* find("i"), [])
      assert.isTrue(Option.isNone(yield* story({ side: "transfer", id: "t3" })))
    })))

  it.live("a run that is no execution moves nothing, and one over the same data is an execution of its own", () =>
    test(Effect.gen(function*() {
      yield* ArchiveReconciliation.record({ ...options(), readOn: true })
      assert.deepStrictEqual(yield* waiting(), [])
      const first = yield* book()
      const second = yield* book()
      assert.strictEqual(first.run.id, second.run.id)
      assert.isFalse(first.isNew)
      const { executions } = yield* Books.Books
      assert.deepStrictEqual((yield* executions).map(({ body: { number, run } }) => [number, run]), [
        [1, first.run.id],
        [2, first.run.id]
      ])
      assert.deepStrictEqual(yield* rolled(2), [
        "deposit BTC open: broughtForward 1 3, carriedForward 1 3",
        "deposit USDT open: broughtForward 1 1.5, carriedForward 1 1.5",
        "transfer USDT open: broughtForward 2 10.4, carriedForward 2 10.4"
      ])
    })))

  it.live("an execution that carries nothing leaves entries of other days to the executions of these days", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* book(options(far))
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes("since 2")), [
        "open missing-transfer since 2: deposit 9 USDT"
      ])
      yield* decide([yield* link("far", ["t2"])])
      yield* book(options(), { carry: false })
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes(" 9 ")), [
        "open missing-transfer since 2: deposit 9 USDT"
      ])
      yield* book(options(far))
      assert.deepStrictEqual((yield* waiting()).filter((item) => item.includes(" 9 ")), [])
    })))

  it.live("the books follow one question: another policy, fewer accounts or fewer addresses are refused unless declared", () =>
    test(Effect.gen(function*() {
      const addresses = [{ address: "TAbc", account: "a@x" }]
      yield* book({ ...options(), addresses })
      const before = yield* waiting()
      const policy = yield* Policy.make({ window: { before: "1 hour", after: "2 hours" } })
      assert.include(yield* refused({ ...options(near, policy), addresses }), "another policy than execution 1")
      assert.include(yield* refused({ ...options(), addresses: [] }), "other addresses than execution 1")
      const partly = { list: ["a@x"], complete: false }
      assert.include(yield* refused({ ...options(), addresses, accounts: partly }), "other accounts than execution 1")
      const others = { list: ["b@x"], complete: true }
      assert.include(yield* refused({ ...options(), addresses, accounts: others }), "other accounts than execution 1")
      const without = { list: ["b@x", "c@x"], complete: true }
      assert.include(yield* refused({ ...options(), addresses, accounts: without }), "other accounts than execution 1")
      assert.deepStrictEqual(yield* waiting(), before)
      const { executions } = yield* Books.Books
      assert.lengthOf(yield* executions, 1)
      yield* book({ ...options(near, policy), addresses }, { declare: true })
      assert.include(yield* refused({ ...options(), addresses }), "another policy than execution 2")
      const more = { ...options(near, policy, ["a@x", "b@x"]), addresses }
      assert.strictEqual((yield* book(more)).execution.body.number, 3)
    })))

  it.live("an entry that the archive tells no more is set out, and not forgotten", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { sql } = yield* Database
      yield* sql`DELETE FROM transfers WHERE id = 't1'`
      yield* book()
      const { story } = yield* OpenItems.OpenItems
      const { changes } = Option.getOrThrow(yield* story({ side: "transfer", id: "t1" }))
      assert.deepStrictEqual(changes.map(({ code, state }) => `${state} ${code}`), ["open missing-deposit", "out gone"])
    })))

  it.live("the runs of executions are never pruned", () =>
    test(Effect.gen(function*() {
      const first = yield* book()
      yield* arrives(swept)
      yield* ArchiveReconciliation.record(options())
      const { get, prune } = yield* Runs.Runs
      assert.deepStrictEqual((yield* prune(NOW + 30 * DAY)).ids, [])
      assert.isUndefined(Option.getOrThrow(yield* get(first.run.id)).run.prunedAt)
    })))

  it.live("the books can be computed again from the ledger and its runs, and any edit by SQL shows and is mended", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* decide([yield* link("near", ["t1"])])
      yield* book()
      const { rebuild, verify } = yield* Books.Books
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* verify, [])
      const before = yield* waiting()
      const edits = [
        sql`UPDATE entry_states SET state = 'matched' WHERE side = 'transfer' AND id = 't2'`,
        sql`UPDATE entry_states SET amount = '1' WHERE side = 'transfer' AND id = 't2'`,
        sql`UPDATE entry_states SET since = 3 WHERE side = 'transfer' AND id = 't2'`,
        sql`DELETE FROM entry_states WHERE side = 'transfer' AND id = 't2'`,
        sql`DELETE FROM entry_history WHERE execution = 3`,
        sql`UPDATE entry_history SET code = 'reference' WHERE execution = 3`,
        sql`INSERT INTO entry_history (side, id, item, asset, amount, at, state, code, outcome, since, execution)
          VALUES ('transfer', 't2', 'i', 'USDT', '9', 0, 'out', 'excluded', '', 1, 2)`
      ]
      for (const edit of edits) {
        yield* edit
        assert.isNotEmpty(yield* verify)
        yield* rebuild
        assert.deepStrictEqual(yield* verify, [])
        assert.deepStrictEqual(yield* waiting(), before)
      }
    })))

  it.live("a run of an execution that is gone, or did not come to what the ledger says, is told", () =>
    test(Effect.gen(function*() {
      const { run } = yield* book()
      const { verify } = yield* Books.Books
      const { sql } = yield* Database
      yield* sql`DELETE FROM run_outcomes WHERE digest = (SELECT MIN(digest) FROM run_outcomes)`
      assert.include((yield* Effect.flip(verify)).message, run.id)
      yield* sql`DELETE FROM runs`
      assert.include((yield* Effect.flip(verify)).message, `run ${run.id} of execution 1 of the books is gone`)
    })))
})
