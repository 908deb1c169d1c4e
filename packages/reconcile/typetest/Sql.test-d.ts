/** What whoever reads from a database, or writes into one, may rely on. */
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as SqlSink from "@tallystick/reconcile/SqlSink"
import * as SqlSource from "@tallystick/reconcile/SqlSource"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import * as Effect from "effect/Effect"
import type * as Sink from "effect/Sink"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const options: SqlSource.Options
declare const report: Report.Report
declare const query: { readonly fromAccountType: string; readonly toAccountType: string }

// A source is a side: it needs a client, and fails as the database does.
expectTypeOf(SqlSource.deposits(options)).toEqualTypeOf<
  Stream.Stream<
    Slice.Slice<Entry.Entry>,
    InvalidRange | SqlError | SqlSource.UnplacedRows | Unordered,
    SqlClient.SqlClient
  >
>()
expectTypeOf(SqlSource.transfers(options)).toExtend<
  Reconciliation.Side<InvalidRange | SqlError | SqlSource.UnplacedRows | Unordered, SqlClient.SqlClient>
>()
expectTypeOf(SqlSource.transfers({ ...options, queries: [query] })).toEqualTypeOf<SqlSource.Entries>()
// @ts-expect-error deposits are not asked for by query
expectTypeOf(SqlSource.deposits({ ...options, queries: [query] })).toEqualTypeOf<SqlSource.Entries>()

// Nothing is vouched for without a word of the owner.
const { completeTo: _, ...unvouched } = options
// @ts-expect-error completeTo is missing
expectTypeOf(SqlSource.deposits(unvouched)).toEqualTypeOf<SqlSource.Entries>()

// A sink takes events, not outcomes: only the summary tells that a run has come to its end.
expectTypeOf(SqlSink.make({ run: "day" })).toEqualTypeOf<
  Sink.Sink<SqlSink.Written, Reconciliation.Event, never, SqlError | SqlSink.Overtaken, SqlClient.SqlClient>
>()
// @ts-expect-error a run has a name
SqlSink.make({})

type Writing = Effect.Effect<SqlSink.Written, SqlError | SqlSink.Overtaken, SqlClient.SqlClient>
expectTypeOf(SqlSink.write(report, { run: "day" })).toEqualTypeOf<Writing>()
expectTypeOf(Effect.succeed(report).pipe(Effect.flatMap(SqlSink.write({ run: "day" })))).toEqualTypeOf<Writing>()
expectTypeOf(SqlSink.migrate()).toEqualTypeOf<Effect.Effect<void, SqlError, SqlClient.SqlClient>>()
