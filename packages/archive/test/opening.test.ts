import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Coverage from "@tallystick/core/Coverage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Queries from "../src/internal/coverage/Queries.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import { KNOWN } from "../src/internal/migrations/Migrations.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { asOfNinth } from "./support/Earlier.ts"
import { reason } from "./support/reason.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const DAY = 86_400_000

const last = (sql: Database["Service"]["sql"]) => sql`SELECT max(migration_id) FROM tallystick_migrations`.values

const ODD = "é'\"\\ 😀 %_;--"

describe.each(databases)("an archive in $name", ({ fresh, layer, name }) => {
  it.effect("gives back text as it was and whole numbers as numbers", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      yield* sql`INSERT INTO stamps ${sql.insert([{ base_url: ODD, fingerprint: "1.10" }])}`
      yield* sql`INSERT INTO queries ${
        sql.insert([{
          id: 9_007_199_254_740_991,
          from_account: null,
          to_account: ODD,
          from_account_type: "A",
          to_account_type: "B"
        }])
      }`
      const [stamp] = yield* sql`SELECT base_url, fingerprint FROM stamps`
      assert.deepStrictEqual({ ...stamp }, { base_url: ODD, fingerprint: "1.10" })
      const [query] = yield* sql`SELECT id, from_account, to_account, (SELECT count(*) FROM queries) AS n FROM queries`
      assert.deepStrictEqual({ ...query }, { id: 9_007_199_254_740_991, from_account: null, to_account: ODD, n: 1 })
    }).pipe(Effect.provide(layer)))

  it.effect("undoes a transaction that fails, and only the inner part where that is caught", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const insert = (name: string) => sql`INSERT INTO stamps ${sql.insert({ base_url: name, fingerprint: "" })}`
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(insert("outer"), Effect.fail("undo"))))
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* insert("kept")
        yield* Effect.ignore(sql.withTransaction(Effect.andThen(insert("inner"), Effect.fail("undo"))))
      }))
      assert.deepStrictEqual((yield* sql`SELECT base_url FROM stamps`).map(({ base_url }) => base_url), ["kept"])
    }).pipe(Effect.provide(layer)))

  it.effect("is migrated once, and opens again as it was", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const migrations = Effect.gen(function*() {
        const { sql } = yield* Database
        yield* sql`INSERT INTO stamps ${
          sql.insert({ base_url: String(yield* Effect.clockWith((it) => it.currentTimeNanos)), fingerprint: "" })
        } ON CONFLICT DO NOTHING`
        return (yield* sql`SELECT migration_id, name, created_at FROM tallystick_migrations ORDER BY 1`).map((row) =>
          Object.values(row)
        )
      }).pipe(Effect.provide(Layer.fresh(Drivers.layerLocation(location))))
      const first = yield* migrations
      assert.strictEqual(first.at(-1)?.[0], KNOWN)
      assert.deepStrictEqual(yield* migrations, first)
    }).pipe(Effect.scoped))

  it.live("can be opened for the first time by many at once", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const opened = yield* Effect.forEach(
        [1, 2, 3, 4, 5],
        () => Layer.build(Layer.fresh(Drivers.layerLocation(location))),
        { concurrency: "unbounded" }
      )
      for (const context of opened) {
        const { sql } = Context.get(context, Database)
        assert.deepStrictEqual(yield* last(sql), [[KNOWN]])
      }
    }).pipe(Effect.scoped))

  it.effect("of an earlier version gets the columns that it lacks, and is believed as it is", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const open = Layer.build(Layer.fresh(Drivers.layerLocation(location)))
      const use = <A, E>(effect: Effect.Effect<A, E, Archive.Archive>) =>
        Effect.provide(
          effect,
          Layer.fresh(Layer.provide(Archive.Archive.layer, Layer.fresh(Drivers.layerLocation(location))))
        )
      const day = { from: NOW - DAY, to: NOW + DAY }
      const kept = Archive.Archive.use(({ deposits, transfers }) =>
        Effect.map(
          Effect.all([Stream.runCollect(deposits.slices(day)), Stream.runCollect(transfers.slices(day))]),
          ([left, right]) => [
            left.flatMap(({ records }) => records),
            left.flatMap(({ bad }) => bad),
            Coverage.merge(left.flatMap(({ coverage }) => coverage)),
            right.flatMap(({ records }) => records),
            Coverage.merge(right.flatMap(({ coverage }) => coverage))
          ]
        )
      )
      yield* TestClock.setTime(NOW + DAY)
      yield* use(Archive.Archive.use(Effect.fnUntraced(function*({ deposits, transfers }) {
        const many = Array.from({ length: 6000 }, (_, index) => deposit({ insertTime: NOW + index, txId: `${index}` }))
        const bad = { side: "deposit", source: "s", path: "p", reason: "r", raw: "{}" } as const
        const coverage = [{ operation: "deposits", ...day, readAt: NOW, state: "complete" } as const]
        yield* deposits.savePage({ readAt: NOW - 1, records: [deposit({ status: 4, txId: "0" })], bad: [] })
        yield* deposits.saveSlice({ ...day, records: many, bad: [bad], coverage })
        const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }
        const part = { operation: "transfers", query, ...day, readAt: NOW, state: "complete" } as const
        const records = [transfer({ tranId: "9" })]
        yield* transfers.saveSlice({ ...day, records, bad: [{ ...bad, side: "transfer" }], coverage: [part] }, query)
        yield* transfers.importRecords([transfer({ status: "PENDING" })], NOW)
        yield* transfers.importRecords([transfer(), transfer({ tranId: "8", fromAccount: "\u0000" })], NOW + 1)
      })))
      const before = yield* use(kept)
      yield* Effect.scoped(Effect.gen(function*() {
        const { sql } = Context.get(yield* open, Database)
        // It counted the queries.
        for (const table of ["transfers", "bad_records", "coverage"]) {
          yield* sql`UPDATE ${sql(table)} SET query = 1 WHERE query <> 0`
        }
        yield* sql`UPDATE queries SET id = 1`
        yield* sql`DROP INDEX versions_at`
        yield* sql`DROP TABLE controls`
        yield* sql`DROP TABLE scopes`
        for (const table of ["deposits", "transfers", "versions", "bad_records", "coverage", "learnt", "stamps"]) {
          yield* sql`ALTER TABLE ${sql(table)} DROP COLUMN checksum`
        }
        yield* sql`DELETE FROM bad_records WHERE at > (SELECT MIN(at) FROM bad_records)`
        yield* sql`ALTER TABLE bad_records DROP COLUMN until`
        yield* sql`ALTER TABLE coverage DROP COLUMN last_read`
        yield* sql`CREATE INDEX versions_conflicts ON versions (operation, at) WHERE kind = 'conflict'`
        for (const table of ["deposits", "transfers", "versions"]) {
          yield* sql`ALTER TABLE ${sql(table)} DROP COLUMN last_seen`
        }
        yield* sql`DROP TABLE moves`
        yield* asOfNinth(sql)
        yield* sql`DELETE FROM tallystick_migrations WHERE migration_id >= 6`
      }))
      yield* Effect.scoped(Effect.gen(function*() {
        const { sql } = Context.get(yield* open, Database)
        assert.deepStrictEqual(yield* last(sql), [[KNOWN]])
      }))
      assert.deepStrictEqual(yield* use(kept), before)
      const damages = yield* use(
        Archive.Archive.use(({ deposits, transfers }) => Effect.all([deposits.check(day), transfers.check(day)]))
      )
      assert.deepStrictEqual(damages, [[], []])
      // Nobody knows any more of which slice a record was that tells no time.
      const near = { from: NOW - 7 * DAY, to: NOW - 7 * DAY + 1 }
      const unread = yield* use(Archive.Archive.use(({ deposits }) => Stream.runCollect(deposits.slices(near))))
      assert.deepStrictEqual(unread.flatMap(({ bad }) => bad.map(({ raw }) => raw)), ["{}"])
      yield* Effect.scoped(Effect.gen(function*() {
        const { sql } = Context.get(yield* open, Database)
        assert.deepStrictEqual(yield* Queries.make(sql).lost, [])
        const counted = yield* sql`SELECT query FROM transfers WHERE query = 1 UNION ALL
          SELECT query FROM bad_records WHERE query = 1 UNION ALL SELECT query FROM coverage WHERE query = 1`
        assert.deepStrictEqual(counted, [])
      }))
    }).pipe(Effect.scoped))

  for (const from of [KNOWN, 1]) {
    it.effect(`that lost what tells of its migrations from ${from} on is damaged, in words that say what to do`, () =>
      Effect.gen(function*() {
        const location = yield* fresh
        const open = Layer.build(Layer.fresh(Drivers.layerLocation(location)))
        yield* Effect.scoped(Effect.gen(function*() {
          const { sql } = Context.get(yield* open, Database)
          yield* sql`DELETE FROM tallystick_migrations WHERE migration_id >= ${from}`
        }))
        const { _tag, message } = yield* reason(Effect.scoped(open))
        assert.strictEqual(_tag, "Damaged")
        assert.include(message, `its tables are not those of version ${from - 1}, which it says that it is of`)
        assert.include(message, "restore it from a backup")
      }).pipe(Effect.scoped))
  }

  it.effect("of a later version is refused and left as it is", () =>
    Effect.gen(function*() {
      const location = yield* fresh
      const open = Layer.build(Layer.fresh(Drivers.layerLocation(location)))
      yield* Effect.scoped(Effect.gen(function*() {
        const { sql } = Context.get(yield* open, Database)
        yield* sql`INSERT INTO tallystick_migrations ${sql.insert({ migration_id: KNOWN + 7, name: "later" })}`
      }))
      const newer = yield* reason(Effect.scoped(open))
      assert.deepInclude(newer, { _tag: "Newer", found: KNOWN + 7, known: KNOWN })
      assert.include(newer.message, "later version of Tallystick")
    }).pipe(Effect.scoped))

  it.effect("tells a refused statement's failure without its parameters", () =>
    Effect.gen(function*() {
      const { error, place, sql } = yield* Database
      const insert = sql`INSERT INTO stamps ${sql.insert({ base_url: "stranger", fingerprint: "stranger" })}`
      yield* insert
      const { reason } = error(yield* Effect.flip(insert))
      assert.deepInclude(reason, { _tag: name === "SQLite" ? "Damaged" : "Failed", place })
      assert.notInclude(JSON.stringify(reason), "stranger")
      assert.include(reason.message.toLowerCase(), "unique constraint")
    }).pipe(Effect.provide(layer)))
})
