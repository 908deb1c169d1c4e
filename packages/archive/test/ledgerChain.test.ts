import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { createHash } from "node:crypto"
import * as Archive from "../src/Archive.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { decide, link, refused, report, testOn } from "./support/decisions.ts"

describe.each(databases)("the chain of decisions, on $name", (kind) => {
  const test = testOn(kind)

  const three = Effect.gen(function*() {
    yield* decide([yield* link("near", ["t1"])])
    yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "ünïcode 🙂 \"quoted\"" }])
    yield* decide([{ kind: "revoke", decision: 1, words: "wrong" }])
  })
  const fault = Archive.Archive.use(({ ledger }) => Effect.map(ledger(), ({ fault }) => fault))

  it.live("each id is the SHA-256 of the row's text, which holds the id before it: sha256sum tells it", () =>
    test(Effect.gen(function*() {
      yield* three
      const { sql } = yield* Database
      const rows = yield* sql<{ number: number; id: string; body: string }>`SELECT number, id, body FROM ledger
        ORDER BY number`
      let previous = "0".repeat(64)
      for (const { body, id, number } of rows) {
        assert.strictEqual(createHash("sha256").update(body, "utf8").digest("hex"), id)
        assert.include(body, `"number":${number},`)
        assert.include(body, `"previous":"${previous}"`)
        previous = id
      }
      const { head } = yield* Decisions.Decisions
      const { ledger } = yield* Archive.Archive
      assert.deepStrictEqual(yield* ledger(), { head: yield* head })
      assert.deepStrictEqual(yield* head, { number: 3, id: previous })
    })))

  it.live.each(
    [
      [
        "a body",
        "UPDATE ledger SET body = replace(body, 'the sweeper', 'nobody') WHERE number = 1",
        "row 1 of the ledger is not as it was written"
      ],
      ["a body with its id", "", "row 2 of the ledger does not follow row 1"],
      [
        "a body with its id, which the next row is made to follow",
        "",
        "row 2 of the ledger says nothing that this version knows"
      ],
      ["a row that is gone", "DELETE FROM ledger WHERE number = 2", "row 2 of the ledger is missing"],
      ["the first row, gone", "DELETE FROM ledger WHERE number = 1", "row 1 of the ledger is missing"],
      ["two rows, gone", "DELETE FROM ledger WHERE number < 3", "rows 1 to 2 of the ledger are missing"],
      [
        "a predecessor",
        "UPDATE ledger SET previous = 'none' WHERE number = 2",
        "row 2 of the ledger does not follow row 1"
      ],
      [
        "a row before the first one",
        "INSERT INTO ledger (number, id, previous, body) VALUES (0, 'x', 'y', '{}')",
        "row 0 of the ledger stands before the first one"
      ],
      [
        "a row far before the first one",
        "INSERT INTO ledger (number, id, previous, body) VALUES (-4, 'x', 'y', '{}')",
        "row -4 of the ledger stands before the first one"
      ]
    ] as const
  )(
    "an edit by SQL is found, and no report follows a decision then: %s",
    ([name, edit, expected]) =>
      test(Effect.gen(function*() {
        yield* three
        yield* decide([yield* link("near", ["t1"])])
        assert.isUndefined(yield* fault)
        const { sql } = yield* Database
        if (edit === "") {
          const [row] = yield* sql<{ body: string }>`SELECT body FROM ledger WHERE number = 1`
          const body = (row?.body ?? "").replace("clerk", "other")
          const id = createHash("sha256").update(body, "utf8").digest("hex")
          yield* sql`UPDATE ledger SET body = ${body}, id = ${id} WHERE number = 1`
          if (name.includes("follow")) yield* sql`UPDATE ledger SET previous = ${id} WHERE number = 2`
        } else yield* sql.unsafe(edit)
        assert.strictEqual(yield* fault, expected)
        const { clean, decisions, outcomes } = yield* report()
        assert.isFalse(clean)
        assert.isFalse(outcomes.some(({ code }) => code === "linked"))
        assert.deepStrictEqual(decisions?.faults.map(({ text }) => text), [
          `No decision is followed, because the ledger is damaged: ${expected}.`
        ])
        assert.include(yield* refused([{ kind: "revoke", decision: 4, words: "no" }]), `is damaged: ${expected}`)
      }))
  )

  it.live("rows cut off the tail, or a chain written anew, show against a head that was kept elsewhere", () =>
    test(Effect.gen(function*() {
      yield* three
      const { head } = yield* Decisions.Decisions
      const { ledger } = yield* Archive.Archive
      const kept = yield* head
      const found = Effect.map(ledger(kept), ({ fault }) => fault)
      assert.isUndefined(yield* found)
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "later" }])
      assert.isUndefined(yield* found)
      const { sql } = yield* Database
      yield* sql`DELETE FROM ledger WHERE number > 2`
      assert.isUndefined(yield* fault)
      assert.strictEqual(
        yield* found,
        "row 3 of the ledger is not the one that was kept elsewhere: the ledger ends before it"
      )
      yield* decide([{ kind: "revoke", decision: 1, words: "rightly" }])
      assert.isUndefined(yield* fault)
      assert.strictEqual(
        yield* found,
        "row 3 of the ledger is not the one that was kept elsewhere: the ledger was written anew"
      )
    })))

  it.live("two who decide at once have numbers one after the other, and one of two contradicting decisions is refused", () =>
    test(Effect.gen(function*() {
      const acts = [yield* link("near", ["t1"]), yield* link("far", ["t1"])]
      const exits = yield* Effect.forEach(acts, (act) => Effect.exit(decide([act])), { concurrency: 2 })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      const notes = Array.from({ length: 8 }, (_, index): Decision.Act => ({
        kind: "note",
        entries: [{ side: "transfer", id: "t1" }],
        words: `note ${index}`
      }))
      yield* Effect.forEach(notes, (note) => decide([note]), { concurrency: "unbounded" })
      const { all } = yield* Decisions.Decisions
      const { ledger } = yield* Archive.Archive
      assert.deepStrictEqual((yield* all).map(({ body }) => body.number), [1, 2, 3, 4, 5, 6, 7, 8, 9])
      assert.isUndefined((yield* ledger()).fault)
    })))
})
