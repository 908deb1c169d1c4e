/** Entries that come from a query, on each kind of database. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as SqlSource from "@tallystick/reconcile/SqlSource"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { clients, one } from "./support/clients.ts"

const T = 1_790_000_000_000
const HOUR = 3_600_000
const range = { from: T, to: T + HOUR }

/** Reads at a moment of the tests' own, for no record may be of the future; only the sources look at this clock. */
const at = (now: number) =>
  Effect.provideServiceEffect(
    Clock.Clock,
    Effect.map(Clock.Clock, (clock): Clock.Clock => ({
      currentTimeMillisUnsafe: () => now,
      currentTimeMillis: Effect.succeed(now),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }))
  )

interface Booking {
  readonly id: string | null
  readonly at: number | null
  readonly amount: string | null
}

/** The ids stand in a column for which letters are equal in upper and lower case: only their bytes tell them apart. */
const table = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const postgres = sql.unsafe(
    "CREATE COLLATION IF NOT EXISTS nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
  )
  yield* sql.onDialectOrElse({ pg: () => Effect.asVoid(postgres), orElse: () => Effect.void })
  yield* sql`CREATE TABLE bookings (id TEXT COLLATE nocase, at BIGINT, amount TEXT)`
})

const fill = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, bookings: ReadonlyArray<Booking>) {
  yield* table(sql)
  yield* Effect.forEach(
    Arr.chunksOf(bookings, 1000),
    (some) => sql`INSERT INTO bookings ${sql.insert(Arr.map(some, (booking) => ({ ...booking })))}`
  )
})

const options: SqlSource.Options = {
  policy: Policy.defaults,
  accounts: { list: [], complete: false },
  ...range,
  completeTo: range.to,
  name: "bookings",
  query: (sql) => sql`SELECT id, at, 'USDT' AS asset, amount FROM bookings`
}

const read = (sql: SqlClient.SqlClient, changed: Partial<SqlSource.TransferOptions> = {}) =>
  Stream.provideService(SqlSource.transfers({ ...options, ...changed }), SqlClient.SqlClient, sql)

const all = (sql: SqlClient.SqlClient, changed: Partial<SqlSource.TransferOptions> = {}) =>
  at(T + 2 * HOUR)(Effect.map(Stream.runCollect(read(sql, changed)), (slices) => ({
    slices,
    records: slices.flatMap(({ records }) => records),
    bad: slices.flatMap(({ bad }) => bad),
    coverage: Coverage.merge(slices.flatMap(({ coverage }) => coverage))
  })))

const booking = (id: string, offset: number, amount = "1.50"): Booking => ({ id, at: T + offset, amount })

const idsOf = (records: ReadonlyArray<Entry.Entry>) => records.map(({ id }) => id)

describe.each(clients)("a source on $name", (kind) => {
  it.effect("gives each row once, in order of time, whatever is the size of a page", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      const bookings = Array.from({ length: 40 }, (_, n) => booking(`b${n}`, Math.floor(n / 7) * 1000, `${n + 1}.10`))
      yield* fill(sql, bookings.toReversed())
      for (const pageSize of [1, 2, 3, 7, 8, 39, 40, 41, 1000]) {
        const { bad, records, slices } = yield* all(sql, { pageSize })
        assert.deepStrictEqual(records.map(({ at }) => at), bookings.map(({ at }) => at))
        assert.sameMembers(
          records.map(({ amount, id }) => `${id} ${amount}`),
          bookings.map((one) => `${one.id} ${one.amount}`)
        )
        assert.deepStrictEqual(bad, [])
        for (const { from, records, to } of slices) assert.isTrue(records.every(({ at }) => at >= from && at < to))
      }
    }))

  const Row = Schema.Struct({
    at: Schema.Literals([0, 1, 2]),
    id: Schema.Literals(["a", "A", "b", "ä", "a ", "a_b", "aB"])
  })
  layer(Layer.unwrap(kind.fresh))((it) => {
    it.effect.prop(
      "loses and repeats none of many rows of one time, or of one time and id",
      { rows: Schema.Array(Row), pageSize: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })) },
      ({ pageSize, rows }) =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DROP TABLE IF EXISTS bookings`
          yield* fill(sql, rows.map(({ at, id }, n) => booking(id, at, `${n + 1}`)))
          const { records } = yield* all(sql, { pageSize })
          assert.sameMembers(records.map(({ amount }) => amount), rows.map((_, n) => `${n + 1}`))
        })
    )
  })

  it.effect("reads a page only when it is pulled, and no other page beside it", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, Array.from({ length: 1000 }, (_, n) => booking(`b${n}`, n)))
      let queries = 0
      const query: SqlSource.Options["query"] = (sql) => {
        queries++
        return sql`SELECT id, at, 'USDT' AS asset, amount FROM bookings`
      }
      const slices = yield* at(T + HOUR)(Stream.runCollect(Stream.take(read(sql, { query, pageSize: 10 }), 3)))
      assert.strictEqual(slices.length, 3)
      // The rows without a place, and three or four pages.
      assert.isAtMost(queries, 5)
      queries = 0
      const { records } = yield* all(sql, { query, pageSize: 10 })
      assert.deepStrictEqual([records.length, queries], [1000, 101])
    }))

  it.effect("gives a hundred thousand rows, and holds a page or two of them at a time", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      const COUNT = 100_000
      yield* fill(sql, Array.from({ length: COUNT }, (_, n) => booking(`b${n}`, n)))
      yield* sql`CREATE INDEX bookings_at ON bookings (at, id)`
      let most = 0
      const count = yield* at(T + HOUR)(Stream.runFold(read(sql, { pageSize: 2000 }), () => 0, (sum, { records }) => {
        most = Math.max(most, records.length)
        return sum + records.length
      }))
      assert.strictEqual(count, COUNT)
      assert.isAtMost(most, 2000)
    }))

  it.effect("makes a bad record of each row that cannot be read, wherever it lies, and of none twice", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      const far = 100 * 24 * HOUR
      yield* fill(sql, [
        booking("good", 1),
        { ...booking("no amount", 2), amount: null },
        booking("negative", 3, "-1.00"),
        booking("zero", 4, "0.00"),
        booking("words", 5, "1,50"),
        booking("exponent", 6, "1e3"),
        { ...booking("no id", 7), id: null },
        { ...booking("empty", 8), id: "" },
        { ...booking("no time", 9), at: null },
        { ...booking("seconds", 10), at: Math.floor(T / 1000) },
        { ...booking("microseconds", 11), at: T * 1000 },
        booking("elsewhere", far),
        booking("last", HOUR - 1)
      ])
      for (const pageSize of [1, 3, 100]) {
        const { bad, records } = yield* all(sql, { pageSize })
        assert.deepStrictEqual(idsOf(records), ["good", "last"])
        assert.sameDeepMembers(
          bad.map(({ path, raw, side }) => [side, path, JSON.parse(raw).id]),
          [
            ["amount", "no amount"],
            ["amount", "negative"],
            ["amount", "zero"],
            ["amount", "words"],
            ["amount", "exponent"],
            ["id", null],
            ["id", ""],
            ["at", "no time"],
            ["at", "seconds"],
            ["at", "microseconds"]
          ].map(([path, id]) => ["transfer", path, id])
        )
        assert.include(bad.find(({ raw }) => raw.includes("\"seconds\""))?.reason, "these are seconds")
      }
    }))

  it.effect("takes no amount from a column of floats or integers, and each from text or numerics", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* sql`CREATE TABLE amounts (a TEXT, b NUMERIC(38, 18), c DOUBLE PRECISION, d BIGINT)`
      yield* sql`INSERT INTO amounts VALUES ('1234567890123456.123456789012345678', 10.5, 0.1, 7)`
      const amounts = Effect.fnUntraced(function*(column: string) {
        const { bad, records } = yield* all(sql, {
          query: (sql) =>
            sql`SELECT 'x' AS id, ${T} + 0 AS at, 'USDT' AS asset, ${sql.literal(column)} AS amount FROM amounts`
        })
        return [...records.map(({ amount }) => amount), ...bad.map(({ path }) => path)]
      })
      assert.deepStrictEqual(yield* amounts("a"), ["1234567890123456.123456789012345678"])
      // SQLite keeps no decimals but in TEXT.
      assert.deepStrictEqual(yield* amounts("b"), kind.name === "SQLite" ? ["amount"] : ["10.500000000000000000"])
      assert.deepStrictEqual(yield* amounts("c"), ["amount"])
      assert.deepStrictEqual(yield* amounts("d"), ["amount"])
    }))

  it.effect("knows the columns of a plain entry by any spelling of their names, and numbers as ids", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* sql`CREATE TABLE movements (no INTEGER, booked BIGINT, value TEXT)`
      yield* sql`INSERT INTO movements VALUES (12, ${T}, '5'), (9, ${T}, '6')`
      const { records } = yield* all(sql, {
        query: (sql) =>
          sql`SELECT no AS id, booked AS at, value AS Amount, 'USDT' AS asset, 'sub1' AS "from", '' AS "to",
            'SPOT' AS from_type, 'SPOT' AS "toType", NULL AS reference, 'any' AS remark FROM movements -- all of them`
      })
      const rest = {
        side: "transfer",
        asset: "USDT",
        at: T,
        status: "settled",
        from: "sub1",
        to: "",
        fromType: "SPOT",
        toType: "SPOT"
      }
      assert.deepStrictEqual<unknown>(records.toSorted((a, b) => a.amount < b.amount ? -1 : 1), [
        { ...rest, id: "12", amount: "5" },
        { ...rest, id: "9", amount: "6" }
      ])
    }))

  it.effect("vouches for the time that it read as far as its owner vouches, and for no other", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, Array.from({ length: 60 }, (_, n) => booking(`b${n}`, n * 60_000)))
      const stated = Effect.fnUntraced(function*(changed: Partial<SqlSource.TransferOptions>) {
        const { coverage } = yield* all(sql, { pageSize: 7, ...changed })
        return coverage.map(({ from, state, to }) => [state, from - T, to - T])
      })
      assert.deepStrictEqual(yield* stated({}), [["complete", 0, HOUR]])
      assert.deepStrictEqual(yield* stated({ completeTo: T + 90_000 }), [["complete", 0, 90_000], [
        "open",
        90_000,
        HOUR
      ]])
      assert.deepStrictEqual(yield* stated({ completeTo: T }), [["open", 0, HOUR]])
      // Nobody can vouch for the future.
      assert.deepStrictEqual(
        yield* stated({ to: T + 9 * HOUR, completeTo: T + 9 * HOUR }),
        [["complete", 0, 2 * HOUR], ["open", 2 * HOUR, 9 * HOUR]]
      )
      const query = { fromAccount: "sub1", fromAccountType: "SPOT", toAccountType: "SPOT" }
      const { coverage } = yield* all(sql, { queries: [query] })
      assert.deepStrictEqual(coverage.map(({ query }) => query), [query])
      assert.deepStrictEqual((yield* all(sql, { queries: [] })).coverage, [])
    }))

  it.effect("vouches for an empty table as well", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, [])
      const { coverage, records } = yield* all(sql)
      assert.deepStrictEqual(records, [])
      assert.deepStrictEqual(coverage, [{ operation: "transfers", ...range, readAt: T + 2 * HOUR, state: "complete" }])
    }))

  it.effect("fails where its connection fails half way, and vouches for nothing behind what it had read", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, Array.from({ length: 100 }, (_, n) => booking(`b${n}`, n * 1000)))
      let queries = 0
      const query: SqlSource.Options["query"] = (sql) => {
        queries++
        if (queries < 5) return sql`SELECT id, at, 'USDT' AS asset, amount FROM bookings`
        return kind.name === "SQLite"
          ? sql`SELECT id, abs(-9223372036854775808) AS at FROM bookings`
          : sql`SELECT id, at FROM bookings WHERE pg_terminate_backend(pg_backend_pid())`
      }
      const seen: Array<Slice.Slice<Entry.Entry>> = []
      const error = yield* read(sql, { query, pageSize: 10 }).pipe(
        Stream.runForEach((slice) => Effect.sync(() => seen.push(slice))),
        at(T + HOUR),
        Effect.flip
      )
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(
        idsOf(seen.flatMap(({ records }) => records)),
        Array.from({ length: 30 }, (_, n) => `b${n}`)
      )
      // A row of the last time may have come no more.
      assert.deepStrictEqual(
        Coverage.merge(seen.flatMap(({ coverage }) => coverage)).map((
          { from, state, to }
        ) => [state, from - T, to - T]),
        [["complete", 0, 29_000]]
      )
      // The database itself is well, and another reading gives everything.
      assert.strictEqual((yield* all(sql)).records.length, 100)
    }))

  it.effect("fails where a table is missing, or a time is of another type", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      assert.strictEqual((yield* Effect.flip(all(sql)))._tag, "SqlError")
      yield* sql`CREATE TABLE bookings (id TEXT, at TIMESTAMP, amount TEXT)`
      yield* sql`INSERT INTO bookings VALUES ('a', '2026-09-21 12:00:00', '1')`
      // SQLite has no such type: the row is a bad one.
      const found = yield* Effect.match(all(sql), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: ({ bad }) => bad.map(({ reason }) => reason)
      })
      assert.deepStrictEqual(
        found,
        kind.name === "SQLite"
          ? [`whole Unix milliseconds, as a number, are wanted, "2026-09-21 12:00:00" came`]
          : "SqlError"
      )
    }))

  if (kind.name === "SQLite") {
    it.effect("loses no row whose id holds bytes that are no text", () =>
      Effect.gen(function*() {
        const sql = yield* one(kind)
        yield* fill(sql, [booking("ä", 0), booking("z", 0)])
        yield* sql`INSERT INTO bookings SELECT CAST(x'80' AS TEXT), ${T}, '1' UNION ALL SELECT CAST(x'ff' AS TEXT), ${T}, '1'`
        const { records } = yield* all(sql, { pageSize: 1 })
        assert.deepStrictEqual(idsOf(records), ["z", "\uFFFD", "ä", "\uFFFD"])
      }))
  }

  if (kind.name === "PostgreSQL") {
    it.effect("reads the database's own times where its query makes milliseconds of them", () =>
      Effect.gen(function*() {
        const sql = yield* one(kind)
        yield* sql`CREATE TABLE bookings (id UUID DEFAULT gen_random_uuid(), booked_at TIMESTAMPTZ, amount NUMERIC)`
        yield* sql`INSERT INTO bookings (booked_at, amount)
          SELECT to_timestamp(${T} / 1000.0) + n * INTERVAL '1.2345 seconds', n FROM generate_series(1, 20) AS n`
        for (const type of ["BIGINT", "NUMERIC", "DOUBLE PRECISION"]) {
          const { bad, records } = yield* all(sql, {
            pageSize: 3,
            query: (sql, { from }) =>
              sql`SELECT id, 'USDT' AS asset, amount,
                CAST(FLOOR(EXTRACT(EPOCH FROM booked_at) * 1000) AS ${sql.literal(type)}) AS at
                FROM bookings WHERE booked_at >= to_timestamp(${from} / 1000.0)`
          })
          assert.deepStrictEqual(bad, [])
          assert.deepStrictEqual(
            records.map(({ amount, at }) => [amount, at]),
            Array.from({ length: 20 }, (_, n) => [`${n + 1}`, T + Math.floor((n + 1) * 1234.5)])
          )
        }
      }))
  }

  it.effect("may be narrowed by its query, so that an index of the database serves it", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, Array.from({ length: 50 }, (_, n) => booking(`b${n}`, n * 1000)))
      const told: Array<Coverage.Interval> = []
      const { records } = yield* all(sql, {
        pageSize: 20,
        query: (sql, interval) => {
          told.push(interval)
          return sql`SELECT id, at, 'USDT' AS asset, amount FROM bookings
            WHERE at >= ${interval.from} AND at < ${interval.to}`
        }
      })
      assert.strictEqual(records.length, 50)
      assert.deepStrictEqual(told.map(({ from, to }) => [from - T, to - T]), [
        [0, HOUR],
        [0, HOUR],
        [20_000, HOUR],
        [40_000, HOUR]
      ])
    }))

  it.effect("says that a column is in seconds rather than call all of them missing", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      const count = SqlSource.UNPLACED_LIMIT + 1
      yield* fill(
        sql,
        Array.from({ length: count }, (_, n) => ({ ...booking(`b${n}`, 0), at: Math.floor(T / 1000) + n }))
      )
      const error = yield* Effect.flip(all(sql))
      assert.strictEqual(error._tag, "UnplacedRows")
      assert.include(error.message, "these are seconds")
      yield* sql`DELETE FROM bookings WHERE id = 'b0'`
      const { bad } = yield* all(sql)
      assert.strictEqual(bad.length, count - 1)
    }))

  it.effect("lets the engine call missing only what it vouches for", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, [booking("sweep", 60_000)])
      const deposit = (id: string, offset: number): Entry.Entry => ({
        side: "deposit",
        id,
        asset: "USDT",
        amount: id === "swept" ? "1.50" : "99",
        at: T + offset,
        status: "settled"
      })
      const deposits = Stream.make<Array<Slice.Slice<Entry.Entry>>>({
        ...range,
        records: [deposit("swept", 0), deposit("early", 60_000), deposit("young", 50 * 60_000)],
        bad: [],
        coverage: [{ operation: "deposits", ...range, readAt: T + 2 * HOUR, state: "complete" }]
      })
      const policy = yield* Policy.make({ window: { after: "5 minutes" }, late: "0 seconds" })
      const { outcomes } = yield* at(T + 2 * HOUR)(
        Reconciliation.reconcile(deposits, read(sql, { policy, completeTo: T + 40 * 60_000 }), { policy, range })
      )
      assert.deepStrictEqual(
        Object.fromEntries(outcomes.map(({ code, deposits }) => [deposits[0]?.id, code])),
        { swept: "exact", early: "missing-transfer", young: "in-flight" }
      )
    }))

  it.effect("asks for no range that is none", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      for (const changed of [{ to: T }, { from: Number.NaN }, { completeTo: Number.NaN }, { completeTo: T / 1000 }]) {
        assert.strictEqual((yield* Effect.flip(all(sql, changed)))._tag, "InvalidRange")
      }
    }))
})
