/** Rows of a query that are none of an entry, and those that are, on each kind of database. */
import { assert, describe, it } from "@effect/vitest"
import * as SqlSource from "@tallystick/reconcile/SqlSource"
import * as Effect from "effect/Effect"
import { all, booking, fill, HOUR, idsOf, T } from "./support/bookings.ts"
import { clients, one } from "./support/clients.ts"

describe.each(clients)("a source on $name", (kind) => {
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

  it.effect("makes a bad record of each row with a column whose name is nearly that of one which would be read", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      const { bad, records } = yield* all(sql, {
        query: (sql) => sql`SELECT 'x' AS id, ${T} + 0 AS at, 'USDT' AS asset, '1' AS amount, 'pending' AS stauts`
      })
      assert.deepStrictEqual([records.length, ...bad.map(({ path }) => path)], [0, "stauts"])
    }))

  it.effect("makes a bad record of each row that says it is of the other side", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      for (const column of ["side", "SIDE"]) {
        const { bad, records } = yield* all(sql, {
          query: (sql) =>
            sql`SELECT id, ${T} + 0 AS at, 'USDT' AS asset, '1' AS amount, kind AS ${sql.literal(column)}
              FROM (SELECT 'd' AS id, 'deposit' AS kind UNION ALL SELECT 't', 'transfer' UNION ALL SELECT 'n', NULL) AS both_sides`
        })
        assert.deepStrictEqual([idsOf(records), bad.map(({ path }) => path)], [["n", "t"], ["side"]])
      }
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
})
