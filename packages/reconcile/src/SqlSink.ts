/**
 * Writes outcomes into a table, over an `effect/sql` client of SQLite or PostgreSQL, in transactions of some hundred.
 *
 * A run has a name of the caller's own, such as a business day, and one question: the same name is for the same range of the same
 * sides. Each time that outcomes are written under the name is a pass. A row is known by the name and the outcome's `id`, so that
 * a pass that is repeated, or begun again after it broke off, adds nothing twice: what is told again is written over what was told
 * before, also where it has become `final`, and what a finished pass does not tell any more is `withdrawn`. So the rows of a
 * finished run that are not withdrawn are the outcomes of its last pass. An outcome with entries of several days is a row of the runs of all
 * of these days, and belongs to one: that of its first deposit or, where it has none, of its first transfer (`Report.isOfRange`).
 *
 * The table has a row an outcome: `run` and `id`, `outcome` (its kind), `code`, `final`, `at` and `until` (its earliest and its latest
 * entry, Unix ms; NULL for a bad record), `asset`, the numbers of `deposits` and `transfers`, their exact sums `deposited` and `transferred`, `residual`,
 * `explanation`, `content` (the outcome as reports write it, JSON), `pass` and `withdrawn`. Amounts are decimal text; `final`,
 * `withdrawn` and `clean` are 0 or 1. A second table, whose name ends in `_runs`, has a row a run: `finished_at` is NULL until a
 * pass has come to its end, and `summary` is the report without its outcomes. Both are of the last pass that came to its end, and stay until
 * a later one writes its first outcomes: from then on, until that one ends, they are NULL. `pass` and `begun_at` are of the pass that began last.
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as OutcomeRow from "./internal/sql/OutcomeRow.ts"
import * as OutcomeTable from "./internal/sql/OutcomeTable.ts"
import type * as Reconciliation from "./Reconciliation.ts"
import type * as Report from "./Report.ts"

/** The name of the table by default. */
export const TABLE = "tallystick_outcomes"

/** The number of outcomes that a transaction writes by default. */
export const BATCH_SIZE = 500

/** The settings of the tables. */
export interface TableOptions {
  /** The name of the table, with its schema if need be (`books.outcomes`). Default `TABLE`. */
  readonly table?: string
}

/** The settings of a sink. */
export interface Options extends TableOptions {
  /** The name of the run, such as `2026-11-25`. */
  readonly run: string
  /** The number of outcomes that a transaction writes, a whole number from 1 on; less counts as 1. Default `BATCH_SIZE`. */
  readonly batchSize?: number
}

/** What a pass has written. */
export interface Written {
  /** The number of outcomes that were told. */
  readonly outcomes: number
  /** The number of outcomes of earlier passes that this one withdrew. */
  readonly withdrawn: number
  /** Whether the summary has come, so that the run is finished. */
  readonly finished: boolean
}

/** Another pass of the same run has begun after this one. Its outcomes count, and this pass writes no more. */
export class Overtaken extends Schema.TaggedError<Overtaken>("@tallystick/reconcile/SqlSink/Overtaken")("Overtaken", {
  run: Schema.String
}) {
  override get message(): string {
    return `another pass of run ${this.run} has begun after this one, and its outcomes count; give runs at the same time names ` +
      "of their own"
  }
}

/** Returns the statements that make the tables, for a program that has migrations of its own. Both databases take the same. */
export const ddl = ({ table = TABLE }: TableOptions = {}): ReadonlyArray<string> => OutcomeTable.ddl(table)

/** Makes the tables where they are missing. */
export const migrate = (options: TableOptions = {}): Effect.Effect<void, SqlError, SqlClient.SqlClient> =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(Effect.forEach(ddl(options), (statement) => sql.unsafe(statement), { discard: true }))
  )

/**
 * Makes a sink of `Reconciliation.events`, which pulls no further while it writes. A transaction that fails leaves nothing of its
 * outcomes. A stream that fails, or ends without its summary, withdraws nothing, and leaves the run unfinished if any of its outcomes
 * were written; writing the run again mends it. It fails with `Overtaken` where the same run is written elsewhere at the same time.
 */
export const make = (
  { batchSize = BATCH_SIZE, run, table = TABLE }: Options
): Sink.Sink<Written, Reconciliation.Event, never, SqlError | Overtaken, SqlClient.SqlClient> =>
  Sink.unwrap(Effect.gen(function*() {
    const pass = yield* OutcomeTable.begin(yield* SqlClient.SqlClient, table, run)
    const size = Math.max(1, Math.trunc(batchSize) || 1)
    let waiting: Array<OutcomeRow.OutcomeRow> = []
    let written: Written = { outcomes: 0, withdrawn: 0, finished: false }

    const take = (): ReadonlyArray<OutcomeRow.OutcomeRow> => {
      const rows = waiting
      waiting = []
      written = { ...written, outcomes: written.outcomes + rows.length }
      return rows
    }
    const write = Effect.flatMap(
      Effect.suspend(() => pass.write(take())),
      (isCurrent) => isCurrent ? Effect.void : Effect.fail(new Overtaken({ run }))
    )
    const finish = (summary: Report.Summary) =>
      Effect.flatMap(
        Effect.suspend(() => pass.finish(take(), summary)),
        (withdrawn) => {
          if (withdrawn === undefined) return Effect.fail(new Overtaken({ run }))
          written = { ...written, withdrawn, finished: true }
          return Effect.void
        }
      )
    return Sink.forEachArray(Effect.fnUntraced(function*(events: ReadonlyArray<Reconciliation.Event>) {
      for (const event of events) {
        if (event._tag === "Summary") yield* finish(event.summary)
        else {
          waiting.push(OutcomeRow.make(event.outcome))
          if (waiting.length >= size) yield* write
        }
      }
    })).pipe(
      Sink.mapEffect(() => Effect.suspend(() => waiting.length === 0 ? Effect.void : write)),
      Sink.map(() => written)
    )
  }))

/** Writes a whole report as a pass of a run. */
export const write: {
  (options: Options): (report: Report.Report) => Effect.Effect<Written, SqlError | Overtaken, SqlClient.SqlClient>
  (report: Report.Report, options: Options): Effect.Effect<Written, SqlError | Overtaken, SqlClient.SqlClient>
} = dual(
  2,
  (
    { outcomes, ...summary }: Report.Report,
    options: Options
  ): Effect.Effect<Written, SqlError | Overtaken, SqlClient.SqlClient> => {
    const told = Stream.map(
      Stream.fromIterable(outcomes),
      (outcome): Reconciliation.Event => ({ _tag: "Outcome", outcome })
    )
    const last = Stream.sync((): Reconciliation.Event => ({ _tag: "Summary", summary }))
    return Stream.run(Stream.concat(told, last), make(options))
  }
)
