/** The SQLite client as a client for any program's own database. */
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as SqliteClient from "../src/SqliteClient.ts"
import { temporaryFolder } from "./support/databases.ts"

const file = Effect.map(temporaryFolder, (folder) => join(folder, "books.db"))

const open = (config: SqliteClient.SqliteClientConfig) =>
  Effect.map(
    Layer.build(Layer.fresh(SqliteClient.layer(config))),
    (context) => Context.get(context, SqlClient.SqlClient)
  )

const memory = Effect.tap(
  open({ filename: ":memory:" }),
  (sql) => sql`CREATE TABLE bookings (id TEXT PRIMARY KEY, n INTEGER)`
)

const ids = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM bookings ORDER BY id`, (rows) => rows.map(({ id }) => id))

const reason = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.map(Effect.flip(effect), (error) => error.reason._tag)

/** 2^53 + 1, which no number holds. */
const BEYOND = 9_007_199_254_740_993n

const numbers = (to: string) => `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r ${to}) SELECT n FROM r`

describe("a layer of it", () => {
  it.effect("provides the client under Effect's name and its own", () =>
    Effect.gen(function*() {
      const context = yield* Layer.build(SqliteClient.layer({ filename: ":memory:" }))
      const own = Context.get(context, SqliteClient.SqliteClient)
      assert.strictEqual<SqlClient.SqlClient>(own, Context.get(context, SqlClient.SqlClient))
      assert.deepStrictEqual(own.config, { filename: ":memory:" })
      assert.strictEqual(own.onDialectOrElse({ sqlite: () => "SQLite", orElse: () => "another" }), "SQLite")
    }))

  it.effect("takes its settings from a ConfigProvider", () =>
    Effect.gen(function*() {
      const filename = yield* file
      const layer = SqliteClient.layerConfig({ filename: Config.String("BOOKS"), busyTimeout: Config.Duration("WAIT") })
      const provide = Effect.provide(
        ConfigProvider.layer(ConfigProvider.fromUnknown({ BOOKS: filename, WAIT: "1 second" }))
      )
      yield* Effect.scoped(provide(Layer.build(layer)))
      assert.isTrue(existsSync(filename))
      const missing = yield* Effect.flip(Effect.scoped(
        Effect.provide(Layer.build(layer), ConfigProvider.layer(ConfigProvider.fromUnknown({})))
      ))
      assert.strictEqual(missing._tag, "ConfigError")
    }))

  it.effect("keeps a write-ahead log, unless told not to", () =>
    Effect.gen(function*() {
      const mode = (sql: SqlClient.SqlClient) =>
        Effect.map(sql<{ journal_mode: string }>`PRAGMA journal_mode`, ([row]) => row?.journal_mode)
      assert.strictEqual(yield* mode(yield* open({ filename: yield* file })), "wal")
      assert.strictEqual(yield* mode(yield* open({ filename: yield* file, disableWAL: true })), "delete")
    }))

  it.effect("fails where the file cannot be opened", () =>
    Effect.gen(function*() {
      const filename = join(yield* temporaryFolder, "nowhere", "books.db")
      assert.strictEqual(yield* reason(open({ filename })), "ConnectionError")
      assert.strictEqual(yield* reason(open({ filename: yield* file, readonly: true })), "ConnectionError")
    }))

  it.effect("reads only, where that is asked, also in transactions", () =>
    Effect.gen(function*() {
      const filename = yield* file
      const writer = yield* open({ filename })
      yield* writer`CREATE TABLE bookings (id TEXT)`
      yield* writer`INSERT INTO bookings VALUES ('a')`
      const sql = yield* open({ filename, readonly: true })
      assert.deepStrictEqual(yield* sql.withTransaction(ids(sql)), ["a"])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(sql`INSERT INTO bookings VALUES ('b')`)))
      assert.deepStrictEqual(yield* ids(writer), ["a"])
    }))

  it.effect("renames identifiers and columns as it is told", () =>
    Effect.gen(function*() {
      const sql = yield* open({
        filename: ":memory:",
        transformQueryNames: (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        transformResultNames: (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      })
      yield* sql`CREATE TABLE bookings (booked_at INTEGER)`
      yield* sql`INSERT INTO bookings ${sql.insert({ bookedAt: 5 })}`
      assert.deepStrictEqual(yield* sql`SELECT ${sql("bookedAt")} FROM bookings`, [{ bookedAt: 5 }])
      assert.deepStrictEqual(yield* Stream.runCollect(sql`SELECT booked_at FROM bookings`.stream), [{ bookedAt: 5 }])
      assert.deepStrictEqual(yield* sql.withoutTransforms()`SELECT booked_at FROM bookings`, [{ booked_at: 5 }])
    }))

  it.effect("runs the migrations of Effect's migrator", () =>
    Effect.gen(function*() {
      const sql = yield* open({ filename: ":memory:" })
      const migrate = Migrator.make({})({
        loader: Migrator.fromRecord({ "0001_bookings": sql`CREATE TABLE bookings (id TEXT)` })
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      assert.deepStrictEqual(yield* migrate, [[1, "bookings"]])
      assert.deepStrictEqual(yield* migrate, [])
    }))
})

describe("a transaction", () => {
  it.effect("is undone as a whole where it fails, and a part of it where that part fails", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const add = (id: string) => sql`INSERT INTO bookings ${sql.insert({ id, n: 1 })}`
      const inner = sql.withTransaction(Effect.andThen(add("inner"), Effect.fail("no")))
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* add("before")
        yield* Effect.flip(inner)
        yield* sql.withTransaction(Effect.andThen(add("deep"), Effect.ignore(inner)))
        yield* add("after")
      }))
      assert.deepStrictEqual(yield* ids(sql), ["after", "before", "deep"])
      const outer = sql.withTransaction(Effect.andThen(sql.withTransaction(add("kept")), Effect.fail("no")))
      assert.strictEqual(yield* Effect.flip(outer), "no")
      assert.deepStrictEqual(yield* ids(sql), ["after", "before", "deep"])
    }))

  it.effect("is undone where it is interrupted, and the connection is free again", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(sql.withTransaction(
        sql`INSERT INTO bookings VALUES ('a', 1)`.pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Effect.never)
        )
      ))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* ids(sql), [])
    }))

  it.effect("lets no statement of another fiber in", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const begun = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        Effect.andThen(Deferred.await(begun), sql`INSERT INTO bookings VALUES ('other', 1)`)
      )
      yield* Effect.ignore(sql.withTransaction(
        sql`INSERT INTO bookings VALUES ('own', 1)`.pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 50 })),
          Effect.andThen(Effect.fail("no"))
        )
      ))
      yield* Fiber.join(other)
      assert.deepStrictEqual(yield* ids(sql), ["other"])
    }))

  it.effect("fails with a lock timeout where another connection writes, before it has done anything", () =>
    Effect.gen(function*() {
      const filename = yield* file
      const one = yield* open({ filename, busyTimeout: 0 })
      const two = yield* open({ filename, busyTimeout: 0 })
      yield* one`CREATE TABLE bookings (id TEXT)`
      let ran = false
      const blocked = two.withTransaction(Effect.sync(() => (ran = true)))
      assert.strictEqual(yield* one.withTransaction(reason(blocked)), "LockTimeoutError")
      assert.isFalse(ran)
      yield* blocked
      assert.isTrue(ran)
    }))

  it.effect("is undone where its commit fails", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      yield* sql`CREATE TABLE parts (of TEXT REFERENCES bookings(id) DEFERRABLE INITIALLY DEFERRED)`
      assert.strictEqual(
        yield* reason(sql.withTransaction(sql`INSERT INTO parts VALUES ('nobody')`)),
        "ConstraintError"
      )
      assert.deepStrictEqual(yield* sql`SELECT * FROM parts`, [])
    }))
})

describe("a value", () => {
  it.effect("of a whole number comes as a number where that holds it, else as a bigint, and always exactly", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      yield* sql`INSERT INTO bookings ${
        sql.insert([{ id: "a", n: 5 }, { id: "b", n: BEYOND }, { id: "c", n: -BEYOND }])
      }`
      const all = sql<{ n: number | bigint }>`SELECT n FROM bookings ORDER BY id`
      const expected = [5, BEYOND, -BEYOND]
      assert.deepStrictEqual((yield* all).map(({ n }) => n), expected)
      assert.deepStrictEqual((yield* all.unprepared).map(({ n }) => n), expected)
      assert.deepStrictEqual((yield* all.values).flat(), expected)
      assert.deepStrictEqual((yield* Stream.runCollect(all.stream)).map(({ n }) => n), expected)
      const safe = Effect.provideService(SqlClient.SafeIntegers, true)
      assert.deepStrictEqual((yield* safe(all)).map(({ n }) => n), [5n, BEYOND, -BEYOND])
      assert.deepStrictEqual((yield* safe(Stream.runCollect(all.stream))).map(({ n }) => n), [5n, BEYOND, -BEYOND])
      assert.deepStrictEqual((yield* all).map(({ n }) => n), expected)
    }))

  it.effect("that a statement returns which writes is written once, however great it is", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const one = sql<{ n: bigint }>`INSERT INTO bookings VALUES ('a', ${BEYOND}) RETURNING n`
      assert.deepStrictEqual(yield* one, [{ n: BEYOND }])
      yield* sql`CREATE TABLE log (n INTEGER)`
      const two = sql<{ n: bigint }>`WITH big AS (SELECT ${BEYOND} AS n) INSERT INTO log SELECT n FROM big RETURNING n`
      assert.deepStrictEqual(yield* two, [{ n: BEYOND }])
      assert.deepStrictEqual(yield* sql`SELECT n FROM log`, [{ n: BEYOND }])
    }))

  it.effect("goes in and comes back as it was", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const given = ["10.50", 1.5, BEYOND, Uint8Array.of(1, 2), null]
      const [row] = yield* sql`SELECT ${sql.csv(given.map((value) => sql`${value}`))}`.values
      assert.deepStrictEqual(row, given)
    }))

  it.effect("of no kind that SQLite knows is refused", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      assert.strictEqual(yield* reason(sql`SELECT ${{ id: "a" }}`), "UnknownError")
      assert.strictEqual(yield* reason(sql`SELECT ${undefined}`), "UnknownError")
      assert.strictEqual(yield* reason(sql`SELECT ${true}`), "UnknownError")
      assert.strictEqual(yield* reason(sql`SELECT ${2n ** 64n}`), "UnknownError")
    }))

  it.effect("that is there already violates its constraint, which the error names", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      yield* sql`CREATE UNIQUE INDEX by_n ON bookings (n)`
      yield* sql`INSERT INTO bookings VALUES ('a', 1)`
      const { reason } = yield* Effect.flip(sql`INSERT INTO bookings VALUES ('b', 1)`)
      assert.strictEqual(reason._tag, "UniqueViolation")
      assert.deepInclude(reason, { constraint: "bookings.n" })
    }))
})

describe("a stream of rows", () => {
  it.effect("reads no more than is pulled, and leaves the connection free", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const endless = sql.unsafe<{ n: number }>(numbers("")).stream
      const first = yield* endless.pipe(Stream.take(1000), Stream.runFold(() => 0, (sum, { n }) => sum + n))
      assert.strictEqual(first, 500_500)
      assert.deepStrictEqual(yield* ids(sql), [])
    }))

  it.effect("of a hundred thousand rows gives each of them", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const rows = sql.unsafe<{ n: number }>(numbers("WHERE n < 100000")).stream
      assert.deepStrictEqual(
        yield* Stream.runFold(rows, () => [0, 0], ([count = 0, sum = 0], { n }) => [count + 1, sum + n]),
        [100_000, 5_000_050_000]
      )
    }))

  it.effect("lets the same transaction run other statements meanwhile, also the same one", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const rows = Array.from({ length: 1000 }, (_, n) => ({ id: `${n}`.padStart(4, "0"), n }))
      yield* Effect.forEach(Arr.chunksOf(rows, 500), (part) => sql`INSERT INTO bookings ${sql.insert(part)}`)
      const all = sql<{ id: string }>`SELECT id FROM bookings ORDER BY id`
      const seen = yield* sql.withTransaction(
        all.stream.pipe(
          Stream.rechunk(100),
          Stream.mapArrayEffect((chunk) => Effect.as(all, chunk)),
          Stream.runCollect
        )
      )
      assert.deepStrictEqual(seen.map(({ id }) => id), rows.map(({ id }) => id))
    }))

  it.effect("frees the connection where it is interrupted, and where its reader fails", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const endless = sql.unsafe<{ n: number }>(numbers("")).stream
      const begun = yield* Deferred.make<void>()
      const fiber = yield* endless.pipe(
        Stream.runForEach(() => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)),
        Effect.forkChild
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* ids(sql), [])
      yield* Effect.flip(Stream.runForEach(endless, () => Effect.fail("enough")))
      yield* sql`INSERT INTO bookings VALUES ('a', 1)`
      assert.deepStrictEqual(yield* ids(sql), ["a"])
    }))

  it.effect("leaves its table free when it ends before its rows do", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      yield* sql.unsafe(`INSERT INTO bookings SELECT n, n FROM (${numbers("WHERE n < 1000")})`)
      yield* Stream.runDrain(Stream.take(sql`SELECT id FROM bookings`.stream, 1))
      // SQLite drops no table of which a statement still reads.
      yield* sql`DROP TABLE bookings`
    }))

  it.effect("fails where a row cannot be read, after the rows before it", () =>
    Effect.gen(function*() {
      const sql = yield* memory
      const rows = sql.unsafe<{ x: number }>(
        `WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 600)
         SELECT CASE WHEN n = 600 THEN abs(-9223372036854775808) ELSE n END AS x FROM r`
      ).stream
      let seen = 0
      const failed = yield* reason(Stream.runForEach(rows, () => Effect.sync(() => seen++)))
      assert.strictEqual(failed, "UnknownError")
      assert.strictEqual(seen, 512)
      assert.strictEqual(yield* reason(Stream.runDrain(sql`SELECT * FROM nowhere`.stream)), "UnknownError")
    }))
})
