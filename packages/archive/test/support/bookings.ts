/** Bookings of a ledger in a database, and the source that reads them. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as SqlSource from "@tallystick/reconcile/SqlSource"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"

export const T = 1_790_000_000_000
export const HOUR = 3_600_000
export const range = { from: T, to: T + HOUR }

/** Reads at a moment of the tests' own, for no record may be of the future; only the sources look at this clock. */
export const at = (now: number) =>
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

export const fill = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, bookings: ReadonlyArray<Booking>) {
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

export const read = (sql: SqlClient.SqlClient, changed: Partial<SqlSource.TransferOptions> = {}) =>
  Stream.provideService(SqlSource.transfers({ ...options, ...changed }), SqlClient.SqlClient, sql)

export const all = (sql: SqlClient.SqlClient, changed: Partial<SqlSource.TransferOptions> = {}) =>
  at(T + 2 * HOUR)(Effect.map(Stream.runCollect(read(sql, changed)), (slices) => ({
    slices,
    records: slices.flatMap(({ records }) => records),
    bad: slices.flatMap(({ bad }) => bad),
    coverage: Coverage.merge(slices.flatMap(({ coverage }) => coverage))
  })))

export const booking = (id: string, offset: number, amount = "1.50"): Booking => ({ id, at: T + offset, amount })

export const idsOf = (records: ReadonlyArray<Entry.Entry>) => records.map(({ id }) => id)
