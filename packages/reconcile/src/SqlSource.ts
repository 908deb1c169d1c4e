/**
 * Reads one side of the books from a query, over an `effect/sql` client of SQLite or PostgreSQL, as slices of entries in order of
 * time.
 *
 * The query is the caller's own. Its columns have the names of a plain entry (`EntryReader.fields`), in any case and with or
 * without underscores: `id` (text or a whole number), `asset`, `amount` (decimal text or `numeric`, never a float or an integer),
 * `at` (whole Unix milliseconds), and whatever else is known; other columns are not read. A row that cannot be read becomes a bad
 * record, and none is lost: not for a NULL, nor for a time that is none, wherever it lies, nor for a column whose name is nearly
 * that of a field (`stauts`).
 *
 * Rows are read in pages, each from the last row of the page before it (keyset paging on `at` and `id`), and a page only when it
 * is pulled. No connection and no transaction is held between pages, so that outcomes may be written over the same client.
 * Therefore a source vouches for nothing but what its owner says of it: see `completeTo`.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Clock from "effect/Clock"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import * as Entry from "./Entry.ts"
import type * as EntryReader from "./EntryReader.ts"
import * as EntryStream from "./EntryStream.ts"
import * as Keyset from "./internal/sql/Keyset.ts"
import * as SqlRow from "./internal/sql/SqlRow.ts"
import type { Unordered } from "./Unordered.ts"

/** The number of rows that are read at once by default. */
export const PAGE_SIZE = 1000

/** So many rows without a usable time or id are told as bad records. */
export const UNPLACED_LIMIT = 10_000

/** The settings of a source. It reads the entries of `[from, to)`. */
export interface Options extends EntryReader.Options, TimeRange.Input {
  /**
   * Makes the query, a SELECT without a semicolon. It is made for each page and told which time, `[from, to)` in Unix ms, is
   * still to be read, so that it may use an index: ``(sql, { from }) => sql`SELECT … WHERE booked_at >= ${from}` ``. It need not
   * narrow anything; then rows whose time is none are seen as well. It must not leave out a row of that time.
   */
  readonly query: (sql: SqlClient.SqlClient, interval: Coverage.Interval) => Statement.Fragment
  /**
   * The caller vouches that, when reading begins, each row of an earlier time is there, committed and settled: none of
   * an earlier time is added, moved or removed afterwards. What is complete ends here; later rows are read too, and time from
   * here on is `open`. A writer that books late, or commits long transactions, needs a moment that lies so far back. Where nobody
   * can vouch for anything, it is `from`.
   */
  readonly completeTo: DateTime.DateTime.Input
  /** How bad records call the source. Default: `query`. */
  readonly name?: string
  /** The number of rows that are read at once, a whole number from 1 on; less counts as 1. Default `PAGE_SIZE`. */
  readonly pageSize?: number
}

/** The settings of a source of transfers. */
export interface TransferOptions extends Options {
  /**
   * The movements that the query gives completely (`BrokerSource.queries` makes them from a policy's flows). Default: all
   * transfers of all accounts.
   */
  readonly queries?: ReadonlyArray<Coverage.TransferQuery>
}

/** More than `UNPLACED_LIMIT` rows have no usable time or id: the query is likely to give another column, or seconds. */
export class UnplacedRows
  extends Schema.TaggedError<UnplacedRows>("@tallystick/reconcile/SqlSource/UnplacedRows")("UnplacedRows", {
    side: Entry.Side,
    /** The name of the source. */
    source: Schema.String,
    /** What is wrong with the first of them. */
    problem: Schema.String
  })
{
  override get message(): string {
    return `more than ${UNPLACED_LIMIT} rows of ${this.source} cannot be put in order of time, the first because ${this.problem}; ` +
      "let the query give `id`, and `at` in whole Unix milliseconds, and leave out rows that have none"
  }
}

/** A source of entries: it fails as the database does, and where it cannot be read in order. */
export type Entries = Stream.Stream<
  Slice.Slice<Entry.Entry>,
  InvalidRange | SqlError | UnplacedRows | Unordered,
  SqlClient.SqlClient
>

type Rows<E> = Stream.Stream<Result.Result<EntryReader.Row, BadRecord.BadRecord>, E>

/** The times of a source, Unix ms. */
interface Times extends Coverage.Interval {
  readonly completeTo: number
}

/** Says what is known of an interval that was read: it is complete as far as the owner vouches, and open from there on. */
const coverageOf = (
  scope: Pick<Coverage.Coverage, "operation" | "query">,
  { completeTo, from, to }: Times,
  readAt: number
) =>
(interval: Coverage.Interval): ReadonlyArray<Coverage.Coverage> => {
  const until = Math.min(completeTo, readAt)
  const begin = Math.max(from, interval.from)
  const end = Math.min(to, interval.to)
  const parts: ReadonlyArray<Coverage.Coverage> = [
    { ...scope, from: begin, to: Math.min(end, until), readAt, state: "complete" },
    { ...scope, from: Math.max(begin, until), to: end, readAt, state: "open" }
  ]
  return parts.filter((part) => part.from < part.to)
}

const unplaced = Effect.fnUntraced(function*(
  side: Entry.Side,
  keyset: Keyset.Keyset,
  { name = "query", query }: Options,
  { from, to }: Times,
  now: number
) {
  const rows = yield* keyset.unplaced((sql) => query(sql, { from, to }), UNPLACED_LIMIT + 1)
  const bad = rows.map((row) => SqlRow.unplaced(side, name, row, now))
  const [first] = bad
  return first !== undefined && bad.length > UNPLACED_LIMIT
    ? yield* new UnplacedRows({ side, source: name, problem: `${first.path}: ${first.reason}` })
    : bad.map(Result.fail)
})

const pages = (
  keyset: Keyset.Keyset,
  { name = "query", pageSize = PAGE_SIZE, query }: Options,
  { from, to }: Times
) => {
  const size = Math.max(1, Math.trunc(pageSize) || 1)
  const fragment = (at: number) => (sql: SqlClient.SqlClient) => query(sql, { from: at, to })
  return Stream.paginate(
    { after: { at: from, id: "" }, size },
    ({ after, size: limit }) =>
      Effect.map(keyset.page(fragment(after.at), { after, to, limit: limit + 1 }), (rows) => {
        const last = rows[limit]
        if (last === undefined) return [rows, Option.none()] as const
        // Rows of one time and id are never parted, for none of them comes after another.
        const whole = rows.filter((row) => !Keyset.areEqual(row.key, last.key))
        return whole.length === 0
          ? [[], Option.some({ after, size: limit * 2 })] as const
          : [whole, Option.some({ after: last.key, size })] as const
      })
  ).pipe(Stream.map((row) => Result.succeed(SqlRow.make(name, row))))
}

const read = (
  side: Entry.Side,
  options: Options,
  scopes: ReadonlyArray<Pick<Coverage.Coverage, "operation" | "query">>
): Entries => {
  const invalid = InvalidRange.of(options) ?? InvalidRange.ofMoment("completeTo", options.completeTo)
  if (invalid !== undefined) return Stream.fail(invalid)
  const times: Times = {
    from: TimeRange.millis(options.from),
    to: TimeRange.millis(options.to),
    completeTo: TimeRange.millis(options.completeTo)
  }
  return Stream.unwrap(Effect.gen(function*() {
    const keyset = Keyset.make(yield* SqlClient.SqlClient)
    const readAt = yield* Clock.currentTimeMillis
    const rows: Rows<SqlError | UnplacedRows> = Stream.concat(
      Stream.unwrap(Effect.map(unplaced(side, keyset, options, times, readAt), (bad) => Stream.fromIterable(bad))),
      pages(keyset, options, times)
    )
    const known = scopes.map((scope) => coverageOf(scope, times, readAt))
    return EntryStream.fromRows(rows, {
      ...options,
      side,
      limit: 0,
      coverage: (interval, _first, isLast) => {
        const to = isLast ? Math.max(interval.to, times.to) : interval.to
        return { to, coverage: known.flatMap((coverage) => coverage({ ...interval, to })) }
      }
    })
  }))
}

/**
 * Reads deposits. It fails with `InvalidRange` for a range that is none, or a `completeTo` that is no moment; with `SqlError` as
 * the database does, after the rows that came before, which vouch for nothing behind them; and with `UnplacedRows`.
 */
export const deposits = (options: Options): Entries => read("deposit", options, [{ operation: "deposits" }])

/** Reads transfers. It fails as `deposits` does. */
export const transfers = ({ queries, ...options }: TransferOptions): Entries =>
  read(
    "transfer",
    options,
    queries === undefined
      ? [{ operation: "transfers" }]
      : queries.map((query) => ({ operation: "transfers", query }))
  )
