/** Entries that come from a query, on each kind of database: their order, their pages, and what is vouched for. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as SqlSource from "@tallystick/reconcile/SqlSource"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { all, at, booking, fill, HOUR, idsOf, range, read, T } from "./support/bookings.ts"
import { clients, one } from "./support/clients.ts"

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

  it.effect("takes its times in any form of a moment", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      yield* fill(sql, [booking("before", -1), booking("first", 0), booking("last", HOUR - 1), booking("behind", HOUR)])
      const { coverage, records } = yield* all(sql, {
        from: DateTime.makeUnsafe(T),
        to: DateTime.formatIso(DateTime.makeUnsafe(T + HOUR)),
        completeTo: DateTime.makeUnsafe(T + HOUR / 2)
      })
      assert.deepStrictEqual(idsOf(records), ["first", "last"])
      assert.deepStrictEqual(coverage.map(({ from, to }) => [from - T, to - T]), [[0, HOUR / 2], [HOUR / 2, HOUR]])
    }))

  it.effect("asks for no range that is none", () =>
    Effect.gen(function*() {
      const sql = yield* one(kind)
      for (
        const changed of [{ to: T }, { from: Number.NaN }, { completeTo: Number.NaN }, { completeTo: "tomorrow" }, {
          completeTo: T / 1000
        }]
      ) {
        assert.strictEqual((yield* Effect.flip(all(sql, changed)))._tag, "InvalidRange")
      }
    }))
})
