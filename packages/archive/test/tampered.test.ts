/** Somebody who may write to the database, and knows how checksums are made, edits it: the archive tells. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Books from "../src/Books.ts"
import * as Integrity from "../src/Integrity.ts"
import * as Chain from "../src/internal/ledger/Chain.ts"
import * as Ledger from "../src/internal/ledger/Ledger.ts"
import type * as Content from "../src/internal/runs/Content.ts"
import * as RunRow from "../src/internal/runs/RunRow.ts"
import * as Additions from "../src/internal/sql/Additions.ts"
import * as Checksum from "../src/internal/sql/Checksum.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as StoredText from "../src/internal/sql/StoredText.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { arrives, book, options, swept, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { decide, idOf, testOn } from "./support/decisions.ts"
import { bookDay, refusal } from "./support/periods.ts"
import { NOW } from "./support/records.ts"

const columns = ["at", "digest", "id", "kind", "code", "content"] as const

/** Rewrites the outcome of the deposit of 3 BTC, and makes its checksum agree. */
const edited = (edit: (row: Content.Content) => Partial<Content.Content>) =>
  Effect.gen(function*() {
    const { sql } = yield* Database
    const [row = assert.fail("there is no such outcome")] = yield* sql<
      Content.Content
    >`SELECT * FROM outcomes WHERE code = 'missing-transfer'
      AND content LIKE '%BTC%'`
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

type Summary = { clean: boolean; coverage: Array<object>; counts: Array<{ outcome: string }>; policy: object }

const REWRITES = {
  "the coverage is complete": (summary: Summary) => ({
    coverage: summary.coverage.map((part) => ({ ...part, to: NOW * 2 }))
  }),
  "nothing is a discrepancy": ({ counts }: Summary) => ({
    clean: true,
    counts: counts.filter(({ outcome }) => outcome !== "discrepancy")
  }),
  "the policy is another": ({ policy }: Summary) => ({ policy: { ...policy, exclude: [{ side: "deposit", id: "x" }] } })
}

/** Rewrites the summary of the run, with the columns that repeat it and all checksums. */
const rewritten = (change: (summary: Summary) => object) =>
  Effect.gen(function*() {
    const { sql } = yield* Database
    const [row = assert.fail("there is no run")] = yield* sql<RunRow.Whole>`SELECT ${RunRow.allColumns(sql)} FROM runs`
    const told: Summary = JSON.parse(Option.getOrThrow(RunRow.summaryOf(row)))
    const next = { ...told, ...change(told) }
    const discrepancies = next.counts.some(({ outcome }) => outcome === "discrepancy") ? row.discrepancies : 0
    const { checksum, clean, packed_summary, summary_checksum } = RunRow.make({
      ...row,
      clean: next.clean ? 1 : 0,
      discrepancies,
      summary: JSON.stringify(next)
    })
    yield* sql`UPDATE runs SET ${sql.update({ checksum, clean, discrepancies, packed_summary, summary_checksum })}`
  })

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

  it.live.each(Object.entries(REWRITES))(
    "a summary of which %s is told by the books, and no period is closed by it",
    ([, change]) =>
      test(Effect.gen(function*() {
        yield* bookDay()
        const { verify } = yield* Books.Books
        assert.deepStrictEqual(yield* verify, [])
        yield* rewritten(change)
        assert.isTrue(Integrity.areRunsSound(yield* Integrity.check()))
        const said = "is not the one that execution 1 of the books followed"
        assert.include((yield* Effect.flip(verify)).message, said)
        assert.include(yield* refusal(), said)
      }))
  )

  it.live("a run that was recorded anew after a damage, and knew more of the ledger then, still has the summary of its execution", () =>
    test(Effect.gen(function*() {
      const { run } = yield* bookDay()
      const { verify } = yield* Books.Books
      const { sql } = yield* Database
      yield* sql`UPDATE runs SET packed_summary = NULL`
      assert.isNotEmpty((yield* Integrity.check()).runs.ids)
      const again = yield* bookDay()
      assert.strictEqual(again.run.id, run.id)
      assert.isTrue(again.isNew)
      assert.deepStrictEqual(yield* verify, [])
    })))

  it.live("an execution of an earlier version has no hash of the summary, and stands as it did", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      const { sql } = yield* Database
      const { executions } = yield* Ledger.make(yield* Database).sound
      const { number: _number, previous: _previous, summary: _summary, ...content } = executions[0]?.body ??
        assert.fail()
      const { body, id } = Chain.next(Chain.GENESIS, content)
      yield* sql`UPDATE ledger SET body = ${body}, id = ${id}`
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))

  it.live("a day that an edit of book_days takes for unchanged is told, and one that waits to be judged again is not", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* book(options(), { carry: true })
      const { verify } = yield* Books.Books
      const { sql } = yield* Database
      yield* arrives(swept)
      assert.deepStrictEqual(yield* verify, [])
      const days = yield* sql<{ day: number; sum: string }>`SELECT from_ms - from_ms % 86400000 AS day,
        CAST(SUM(records) AS TEXT) || ' ' || CAST(SUM(checksums) AS TEXT) || ' ' || CAST(SUM(claims) AS TEXT) AS sum
        FROM controls WHERE operation = 'transfers' GROUP BY 1`
      for (const { day, sum } of days) {
        yield* sql`UPDATE book_days SET totals = ${sum} WHERE operation = 'transfers' AND day = ${day}`
      }
      const found = yield* verify
      assert.deepStrictEqual(found, [
        "the books take the transfers of 2023-11-14 for unchanged, and they are not as they stood: somebody edited book_days"
      ])
    })))

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
          sql`CREATE TRIGGER quiet BEFORE INSERT ON "Ledger" WHEN NEW.number > 1 BEGIN SELECT RAISE(IGNORE); END`,
        orElse: () => sql`CREATE RULE quiet AS ON INSERT TO ledger WHERE NEW.number > 1 DO INSTEAD NOTHING`
      })
      const swallowed = "row 2 of the ledger was not written"
      assert.include((yield* Effect.flip(decide([note]))).message, swallowed)
      assert.include((yield* Effect.flip(book())).message, swallowed)
      assert.deepStrictEqual(yield* OpenItems.OpenItems.use(({ list }) => list()), [])
      const integrity = yield* Integrity.check()
      assert.isFalse(Integrity.isSound(integrity))
      assert.strictEqual(integrity.additions?.length, 1)
      assert.match(integrity.additions?.[0] ?? "", /added the (trigger|rule) quiet to the table ledger/i)
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
