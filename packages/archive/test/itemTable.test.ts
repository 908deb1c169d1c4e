/** The table of items is kept in step with the books by whatever is written to them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Books from "../src/Books.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as ItemPages from "../src/ItemPages.ts"
import { arrives, book, far, options, swept } from "./support/books.ts"
import { databases, memory } from "./support/databases.ts"
import { decide, testOn } from "./support/decisions.ts"

const listed = ItemPages.ItemPages.use(({ page }) => Effect.map(page(), ({ items }) => items))

const verified = Books.Books.use(({ verify }) => verify)

const prices = ItemPages.ItemPages.use(({ prices }) => prices)

/** Leaves the table as an archive has it whose items could not be written when it was opened. */
const emptied = Database.use(({ sql }) => Effect.andThen(sql`DELETE FROM item_terms`, sql`DELETE FROM items`))

it.live("an execution at other prices writes no item twice, and none that is settled", () =>
  testOn(memory)(Effect.gen(function*() {
    const at = (usdt: string, btc: string) => ({ prices: { of: new Map([["USDT", usdt], ["BTC", btc]]) } })
    yield* book(options(), at("1", "65000"))
    yield* arrives(swept)
    const { sql } = yield* Database
    yield* sql`CREATE TABLE written (key TEXT NOT NULL)`
    for (const change of ["INSERT", "UPDATE"]) {
      yield* sql`CREATE TRIGGER ${sql(`on_${change}`)} AFTER ${sql.literal(change)} ON items
        BEGIN INSERT INTO written VALUES (NEW.key); END`
    }
    yield* book(options(), at("2", "66000"))
    const keys = yield* sql`SELECT key FROM items ORDER BY key`
    assert.lengthOf(keys, 3)
    assert.deepStrictEqual(yield* sql`SELECT key FROM written ORDER BY key`, keys)
  })))

describe.each(databases)("the table of items, on $name", (kind) => {
  const test = testOn(kind)

  it.live("is whole after a decision that finds it empty, not only as far as the decision goes", () =>
    test(Effect.gen(function*() {
      yield* book()
      const before = yield* listed
      assert.lengthOf(before, 4)
      yield* emptied
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "asked" }])
      assert.deepStrictEqual(
        (yield* listed).map(({ decided, id }) => [id, decided]),
        before.map(({ first, id }) => [id, first.id === "t2" ? "noted" : "none"])
      )
      assert.deepStrictEqual(yield* verified, [])
    })))

  it.live("is whole after a decision on no entry, and after an execution over another time", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* emptied
      yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two people" }])
      assert.lengthOf(yield* listed, 4)
      yield* emptied
      yield* book(options(far))
      assert.lengthOf(yield* listed, 5)
      assert.deepStrictEqual(yield* verified, [])
    })))

  it.live("tells its prices without all of the ledger once that was read, and holds what comes behind", () =>
    test(Effect.gen(function*() {
      yield* book(options(), { prices: { of: new Map([["USDT", "1"]]) } })
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" }])
      const before = yield* prices
      assert.strictEqual(Option.getOrThrow(before).execution, 1)
      const { sql } = yield* Database
      yield* sql`UPDATE ledger SET body = REPLACE(body, '"clerk"', '"other"') WHERE number = 1`
      assert.deepStrictEqual(yield* prices, before)
      yield* sql`UPDATE ledger SET body = REPLACE(body, 'asked', 'other') WHERE number = 2`
      assert.include((yield* Effect.flip(prices)).message, "of the ledger is not as it was written")
    })))
})
