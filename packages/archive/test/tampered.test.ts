/** Somebody who may write to the database, and knows how checksums are made, edits it: the archive tells. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Books from "../src/Books.ts"
import * as Integrity from "../src/Integrity.ts"
import type * as Content from "../src/internal/runs/Content.ts"
import * as Additions from "../src/internal/sql/Additions.ts"
import * as Checksum from "../src/internal/sql/Checksum.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as StoredText from "../src/internal/sql/StoredText.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { book, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { decide, idOf, testOn } from "./support/decisions.ts"

const columns = ["at", "digest", "id", "kind", "code", "content"] as const

/** Rewrites the outcome of the deposit of 3 BTC, and makes its checksum agree. */
const edited = (edit: (row: Content.Content) => Partial<Content.Content>) =>
  Effect.gen(function*() {
    const { sql } = yield* Database
    const [row] = yield* sql<Content.Content>`SELECT * FROM outcomes WHERE code = 'missing-transfer'
      AND content LIKE '%BTC%'`
    if (row === undefined) return assert.fail("there is no such outcome")
    const next = { ...row, ...edit(row) }
    const checksum = Checksum.of(columns.map((name) => next[name]))
    yield* sql`UPDATE outcomes SET ${sql.update({ ...next, checksum })} WHERE at = ${row.at} AND digest = ${row.digest}`
  })

const EDITS = {
  "says something else": ({ content }: Content.Content) => ({
    kind: "set-aside" as const,
    code: "excluded" as const,
    content: content.replace("\"discrepancy\"", "\"set-aside\"").replace("\"missing-transfer\"", "\"excluded\"")
  }),
  "has another kind and code beside it": () => ({ kind: "set-aside" as const, code: "excluded" as const }),
  "has another id beside it": () => ({ id: "0000000000000000" })
}

describe.each(databases)("an archive that was edited with its checksums, on $name", (kind) => {
  const test = testOn(kind)

  it.live.each(Object.entries(EDITS))(
    "an outcome that %s is told by the check and by the books",
    ([, edit]) =>
      test(Effect.gen(function*() {
        const { run } = yield* book()
        const { verify } = yield* Books.Books
        assert.deepStrictEqual([(yield* Integrity.check()).runs.ids, yield* verify], [[], []])
        yield* edited(edit)
        assert.deepStrictEqual((yield* Integrity.check()).runs.ids, [run.id])
        assert.include((yield* Effect.flip(verify)).message, `run ${run.id} is not as it was recorded`)
      }))
  )

  it.live("a row of the books under another spelling of an id comes from no execution", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { rebuild, verify } = yield* Books.Books
      const { sql } = yield* Database
      const items = yield* waiting()
      for (const table of ["entry_states", "entry_history"]) {
        yield* sql`INSERT INTO ${sql(table)} SELECT side, ${`\u0001${JSON.stringify("t2")}`}, item, asset, amount, at,
          account, state, code, outcome, since, execution FROM ${sql(table)} WHERE id = 't2'`
      }
      const found = yield* verify
      assert.strictEqual(found.length, 2)
      for (const sentence of found) assert.include(sentence, "comes from no execution")
      yield* rebuild
      assert.deepStrictEqual(yield* verify, [])
      assert.deepStrictEqual(yield* waiting(), items)
    })))

  it.live("a decision or an execution that the database swallows fails, and the check names the trigger", () =>
    test(Effect.gen(function*() {
      const { sql } = yield* Database
      const note = { kind: "note", entries: [{ side: "deposit", id: yield* idOf("near") }], words: "asked" } as const
      yield* decide([note])
      assert.isUndefined((yield* Integrity.check()).additions)
      yield* sql.onDialectOrElse({
        sqlite: () =>
          sql`CREATE TRIGGER quiet BEFORE INSERT ON ledger WHEN NEW.number > 1 BEGIN SELECT RAISE(IGNORE); END`,
        orElse: () => sql`CREATE RULE quiet AS ON INSERT TO ledger WHERE NEW.number > 1 DO INSTEAD NOTHING`
      })
      const swallowed = "row 2 of the ledger was not written"
      assert.include((yield* Effect.flip(decide([note]))).message, swallowed)
      assert.include((yield* Effect.flip(book())).message, swallowed)
      assert.deepStrictEqual(yield* OpenItems.OpenItems.use(({ list }) => list()), [])
      const integrity = yield* Integrity.check()
      assert.isFalse(Integrity.isSound(integrity))
      assert.strictEqual(integrity.additions?.length, 1)
      assert.match(integrity.additions?.[0] ?? "", /added the (trigger|rule) quiet to the table ledger/)
    })))

  it.live("the tables in which nothing may be added are all that there are, and a view of somebody's own is none of them", () =>
    test(Effect.gen(function*() {
      const { sql } = yield* Database
      const found = yield* sql.onDialectOrElse({
        sqlite: () =>
          sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
        orElse: () => sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`
      })
      assert.deepStrictEqual(found.map(({ name }) => name).toSorted(), [...Additions.TABLES])
      yield* sql`CREATE VIEW mine AS SELECT number FROM ledger`
      assert.deepStrictEqual(yield* Additions.found(sql), [])
      yield* sql`ALTER TABLE learnt RENAME TO learnt_before`
      yield* sql`CREATE VIEW learnt AS SELECT * FROM learnt_before`
      assert.deepStrictEqual(yield* Additions.found(sql), ["a view stands in the place of the table learnt"])
    })))
})

it("a text that was stored otherwise than the archive stores it is not taken for another one", () => {
  for (const text of ["\u0001\"t2\"", "\u0001{}", "\u0001"]) assert.strictEqual(StoredText.decode(text), text)
  assert.strictEqual(StoredText.decode(StoredText.encode("\u0001\"t2\"")), "\u0001\"t2\"")
})
