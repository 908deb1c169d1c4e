/** The table of items is kept in step with the books by whatever is written to them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Books from "../src/Books.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as ItemPages from "../src/ItemPages.ts"
import { book, far, options } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { decide, testOn } from "./support/decisions.ts"

const listed = ItemPages.ItemPages.use(({ page }) => Effect.map(page(), ({ items }) => items))

const verified = Books.Books.use(({ verify }) => verify)

const prices = ItemPages.ItemPages.use(({ prices }) => prices)

/** Leaves the table as an archive has it whose items could not be written when it was opened. */
const emptied = Database.use(({ sql }) => Effect.andThen(sql`DELETE FROM item_terms`, sql`DELETE FROM items`))

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
