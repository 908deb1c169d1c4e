/** The list of what waits, as a desk asks for it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Statement from "effect/sql/Statement"
import * as Archive from "../src/Archive.ts"
import type * as ArchiveConfig from "../src/ArchiveConfig.ts"
import * as Books from "../src/Books.ts"
import type * as EntryStates from "../src/internal/books/EntryStates.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import * as ItemRow from "../src/internal/items/ItemRow.ts"
import * as ItemTable from "../src/internal/items/ItemTable.ts"
import * as Terms from "../src/internal/items/Terms.ts"
import { Database } from "../src/internal/sql/Database.ts"
import type * as ItemFilter from "../src/ItemFilter.ts"
import * as ItemPages from "../src/ItemPages.ts"
import { at } from "./support/at.ts"
import { arrives, book, far, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import {
  archiveOn,
  auditor,
  clerk,
  DAY,
  decide,
  HOUR,
  idOf,
  kept,
  link,
  MINUTE,
  testOn,
  why
} from "./support/decisions.ts"
import { NOW, transfer } from "./support/records.ts"

const pages = <A, E, R>(use: (pages: ItemPages.Service) => Effect.Effect<A, E, R>) => ItemPages.ItemPages.use(use)

/** A page in words. */
const listed = (asked: ItemPages.Asked = {}) =>
  Effect.map(
    pages(({ page }) => page(asked)),
    ({ items }) =>
      items.map(({ code, decided, difference, first, state, worth }) =>
        [
          `${state} ${code}`,
          `${first.side} ${first.amount} ${first.asset}`,
          difference === undefined
            ? "of no difference"
            : `${difference.bound} ${difference.amount} ${difference.asset}`,
          ...(worth === undefined ? [] : [`worth ${worth}`]),
          ...(decided === "none" ? [] : [decided])
        ].join(", ")
      )
  )

const shown = (filter: ItemFilter.ItemFilter) => Effect.map(listed({ filter }), ({ length }) => length)

const prices = (of: Readonly<Record<string, string>>, currency = "USD") => ({
  prices: { of: new Map(Object.entries(of)), currency }
})

/** What was decided on the item of an entry. */
const decidedOn = (name: string) =>
  Effect.map(
    pages(({ page }) => page()),
    ({ items }) =>
      items.filter(({ first: { id } }) => id.split("~")[0] === name)
        .map(({ decided, decision }) => `${decided} ${decision ?? ""}`)
  )

/** Tells how often the items of a condition are counted, to find how to read those of a filter. */
const timesCounted = Effect.fnUntraced(function*<E, R>(effect: Effect.Effect<unknown, E, R>) {
  let times = 0
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) => {
    if (statement.compile()[0].includes("AS counted")) times++
    return Effect.succeed(statement)
  })
  return times
})

/** A record cannot be read. */
const torn = Archive.Archive.use(({ deposits }) => {
  const slice = { from: NOW + MINUTE, to: NOW + 2 * MINUTE }
  return deposits.saveSlice({
    ...slice,
    records: [],
    bad: [{ side: "deposit", source: "s", path: "p", reason: "no amount", raw: `{"txId":"torn"}` }],
    coverage: [{ operation: "deposits", ...slice, readAt: NOW + 6 * DAY + HOUR, state: "complete" }]
  })
})

describe.each(databases)("pages of items, on $name", (kind) => {
  const test = testOn(kind)

  it.live("items come with what is missing or too much in them, oldest first or by what it is worth", () =>
    test(Effect.gen(function*() {
      assert.deepStrictEqual(yield* listed(), [])
      yield* book(options(), prices({ USDT: "1", BTC: "65000.5" }))
      yield* book(options(far))
      const byAge = [
        "open missing-transfer, deposit 9 USDT, exact 9 USDT, worth 9",
        "open missing-transfer, deposit 1.5 USDT, exact 1.5 USDT, worth 1.5",
        "open missing-transfer, deposit 3 BTC, exact 3 BTC, worth 195001.5",
        "open missing-deposit, transfer 1.4 USDT, exact -1.4 USDT, worth 1.4",
        "open missing-deposit, transfer 9 USDT, exact -9 USDT, worth 9"
      ]
      assert.deepStrictEqual((yield* listed()).toSorted(), byAge.toSorted())
      assert.strictEqual((yield* listed())[0], byAge[0])
      const byWorth = yield* listed({ order: { by: "worth" } })
      assert.deepStrictEqual(byWorth.map((line) => line.split("worth ")[1]), ["195001.5", "9", "9", "1.5", "1.4"])
      const bySize = yield* listed({ order: { by: "difference", reversed: true } })
      assert.deepStrictEqual(
        bySize.map((line) => line.split(" ")[6]),
        ["-1.4", "1.5", "3"].concat(bySize.slice(3).map((line) => line.split(" ")[6] ?? ""))
      )
      assert.deepStrictEqual(Option.getOrThrow(yield* pages(({ prices }) => prices)), {
        execution: 1,
        at: NOW + 7 * DAY,
        currency: "USD"
      })
      yield* book(options(far), prices({ USDT: "2" }))
      assert.deepStrictEqual(
        (yield* listed({ order: { by: "worth" } })).map((line) => line.split("worth ")[1]),
        ["18", "18", "3", "2.8", undefined]
      )
    })))

  it.live("of a pair whose assets are not known to be one both are told, and it has no worth without both prices", () =>
    test(Effect.gen(function*() {
      yield* arrives(transfer({ tranId: "t3", asset: "BTC-BSC", amount: "3", timestamp: NOW + MINUTE }))
      const filter: ItemFilter.ItemFilter = { codes: ["asset-mismatch"] }
      const found = Effect.gen(function*() {
        const { items: [item] } = yield* pages(({ page }) => page({ filter }))
        const { differences, unpriced, worth } = yield* pages(({ summary }) => summary(filter))
        return { difference: item?.difference, worth: item?.worth, summary: { differences, unpriced, worth } }
      })
      const difference = {
        asset: "BTC",
        missing: "3",
        excess: "0",
        amount: "3",
        size: "3",
        bound: "at most",
        other: { asset: "BTC-BSC", excess: "3" }
      } as const
      const differences = [
        { asset: "BTC", bound: "at most", items: 1, missing: "3", excess: "0", size: "3" },
        { asset: "BTC-BSC", bound: "at most", items: 1, missing: "0", excess: "3", size: "3" }
      ] as const
      for (const known of ["BTC", "BTC-BSC"]) {
        yield* book(options(), prices({ [known]: "65000" }))
        const summary = { differences, unpriced: 1, worth: "0" }
        assert.deepStrictEqual(yield* found, { difference, worth: undefined, summary })
      }
      yield* book(options(), prices({ BTC: "65000", "BTC-BSC": "64000" }))
      const worth = "387000"
      assert.deepStrictEqual(yield* found, { difference, worth, summary: { differences, unpriced: 0, worth } })
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t3" }], words: "asked" }])
      assert.strictEqual((yield* found).worth, worth)
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))

  it.live("a note, a decision, a proposal and what takes them back show at once", () =>
    test(Effect.gen(function*() {
      yield* book()
      const stands = (name: string, told: string) =>
        Effect.map(decidedOn(name), (found) => assert.deepStrictEqual(found, [told], name))
      yield* stands("near", "none ")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" }])
      yield* stands("t1", "noted 2")
      yield* decide([yield* link("near", ["t1"])])
      yield* decide([{ kind: "exclude", side: "transfer", id: "t2", ...why }])
      yield* stands("near", "decided 3")
      yield* stands("t1", "decided 3")
      yield* stands("t2", "decided 4")
      yield* decide([{ kind: "revoke", decision: 3, words: "not so" }, {
        kind: "revoke",
        decision: 4,
        words: "nor so"
      }])
      yield* stands("near", "none ")
      yield* stands("t1", "noted 2")
      yield* stands("t2", "none ")
      yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two people" }])
      yield* decide([{ kind: "exclude", side: "transfer", id: "t2", ...why }])
      yield* stands("t2", "proposed 8")
      yield* decide([{ kind: "approve", decision: 8 }], { author: auditor })
      yield* stands("t2", "decided 8")
      yield* decide([{ kind: "revoke", decision: 8, words: "no" }], { author: clerk })
      yield* stands("t2", "decided 8")
      yield* decide([{ kind: "approve", decision: 10 }], { author: auditor })
      yield* stands("t2", "none ")
      yield* stands("other", "none ")
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
      assert.strictEqual(yield* shown({ decided: ["noted", "decided"] }), 1)
    })))

  it.live("what the books do not know comes first, in pages like the rest, and no filter by asset leaves it out", () =>
    test(Effect.gen(function*() {
      yield* torn
      yield* book(options({ from: NOW - HOUR, to: NOW + 6 * DAY }))
      const { page } = yield* ItemPages.ItemPages
      const whole = yield* page()
      assert.deepStrictEqual(whole.withoutEntries.map(({ _tag }) => _tag), ["Gap", "Gap", "BadRecord"])
      assert.isUndefined(whole.next)
      const seen: Array<string> = []
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const one: ItemPages.Page = yield* page({ size: 1, ...(after === undefined ? {} : { after }) })
        assert.strictEqual(one.withoutEntries.length + one.items.length, 1)
        seen.push(...one.withoutEntries.map(({ id }) => id), ...one.items.map(({ id }) => id))
        after = one.next
      }
      assert.deepStrictEqual(seen, [...whole.withoutEntries, ...whole.items].map(({ id }) => id))
      const without = (filter: ItemFilter.ItemFilter) =>
        Effect.map(page({ filter }), ({ withoutEntries }) => withoutEntries.length)
      assert.strictEqual(yield* without({ asset: "BTC", account: "nobody", leastWorth: "1" }), 3)
      assert.strictEqual(yield* without({ codes: ["unread"] }), 2)
      assert.strictEqual(yield* without({ codes: ["missing-transfer"] }), 0)
      assert.strictEqual(yield* without({ states: ["open"] }), 0)
      assert.strictEqual(yield* without({ side: "transfer" }), 1)
      assert.strictEqual(yield* without({ text: "TORN" }), 1)
      assert.strictEqual(yield* without({ decided: ["noted"] }), 0)
      assert.strictEqual((yield* pages(({ summary }) => summary())).withoutEntries, 3)
    })))

  it.live("an item is found by whatever a person has at hand of its ids, and by amount and account", () =>
    test(Effect.gen(function*() {
      yield* book()
      const id = yield* idOf("near")
      const { items } = yield* pages(({ page }) => page())
      const near = items.find(({ first }) => first.id === id)
      assert.isDefined(near)
      for (
        const text of [
          "near",
          "NEA",
          id,
          id.slice(-5),
          `${id.slice(0, 6)}…${id.slice(-4)}`,
          `${id.slice(0, 6)}...${id.slice(-4)}`,
          near?.id,
          near?.id.slice(0, 8),
          near?.outcome.slice(0, 6),
          "1.50",
          " usdt   near "
        ]
      ) {
        const found = yield* pages(({ page }) => page({ filter: { text: text ?? "" } }))
        assert.deepStrictEqual(found.items, [near], text)
      }
      assert.strictEqual(yield* shown({ text: "near other" }), 0)
      assert.strictEqual(yield* shown({ text: "1.51" }), 0)
      assert.strictEqual(yield* shown({ text: "%" }), 0)
      assert.strictEqual(yield* shown({ account: "a@x" }), 2)
      assert.strictEqual(yield* shown({ account: "A@x" }), 0)
      assert.strictEqual(yield* shown({ codes: [] }), 0)
    })))

  it.live("a position of another order, or a text that is none, is refused", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { page } = yield* ItemPages.ItemPages
      const { next = "" } = yield* page({ size: 1 })
      assert.lengthOf((yield* page({ after: next })).items, 3)
      const forged = (cursor: object): string => Buffer.from(JSON.stringify(cursor)).toString("base64url")
      const oldest = { by: "age", reversed: false, key: "o1" }
      for (
        const [after, order] of [
          [next, { by: "worth" }],
          [next, { by: "age", reversed: true }],
          ["", { by: "age" }],
          ["next", { by: "age" }],
          [forged({ ...oldest, value: "1" }), { by: "age" }],
          [forged({ ...oldest, by: "code", value: "\0" }), { by: "code" }],
          [forged({ ...oldest, by: "code", value: 1 }), { by: "code" }]
        ] satisfies ReadonlyArray<readonly [string, ItemFilter.Order]>
      ) assert.include((yield* Effect.flip(page({ after, order }))).message, "names no position in this order")
    })))

  it.live("the table follows from the books: any edit of it by SQL shows and is mended", () =>
    test(Effect.gen(function*() {
      yield* book(options(), prices({ USDT: "1" }))
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "asked" }])
      yield* decide([yield* link("near", ["t1"])])
      yield* book(options(far))
      const { rebuild, verify } = yield* Books.Books
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* verify, [])
      const before = yield* pages(({ page }) => page())
      const column = (name: string, value: string | number) =>
        sql`UPDATE items SET ${sql(name)} = ${value} WHERE entry = 't2'`
      const edits = [
        ...ItemRow.COLUMNS.map((name) =>
          column(name, ["at", "since", "execution", "deposits", "transfers", "decision"].includes(name) ? 99 : "edited")
        ),
        sql`DELETE FROM items WHERE entry = 't2'`,
        sql`DELETE FROM items`,
        sql`DELETE FROM item_terms WHERE term = 'aUSDT'`,
        sql`UPDATE item_terms SET term = 'wt3' WHERE term = 'wt2'`,
        sql`INSERT INTO item_terms (item, term) VALUES (0, 'wt2')`,
        sql`INSERT INTO item_terms (item, term) SELECT number, 'wt3' FROM items`
      ]
      for (const edit of edits) {
        yield* edit
        assert.isNotEmpty(yield* verify)
        yield* rebuild
        assert.deepStrictEqual(yield* verify, [])
        assert.deepStrictEqual(yield* pages(({ page }) => page()), before)
      }
    })))

  it.live("no list is shown of an empty table while entries wait", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { sql } = yield* Database
      yield* sql`DELETE FROM items`
      const { page, summary } = yield* ItemPages.ItemPages
      assert.include((yield* Effect.flip(page())).message, "the list of items is empty, and entries wait in the books")
      assert.include((yield* Effect.flip(summary())).message, "tallystick archive rebuild")
    })))

  it.live("an execution whose run is damaged leaves the difference of its items unknown", () =>
    test(Effect.gen(function*() {
      yield* book(options(far))
      const { sql } = yield* Database
      yield* sql`UPDATE outcomes SET content = '{}'`
      yield* decide([{ kind: "note", entries: [{ side: "deposit", id: yield* idOf("far") }], words: "asked" }])
      assert.deepStrictEqual(yield* listed(), [
        "open missing-transfer, deposit 9 USDT, of no difference, noted"
      ])
    })))

  it.live("an archive of the version before has the same list as soon as it is opened, decisions and worths included", () =>
    Effect.gen(function*() {
      const location: ArchiveConfig.Location = yield* kind.fresh
      const use = <A, E>(body: Effect.Effect<A, E, Archive.Archive | Books.Books | Database | ItemPages.ItemPages>) =>
        Effect.provide(
          body,
          Layer.fresh(archiveOn({ layer: Layer.fresh(Drivers.layerLocation(location)) }))
        )
      yield* Effect.provide(
        Effect.gen(function*() {
          yield* kept
          yield* book(options(), prices({ USDT: "1" }))
          yield* decide([yield* link("near", ["t1"])])
          yield* book(options(far))
        }).pipe(at(NOW + 7 * DAY)),
        Layer.fresh(archiveOn({ layer: Layer.fresh(Drivers.layerLocation(location)) }))
      )
      const before = yield* use(pages(({ page }) => page()))
      assert.lengthOf(before.items, 3)
      yield* use(Database.use(({ sql }) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* sql`DROP TABLE item_terms`
          yield* sql`DROP TABLE items`
          yield* sql`DROP INDEX entry_states_outcome`
          yield* sql`DELETE FROM tallystick_migrations WHERE migration_id >= 20`
        }))
      ))
      const opened = location._tag === "File"
        ? Archive.Archive.layerSqlite({ file: location.file })
        : Archive.Archive.layerPostgres({ url: location.url })
      yield* Effect.provide(
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* pages(({ page }) => page()), before)
          assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
        }),
        Layer.fresh(opened)
      )
    }).pipe(Effect.scoped))

  it.live("a summary of thousands is added up page by page, and told anew once the ledger went on", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { sql } = yield* Database
      const { summary } = yield* ItemPages.ItemPages
      const { items } = yield* summary()
      const more = Array.from({ length: 2500 }, (_, index): ItemTable.Written => {
        const entry: EntryStates.EntryState = {
          side: "transfer",
          id: `m${index}`,
          item: "i0",
          asset: "USDT",
          amount: "0.1",
          at: NOW + Math.floor(index / 700),
          state: "open",
          code: "missing-deposit",
          outcome: `m${index}`,
          since: 1,
          execution: 1
        }
        const { at, code, outcome, since } = entry
        const item = { id: "i0", state: "open", code, outcome, at, since, execution: 1, entries: [entry] } as const
        const told = { decided: "none", decision: 0, difference: undefined } as const
        return { row: ItemRow.make(item, told, new Map()), terms: Terms.of(item) }
      })
      yield* ItemTable.make(sql).write(more)
      assert.strictEqual((yield* summary()).items, items, "the ledger is as it was")
      assert.strictEqual((yield* summary({ states: ["open"] })).items, items + 2500)
      const planned = yield* timesCounted(summary({ side: "transfer" }))
      assert.strictEqual(planned, 1, "it is found once how the items are read")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t2" }], words: "asked" }])
      assert.strictEqual((yield* summary()).items, items + 2500)
    })))

  it.live("a transfer that comes late settles its item, and the list lacks it from then on", () =>
    test(Effect.gen(function*() {
      yield* book()
      yield* Archive.Archive.use(({ transfers }) =>
        transfers.savePage({ readAt: NOW + 6 * DAY + HOUR, records: [swept, transfer({ tranId: "t9" })], bad: [] })
      )
      yield* book()
      assert.deepStrictEqual(
        (yield* listed()).filter((line) => line.includes("BTC")),
        []
      )
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))
})
