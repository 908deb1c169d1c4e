/**
 * The books say where each entry stands from day to day. An execution brings them forward: a recorded run that a person or a
 * program calls one of the books. A run that only tries something is none, and moves nothing.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Report from "@tallystick/reconcile/Report"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as ArchiveError from "./ArchiveError.ts"
import type { BookError } from "./BookError.ts"
import type * as Execution from "./Execution.ts"
import * as Due from "./internal/books/Due.ts"
import * as Executing from "./internal/books/Executing.ts"
import * as Question from "./internal/books/Question.ts"
import * as Rebuilding from "./internal/books/Rebuilding.ts"
import * as Standing from "./internal/books/Standing.ts"
import * as Keeping from "./internal/items/Keeping.ts"
import * as Ledger from "./internal/ledger/Ledger.ts"
import { Database } from "./internal/sql/Database.ts"
import type * as Run from "./Run.ts"

export type { Options, Ran } from "./internal/books/Executing.ts"
export type { PriceList } from "./internal/books/PriceList.ts"
export type { Differing, Question, Told } from "./internal/books/Question.ts"
export type { Standing } from "./internal/books/Standing.ts"

export interface Service {
  /**
   * Brings the books forward by a run that was just recorded, whose `summary` this is: its row in the ledger and the states of the
   * entries of its range are written in one transaction. `ArchiveReconciliation.book` makes the run as well. It fails with
   * `LedgerMoved` where the ledger went on since the run was made, with `OtherQuestion` where the run follows another policy than the
   * last execution, is about other accounts or knows other addresses, unless these are declared to be those of the books, with
   * `InvalidPrices` where a price is no decimal above zero, with `Withdrawn` where `mayBook` gives false, with `Damaged` where the ledger or the run is not as it was written, and with `Pruned` where the run lost its outcomes.
   */
  readonly execute: (
    run: Run.Run,
    summary: Report.Summary,
    options: Executing.Options
  ) => Effect.Effect<Execution.Execution, ArchiveError.OutcomesError | BookError>
  /** Tells how the days of the archive stand. It is asked for before a run reads the archive, so that no later change is missed. */
  readonly standing: Effect.Effect<Standing.Standing, ArchiveError.DatabaseError>
  /**
   * Gives the ranges of earlier executions, apart and in order of time, that are to be judged again together with a run of which this
   * is the summary: records or coverage changed there since, somebody decided there, or entries wait that were judged by another
   * question. Give the runs over them to `execute`, with the same standing. `ArchiveReconciliation.book` does all of it. Fails with
   * `Damaged` where the ledger is not as it was written.
   */
  readonly due: (
    standing: Standing.Standing,
    summary: Report.Summary
  ) => Effect.Effect<ReadonlyArray<Coverage.Interval>, ArchiveError.DatabaseError>
  /**
   * Names in what a run is asked otherwise than the last execution was (policy, accounts, addresses), also where a list has only grown: such
   * a run is held against another question. Gives none before the first execution. Fails with `Damaged` where the ledger is not as it
   * was written.
   */
  readonly differing: (
    asked: Question.Question
  ) => Effect.Effect<Option.Option<Question.Differing>, ArchiveError.DatabaseError>
  /**
   * Names in what a run that is told this would be asked otherwise than a recorded one was, but for its range. What decisions say is no
   * part of it: every run follows them. Fails with `Damaged` where the ledger is not as it was written.
   */
  readonly toldOtherwise: (
    told: Question.Told,
    run: Question.Question
  ) => Effect.Effect<ReadonlyArray<keyof Question.Question>, ArchiveError.DatabaseError>
  /**
   * Gives the execution that a job made (`job` of `execute`). It takes its turn among the transactions of all processes, so that a commit
   * that is under way is waited for: a job of which this gives none made none so far. Fails with `Damaged` where the ledger is not as it
   * was written.
   */
  readonly executionOf: (job: string) => Effect.Effect<Option.Option<Execution.Execution>, ArchiveError.DatabaseError>
  /** Gives the executions, the first one first. Fails with `Damaged` where the ledger is not as it was written. */
  readonly executions: Effect.Effect<ReadonlyArray<Execution.Execution>, ArchiveError.DatabaseError>
  /**
   * Gives the same for what is only shown, in a time that does not grow with the ledger: of the rows that this process read before, the
   * last one alone is looked at again, and they are told as they were then.
   */
  readonly recentExecutions: Effect.Effect<ReadonlyArray<Execution.Execution>, ArchiveError.DatabaseError>
  /**
   * Computes the books again from the ledger and the runs that it names, and says in sentences what stands otherwise in them; it reads
   * all outcomes of these runs. Fails with `Damaged` where the ledger or one of its runs is not as it was written.
   */
  readonly verify: Effect.Effect<ReadonlyArray<string>, ArchiveError.OutcomesError>
  /** Writes the books anew, as the ledger and its runs have them, in one transaction. It fails as `verify` does. */
  readonly rebuild: Effect.Effect<void, ArchiveError.OutcomesError>
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const ledger = Ledger.make(database)
  const items = Keeping.make(database)
  return Books.of({
    execute: Executing.make(database, items),
    standing: Standing.make(database).now,
    due: Due.make(database).beside,
    ...Rebuilding.make(database, items),
    differing: (asked) =>
      Effect.map(
        ledger.sound,
        ({ executions }) => Option.map(Arr.last(executions), ({ body }) => Question.differing(asked, body))
      ),
    toldOtherwise: (told, run) =>
      Effect.map(ledger.sound, ({ decisions }) => Question.toldOtherwise(told, run, decisions)),
    executions: Effect.map(ledger.sound, ({ executions }) => executions),
    executionOf: (job) =>
      ledger.sound.pipe(
        database.sql.withTransaction,
        Effect.mapBoth({
          onFailure: (failure) => failure._tag === "SqlError" ? database.error(failure) : failure,
          onSuccess: ({ executions }) => Arr.findFirst(executions, ({ body }) => body.job === job)
        })
      ),
    recentExecutions: Effect.map(ledger.soundRecent, ({ executions }) => executions)
  })
})

export class Books extends Context.Service<Books, Service>()("@tallystick/archive/Books") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<Books, never, Database> = Layer.effect(Books, make)
}
