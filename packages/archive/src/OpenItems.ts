/** What waits in the books, since when, and what became of any entry that ever waited. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type * as ArchiveError from "./ArchiveError.ts"
import { BookError, NoExecution } from "./BookError.ts"
import * as Decision from "./Decision.ts"
import * as Execution from "./Execution.ts"
import * as BadRecords from "./internal/books/BadRecords.ts"
import * as BookTotals from "./internal/books/BookTotals.ts"
import * as EntryStates from "./internal/books/EntryStates.ts"
import * as Gaps from "./internal/books/Gaps.ts"
import * as Items from "./internal/books/Items.ts"
import * as Reported from "./internal/books/Reported.ts"
import * as Rolling from "./internal/books/Rolling.ts"
import * as Outcomes from "./internal/items/Outcomes.ts"
import * as EntryNames from "./internal/ledger/EntryNames.ts"
import * as Ledger from "./internal/ledger/Ledger.ts"
import * as Subjects from "./internal/ledger/Subjects.ts"
import { Database } from "./internal/sql/Database.ts"
import type * as OpenItem from "./OpenItem.ts"
import type * as RollForward from "./RollForward.ts"

export interface Service {
  /**
   * Gives what waits, the earliest first; with the number of an execution, what waited after it. It fails with `NoExecution` where the
   * ledger has no execution of this number.
   */
  readonly list: (
    execution?: number
  ) => Effect.Effect<ReadonlyArray<OpenItem.OpenItem>, ArchiveError.DatabaseError | BookError>
  /** Streams the same. Of what waits now it holds little at once: items between whose first and last entries others lie. */
  readonly stream: (execution?: number) => Stream.Stream<OpenItem.OpenItem, ArchiveError.DatabaseError | BookError>
  /**
   * Gives what the books do not know, although executions are about it: time that was not read, then records that could not be read, the
   * earliest first; with the number of an execution, what that was after it. It is as the last run over each time has it: what was read
   * since goes from the list with the next execution over that time.
   */
  readonly withoutEntries: (
    execution?: number
  ) => Effect.Effect<ReadonlyArray<OpenItem.WithoutEntries>, ArchiveError.OutcomesError | BookError>
  /**
   * Counts what waits now, and tells what it is worth at the prices of the last execution; nothing before the first one. It reads each
   * entry that waits, and holds one key for each item.
   */
  readonly totals: Effect.Effect<Option.Option<OpenItem.Totals>, ArchiveError.DatabaseError>
  /**
   * Gives the outcomes of items that wait, by their ids, as the executions told them that judged the items last; of an outcome that is not
   * as it was recorded it gives nothing. It reads no more of a run, so that many may be asked for: `Runs.outcome` tells of the runs, too.
   */
  readonly outcomes: (
    items: ReadonlyArray<OpenItem.OpenItem>
  ) => Effect.Effect<ReadonlyMap<string, Outcome.Outcome>, ArchiveError.DatabaseError>
  /** Gives the story of an entry, if it ever waited. */
  readonly story: (
    entry: Pick<Decision.Subject, "id" | "side">
  ) => Effect.Effect<Option.Option<OpenItem.Story>, ArchiveError.DatabaseError>
  /**
   * Finds entries that ever waited by the beginning of an id, 4 letters at least: of an item, those that wait together now, or the
   * entry that once was its first; where several items begin so, the first of each. Of an outcome, those that ever stood in one that
   * begins so.
   */
  readonly find: (prefix: string) => Effect.Effect<ReadonlyArray<OpenItem.EntryState>, ArchiveError.DatabaseError>
  /** Gives what became of items, by their ids; nothing of an id that the archive does not know. */
  readonly former: (
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, OpenItem.Former>, ArchiveError.DatabaseError>
  /** Ties the books before an execution to those after it. It fails with `NoExecution` where the ledger has none of this number. */
  readonly rollForward: (
    execution: number
  ) => Effect.Effect<ReadonlyArray<RollForward.RollForward>, ArchiveError.DatabaseError | BookError>
  /**
   * Gives what a report says of the books after an execution: the roll-forward, what is new, what was settled, and what waits on; where
   * the execution was made with prices, what the roll-forward is worth as well.
   */
  readonly reported: (execution: Execution.Execution) => Effect.Effect<Report.Books, ArchiveError.DatabaseError>
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { error, sql } = database
  const states = EntryStates.make(sql)
  const ledger = Ledger.make(database)
  const gaps = Gaps.make(database)
  const badRecords = BadRecords.make(database)
  const outcomesOf = Outcomes.make(database)
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  const decisionsOn = Effect.fnUntraced(function*(entry: Pick<Decision.Subject, "id" | "side">) {
    const { decisions } = yield* ledger.soundRecent
    const key = Subjects.keyOf(entry)
    return decisions.filter(({ body }) => Decision.subjects(body).some((one) => Subjects.keyOf(one) === key))
  })

  /** Gives the prices of the execution before one. */
  const pricesBehind = (execution: number) =>
    Effect.map(
      ledger.sound,
      ({ executions }) => executions.findLast(({ body }) => body.number < execution)?.body.prices
    )

  /** Fails where the ledger has no execution of this number: what the tables come to for it are the books of another one. */
  const known = Effect.fnUntraced(function*(execution: number) {
    const { executions } = yield* ledger.sound
    if (!executions.some(({ body }) => body.number === execution)) {
      return yield* new BookError({ reason: new NoExecution({ number: execution }) })
    }
    return execution
  })

  const after = Effect.fnUntraced(function*(execution: number) {
    const waiting = yield* query(states.waitingAfter(yield* known(execution)))
    return Items.make(waiting.filter(Items.isWaiting))
  })

  const former = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
    const entries = yield* states.ofItems(ids)
    const waited = (yield* states.historiesOf(entries)).filter(Items.isWaiting)
    const together = new Map(
      waited.map(({ outcome }): [string, Array<OpenItem.Former["waiting"][number]>] => [outcome, []])
    )
    const add = ({ id, outcome, side }: EntryStates.WaitedIn) => together.get(outcome)?.push({ id, side })
    if (together.size > 0) {
      yield* Stream.runForEachArray(states.waitedIn, (some) => Effect.sync(() => some.forEach(add)))
    }
    const outcomesOf = Map.groupBy(waited, ({ item }) => item)
    return new Map(entries.map((entry): [string, OpenItem.Former] => {
      const outcomes = new Set(outcomesOf.get(entry.item)?.map(({ outcome }) => outcome))
      return [entry.item, { entry, waiting: Array.from(outcomes, (outcome) => together.get(outcome) ?? []).flat() }]
    }))
  })

  const stream = (
    execution?: number
  ): Stream.Stream<OpenItem.OpenItem, ArchiveError.DatabaseError | BookError> =>
    execution === undefined
      ? Stream.mapError(Items.streamed(states.waitingTogether), error)
      : Stream.fromIterableEffect(after(execution))

  return OpenItems.of({
    list: (execution) => Stream.runCollect(stream(execution)),
    stream,
    withoutEntries: Effect.fnUntraced(function*(execution) {
      const upTo = execution === undefined ? Number.POSITIVE_INFINITY : yield* known(execution)
      const all = (yield* ledger.sound).executions.map(({ body }) => body)
      const executions = all.filter(({ number }) => number <= upTo)
      return [...yield* gaps(executions), ...yield* badRecords.all(executions)]
    }),
    totals: Effect.gen(function*() {
      const { executions } = yield* ledger.sound
      const last = executions.at(-1)
      if (last === undefined) return Option.none()
      const totals = BookTotals.make()
      yield* query(Stream.runForEachArray(states.counted, (entries) => Effect.sync(() => totals.add(entries))))
      return Option.some({
        ...totals.totals(last.body.prices),
        executedAt: last.body.at,
        unread: Execution.unread(executions.map(({ body }) => body))
      })
    }),
    outcomes: (items) => Effect.flatMap(ledger.soundRecent, ({ executions }) => query(outcomesOf(executions)(items))),
    story: Effect.fnUntraced(function*(entry) {
      const [found] = yield* query(states.of([entry]))
      if (found === undefined) return Option.none()
      return Option.some({
        entry: found,
        changes: yield* query(states.historyOf(entry)),
        decisions: yield* decisionsOn(entry)
      })
    }),
    find: Effect.fnUntraced(function*(prefix) {
      if (prefix.length < EntryNames.SHORTEST || !/^i?[0-9a-f]+$/.test(prefix)) return []
      const named = yield* query(states.beginning(prefix))
      const [one] = named
      // An item has the id of its first entry, and is all the entries that wait with it.
      if (named.length !== 1 || one === undefined || !prefix.startsWith("i") || !Items.isWaiting(one)) return named
      return (yield* query(states.ofOutcome(one.outcome))).filter(({ state }) => state === one.state)
    }),
    former: (ids) => query(former(ids)),
    rollForward: Effect.fnUntraced(function*(execution) {
      const number = yield* known(execution)
      const { before, changes, waiting } = yield* query(Effect.all({
        changes: states.changes(number),
        before: states.before(number),
        waiting: states.waitingAfter(number - 1)
      }))
      return Rolling.make(waiting, Rolling.steps(changes, before))
    }),
    reported: Effect.fnUntraced(function*(execution) {
      const { number, prices } = execution.body
      const read = yield* query(Effect.all({
        waiting: states.waitingAfter(number),
        changes: states.changes(number),
        before: states.before(number)
      }))
      const pricesBefore = prices === undefined ? undefined : yield* pricesBehind(number)
      return Reported.make(execution, { ...read, pricesBefore })
    })
  })
})

export class OpenItems extends Context.Service<OpenItems, Service>()("@tallystick/archive/OpenItems") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<OpenItems, never, Database> = Layer.effect(OpenItems, make)
}
