/** The days of an archive that were closed, what the books came to then, and whether it is still so. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as ArchiveError from "./ArchiveError.ts"
import type * as Closing from "./Closing.ts"
import * as EntryStates from "./internal/books/EntryStates.ts"
import * as Ledger from "./internal/ledger/Ledger.ts"
import * as Closer from "./internal/periods/Closer.ts"
import * as Closes from "./internal/periods/Closes.ts"
import * as Comparison from "./internal/periods/Comparison.ts"
import * as Lacks from "./internal/periods/Lacks.ts"
import { Database } from "./internal/sql/Database.ts"
import type * as OpenItem from "./OpenItem.ts"
import type * as Period from "./Period.ts"
import { PeriodError } from "./PeriodError.ts"

export type { CloseOptions, ReopenOptions } from "./internal/periods/Closer.ts"
export type { Lacking } from "./internal/periods/Lacks.ts"

export interface Service {
  /**
   * Closes the period that follows the last one, up to the end of a day. Every moment of it must be judged by an execution of the
   * books that knew all records of both sides up to its end, and behind it as far as the policy looks; no record and no decision came since that may change what it
   * said (`Books.due`); and what waits must be carried expressly. It fails with a `PeriodError`, of which `NotClosable` names each lack; with `Damaged` where the ledger or a run of the books is not as it was
   * written. Where the ledger goes on meanwhile it looks again, five times at most.
   */
  readonly close: (
    options: Closer.CloseOptions
  ) => Effect.Effect<Closing.Closing<Closing.Close>, ArchiveError.OutcomesError | PeriodError>
  /**
   * Takes the last close that stands back, so that its period can be closed again. Nothing is removed from the ledger, and the reopening
   * keeps what did not stand as the close says (`otherwise`), or why that could not be compared (`uncompared`): a run of the books is not
   * as it was written. It fails with `Damaged` where the ledger is not.
   */
  readonly reopen: (
    options: Closer.ReopenOptions
  ) => Effect.Effect<Closing.Closing<Closing.Reopen>, ArchiveError.OutcomesError | PeriodError>
  /**
   * Tells of some periods, in their order, what keeps each from being closed whatever is carried, and which records could not be read:
   * the rules are those of `close`. It fails with `Damaged` where the ledger or a run of the books is not as it was written.
   */
  readonly lacking: (
    periods: ReadonlyArray<Coverage.Interval>
  ) => Effect.Effect<ReadonlyArray<Lacks.Lacking>, ArchiveError.OutcomesError>
  /** Gives every close, the first one first, with the reopening that took it back. Nothing is compared. */
  readonly closes: Effect.Effect<ReadonlyArray<Period.Closed>, ArchiveError.DatabaseError>
  /**
   * Gives the closes, the first one first, each with what became of its period: with an interval those of which the period has any
   * time in common with it. For entries that do not stand as they did it reads the runs from before the close.
   */
  readonly list: (
    interval?: Coverage.Interval
  ) => Effect.Effect<ReadonlyArray<Period.Period>, ArchiveError.OutcomesError>
  /** Gives what a close carried openly, by time: what waited before the end of its period then, also in earlier periods. */
  readonly carried: (
    close: Closing.Close
  ) => Effect.Effect<ReadonlyArray<OpenItem.EntryState>, ArchiveError.DatabaseError>
}

/** So often a close is made once more, because somebody decided or reconciled meanwhile. */
const AGAIN = 4

const hasMoved = (failure: { readonly _tag: string }): boolean =>
  failure instanceof PeriodError && failure.reason._tag === "LedgerMoved"

const make = Effect.gen(function*() {
  const database = yield* Database
  const ledger = Ledger.make(database)
  const states = EntryStates.make(database.sql)
  const closer = Closer.make(database)
  const lacks = Lacks.make(database)
  const compare = Comparison.make(database)
  return Periods.of({
    close: (options) => Effect.retry(closer.close(options), { times: AGAIN, while: hasMoved }),
    reopen: closer.reopen,
    lacking: (periods) =>
      Effect.flatMap(ledger.sound, ({ executions }) => lacks.each(executions.map(({ body }) => body), periods)),
    closes: Effect.map(ledger.sound, ({ closings }) => Closes.all(closings)),
    list: Effect.fnUntraced(function*(interval) {
      const found = yield* ledger.sound
      const closes = Closes.all(found.closings)
        .filter(({ close }) => interval === undefined || Timeline.overlaps(close, interval))
      return yield* Effect.forEach(closes, compare(found))
    }),
    carried: ({ number, to }) => Effect.mapError(states.waitingAfter(number, to), database.error)
  })
})

export class Periods extends Context.Service<Periods, Service>()("@tallystick/archive/Periods") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<Periods, never, Database> = Layer.effect(Periods, make)
}
