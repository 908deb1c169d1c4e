/**
 * The archive keeps every record that the service showed, every version of it, and what is known about completeness, in SQL.
 *
 * The service forgets deposits after 3 days. Records that are kept here can still be reconciled in a year.
 */
import type { ConfigurationError } from "@tallystick/core/BrokerConfig"
import type * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Learnt from "@tallystick/core/Learnt"
import type * as Origin from "@tallystick/core/Origin"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as ArchiveConfig from "./ArchiveConfig.ts"
import * as ArchiveError from "./ArchiveError.ts"
import * as Books from "./Books.ts"
import * as Candidates from "./Candidates.ts"
import type * as Decision from "./Decision.ts"
import * as Decisions from "./Decisions.ts"
import * as Marks from "./internal/books/Marks.ts"
import * as ControlTable from "./internal/coverage/ControlTable.ts"
import * as CoverageTable from "./internal/coverage/CoverageTable.ts"
import type { Covered } from "./internal/coverage/Covered.ts"
import * as Damages from "./internal/coverage/Damages.ts"
import * as Moves from "./internal/coverage/Moves.ts"
import * as Queries from "./internal/coverage/Queries.ts"
import * as Drivers from "./internal/Drivers.ts"
import * as LearntTable from "./internal/exchange/LearntTable.ts"
import * as Owners from "./internal/exchange/Owners.ts"
import * as SubAccountTable from "./internal/exchange/SubAccountTable.ts"
import * as Activities from "./internal/history/Activities.ts"
import * as Checked from "./internal/history/Checked.ts"
import type { History } from "./internal/history/History.ts"
import * as HistoryStore from "./internal/history/HistoryStore.ts"
import * as Settling from "./internal/history/Settling.ts"
import * as Unsettled from "./internal/history/Unsettled.ts"
import * as Filled from "./internal/items/Filled.ts"
import * as Chain from "./internal/ledger/Chain.ts"
import * as Ledger from "./internal/ledger/Ledger.ts"
import * as Overlay from "./internal/ledger/Overlay.ts"
import * as Migrations from "./internal/migrations/Migrations.ts"
import * as BadRecordTable from "./internal/records/BadRecordTable.ts"
import * as DepositTable from "./internal/records/DepositTable.ts"
import * as TransferTable from "./internal/records/TransferTable.ts"
import * as RunCount from "./internal/runs/RunCount.ts"
import * as Verification from "./internal/runs/Verification.ts"
import * as Additions from "./internal/sql/Additions.ts"
import * as Database from "./internal/sql/Database.ts"
import * as Structure from "./internal/Structure.ts"
import * as ItemPages from "./ItemPages.ts"
import * as Notices from "./Notices.ts"
import * as OpenItems from "./OpenItems.ts"
import * as Periods from "./Periods.ts"
import type * as Run from "./Run.ts"
import * as Runs from "./Runs.ts"

export type { Marks } from "./internal/books/Marks.ts"
export type { Covered } from "./internal/coverage/Covered.ts"
export type { ListedAccount, ListedAccounts, ListReading } from "./internal/exchange/SubAccountTable.ts"
export type { Change, Counts, Damage, Extent, History, SlicesOptions } from "./internal/history/History.ts"
export type { Head } from "./internal/ledger/Chain.ts"
export type { Verified } from "./internal/ledger/Ledger.ts"
export type { Overlaid, Reach } from "./internal/ledger/Overlay.ts"

/** This interval holds all of time. */
const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** These options name a file, and say how long the archive waits for another program that writes to it. */
export interface SqliteOptions {
  /** The path of the file, which is created where it is missing. */
  readonly file: string
  /** The default is 2 seconds; nothing else runs in this process meanwhile. */
  readonly busyTimeout?: Duration.Input
}

/** These options name a PostgreSQL database. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. The archive lies in the role's current schema. */
  readonly url: Redacted.Redacted
  /**
   * How long the server waits for a word from this process while it holds the archive or writes: then it gives the archive free
   * and undoes what was begun, so that another process can take over from one that was stopped or cut off. A process whose event loop stands still for
   * so long loses the archive too, and writes nothing more once another has it. The default is 10 seconds; less than 1 second counts as that.
   */
  readonly lease?: Duration.Input
}

/** An archive that is open. Every operation fails with an `ArchiveError`, whose type has the reasons that it can give. */
export interface Service {
  /** This name tells people where the archive is: a file, or a database's host and name. */
  readonly place: string
  /**
   * This text says when the archive was made, by the clock of its database: to the second in a file, and to the microsecond in PostgreSQL.
   * Each copy and each backup has the same, so that it tells two archives apart, but for those that were made at one moment.
   */
  readonly made: Effect.Effect<string, ArchiveError.DatabaseError>
  /** The deposits of all sub-accounts. */
  readonly deposits: History<SubAccountDeposit.SubAccountDeposit>
  /** The transfers of all queries. */
  readonly transfers: History<UniversalTransfer.UniversalTransfer>
  /** Gives what is known about completeness, clipped to the interval, ordered by operation, query and time. */
  readonly coverage: (interval?: Coverage.Interval) => Effect.Effect<ReadonlyArray<Covered>, ArchiveError.IntervalError>
  /** Gives about how many records of both sides are kept of an interval, earlier versions and unreadable ones too: those of whole days. */
  readonly size: (interval: Coverage.Interval) => Effect.Effect<number, ArchiveError.DatabaseError>
  /**
   * Gives a text that is another one after each change of what is kept of either side: its records, versions, records that cannot be read,
   * and coverage. Two readings between which it stays read the same.
   */
  readonly state: Effect.Effect<string, ArchiveError.DatabaseError>
  /** Gives the transfer queries that were ever asked or kept. */
  readonly queries: Effect.Effect<ReadonlyArray<Coverage.TransferQuery>, ArchiveError.DatabaseError>
  /** Gives the end of the last time of which anything is known, complete or not, Unix ms; null where nothing is known. */
  readonly coveredTo: Effect.Effect<number | null, ArchiveError.DatabaseError>
  /** Gives the server time of the last reading of anything, Unix ms; null before the first. */
  readonly lastReading: Effect.Effect<number | null, ArchiveError.DatabaseError>
  /**
   * Keeps a person's word that all records of the operation in the interval were imported. Nobody can vouch for the time after
   * `at`, the present (Unix ms).
   */
  readonly vouch: (
    operation: Coverage.Coverage["operation"],
    interval: Coverage.Interval,
    at: number
  ) => Effect.Effect<void, ArchiveError.IntervalError>
  /**
   * Takes back what readings of a later time than `now` proved (Unix ms), and gives that time: the service's clock was ahead when
   * they were made. The first of those readings may be told as earlier than `now`, so everything from `reach` on is taken back too
   * (Unix ms): the service still shows that. `settle` says how much later than their own time records appear, ms. A `floor` is given
   * where `now` itself may be wrong: nothing before it is taken back, of either operation. What a person vouched for is taken back
   * behind `now` only.
   */
  readonly withdrawAhead: (ahead: {
    readonly now: number
    readonly reach: number
    readonly settle: number
    readonly floor?: Readonly<Record<Coverage.Coverage["operation"], number>>
  }) => Effect.Effect<ReadonlyArray<Withdrawn>, ArchiveError.DatabaseError>
  /**
   * Widens the interval as far as deposits reach that settled late: down to the earliest deposit that changed in it or later, up
   * to the last change of the deposits that were inserted in it (Unix ms).
   */
  readonly settling: (interval: Coverage.Interval) => Effect.Effect<Coverage.Interval, ArchiveError.DatabaseError>
  /**
   * Tells where in the interval a deposit may be unknown that settled later: `damaged` where it may be lost, `disputed` where a
   * file tells another status of it than the service does, `unread` where deposits were not all read although earlier ones were,
   * from `begin` on (Unix ms, infinity where none ever were). The database counts the deposits; those of which a file tells are
   * read, and earlier versions. `check` of `deposits` says more and costs more.
   */
  readonly settlingUnknown: (interval: Coverage.Interval) => Effect.Effect<{
    readonly begin: number
    readonly damaged: ReadonlyArray<Coverage.Interval>
    readonly disputed: ReadonlyArray<Coverage.Interval>
    readonly unread: ReadonlyArray<Coverage.Interval>
  }, ArchiveError.DatabaseError>
  /**
   * Gives what rounds of sync learnt of how the service answers, and whether its lists are believed. Where that was lost the
   * lists are not believed, and `learntAt` is 0.
   */
  readonly learnt: Effect.Effect<Learnt.Learnt, ArchiveError.DatabaseError>
  /**
   * Keeps what a round learnt, in one transaction, in place of what was kept of the same operation. A loss of the other one
   * stays in doubt.
   */
  readonly saveLearnt: (learnt: Learnt.Learnt) => Effect.Effect<void, ArchiveError.DatabaseError>
  /** Gives the sub-accounts that the exchange listed, and when each was first and last seen on its list. */
  readonly subAccounts: Effect.Effect<SubAccountTable.ListedAccounts, ArchiveError.DatabaseError>
  /**
   * Keeps which sub-accounts the exchange listed, in one transaction. Of an account that is not among them only a proven list says
   * that the exchange lists it no more.
   */
  readonly saveSubAccounts: (reading: SubAccountTable.ListReading) => Effect.Effect<void, ArchiveError.DatabaseError>
  /**
   * Names what is wrong with the parts that hold everything together: the database's pages, what is known about completeness,
   * the owners of the records, how the service answers, which sub-accounts it listed, and how many runs there are.
   */
  readonly structure: Effect.Effect<ReadonlyArray<string>, ArchiveError.DatabaseError>
  /**
   * Names the triggers, rules, policies and views that somebody added to the tables of the archive: by them a table may not keep what is
   * written to it.
   */
  readonly additions: Effect.Effect<ReadonlyArray<string>, ArchiveError.DatabaseError>
  /**
   * Tells what was lost of the runs about any time of an interval. It reads each outcome of that time, and the list of outcomes
   * of each run.
   */
  readonly damagedRuns: (interval: Coverage.Interval) => Effect.Effect<Run.Damages, ArchiveError.DatabaseError>
  /**
   * Copies everything as it is at one moment into an empty file, while others may write; nothing else runs in this process
   * meanwhile. `Backup.make` does it safely. Fails for a PostgreSQL database, which has `pg_dump`.
   */
  readonly copyTo: (file: string) => Effect.Effect<void, ArchiveError.DatabaseError>
  /**
   * Names the owners of the records; there is none before the first sync. Fails with `Damaged` where one was lost or changed,
   * as `claim` does.
   */
  readonly stamps: Effect.Effect<ReadonlyArray<Origin.Origin>, ArchiveError.DatabaseError>
  /**
   * Claims an unclaimed archive, before anything that the service proved is kept in it; fails with `OtherMaster` where it
   * holds another's records, and with `Damaged` where it holds such proof and does not tell of whom.
   */
  readonly claim: (stamp: Origin.Origin) => Effect.Effect<void, ArchiveError.OwnerError>
  /** Adds a key of the same master account, after a person said that it is one. Fails with `OtherMaster` for another base URL. */
  readonly trust: (stamp: Origin.Origin) => Effect.Effect<void, ArchiveError.OwnerError>
  /**
   * Names the holder of the archive at this moment: `sync, process 4711 on host since 2026-11-22T09:00:00Z`. It takes the
   * archive from nobody.
   */
  readonly holder: Effect.Effect<Option.Option<string>, ArchiveError.DatabaseError>
  /**
   * Holds the archive for one writer until the scope closes, also against other processes; the hold ends with the process. It
   * fails with `Held`.
   */
  readonly exclusive: (purpose: string) => Effect.Effect<void, ArchiveError.HoldError, Scope.Scope>
  /**
   * Gives the times of records whose status may still change and of those that have vanished, by operation and query,
   * ascending, not before `since` (Unix ms). A status that `statuses` calls settled or failed no longer changes; by default
   * those of `Policy.defaults` count. A transfer that came from a file has no query, because it is not known which query would
   * show it.
   */
  readonly unsettled: (
    since: number,
    statuses?: Policy.Resolved["statuses"]
  ) => Effect.Effect<
    ReadonlyArray<{
      readonly operation: Coverage.Coverage["operation"]
      readonly query: Option.Option<Coverage.TransferQuery>
      readonly at: number
    }>,
    ArchiveError.DatabaseError
  >
  /**
   * Lays what people decided (`Decisions`) over a policy: the decisions that hold on entries that a run reads or the policy links, and
   * those that are only `proposed`. What cannot be followed, and what of the policy is not followed because of a decision, is told
   * in `faults`.
   */
  readonly overlay: (
    policy: Policy.Resolved,
    reach: Overlay.Reach,
    proposed?: ReadonlyArray<Decision.Body>
  ) => Effect.Effect<Overlay.Overlaid, ArchiveError.DatabaseError>
  /**
   * Reads the whole ledger of decisions, and tells the first row that is not as it was written, or does not follow the one before
   * it. Rows that were cut off its end, and a ledger that was written anew, show only against a head that somebody `kept`
   * elsewhere: where the ledger still goes through that head, nothing up to there was changed.
   */
  readonly ledger: (kept?: Chain.Head) => Effect.Effect<Ledger.Verified, ArchiveError.DatabaseError>
  /** Gives the last row of the ledger as it stands there, without holding anything against its hash; number 0 where there is none. */
  readonly ledgerEnd: Effect.Effect<Chain.Head, ArchiveError.DatabaseError>
  /**
   * Gives numbers that change with each recorded run, decision, execution, close and step of a sync, also where another process made it.
   * They cost little, so that a program may ask once a second; what they are changes nothing but when to look again.
   */
  readonly marks: Effect.Effect<Marks.Marks, ArchiveError.DatabaseError>
  /** Tells by which queries and at which addresses something happened in record time from `since` on (Unix ms). */
  readonly activity: (since: number) => Effect.Effect<Activity, ArchiveError.DatabaseError>
  /** Gives the times of deposits in an interval whose status may still change, in the same way. */
  readonly unsettledDeposits: (
    interval: Coverage.Interval,
    statuses?: Policy.Resolved["statuses"]
  ) => Effect.Effect<ReadonlyArray<number>, ArchiveError.IntervalError>
}

/** This stretch of one operation was called complete, and is not any more. */
export interface Withdrawn extends Coverage.Interval {
  readonly operation: Coverage.Coverage["operation"]
}

/** What happened since a moment: the queries that showed transfers, and the places at which deposits arrived. */
export interface Activity {
  /** The transfer queries that showed transfers. */
  readonly queries: ReadonlyArray<Coverage.TransferQuery>
  /** The places at which deposits arrived. */
  readonly places: ReadonlyArray<Pick<SubAccountDeposit.SubAccountDeposit, "address" | "memo" | "network">>
}

const make = Effect.gen(function*() {
  const database = yield* Database.Database
  const { error, exclusive, holder, place, sql } = database
  const queries = Queries.make(sql)
  const controls = ControlTable.make(sql)
  const unsettled = Unsettled.make(database, queries)
  const coverage = CoverageTable.make(sql, queries, controls)
  const options = { place, sql, error, queries, controls, coverage, badRecords: BadRecordTable.make(sql) }

  const vouch: Service["vouch"] = (operation, { from, to }, at) => {
    const end = Math.min(to, at)
    const parts = end > from
      ? [{ from, to: end, readAt: at, state: "complete" as const, vouched: true, lastReadAt: at }]
      : []
    return Effect.andThen(
      Checked.refused(InvalidRange.of({ from, to }), Checked.moment("at", at)),
      coverage.lay(operation, new Map([[Queries.EVERYTHING, parts]])).pipe(sql.withTransaction, Effect.mapError(error))
    )
  }

  const withdrawAhead: Service["withdrawAhead"] = ({ floor, now, reach, settle }) =>
    Effect.gen(function*() {
      const { isAhead, last } = yield* coverage.readings(now)
      // The last reading may itself have been ahead: its time has come meanwhile. Without any reading only words were ahead.
      const from = isAhead ? Math.min(last - settle, reach) : now
      const gap = floor === undefined ? Damages.AHEAD : Damages.BEHIND
      const taken = yield* Effect.forEach(["deposits", "transfers"] as const, (operation) =>
        Effect.map(
          coverage.withdrawAhead(operation, { now, from: Math.max(floor?.[operation] ?? 0, from), gap }),
          Arr.map((interval): Withdrawn => Object.assign({ operation }, interval))
        ))
      return taken.flat()
    }).pipe(sql.withTransaction, Effect.mapError(error))

  const { areDamaged, ...stamps } = Owners.make(database)
  const { isDamaged, ...learnt } = LearntTable.make(database)
  const { isShort, ...listed } = SubAccountTable.make(database)
  const structure = Effect.all({
    pages: database.structure,
    altered: coverage.altered,
    queries: queries.lost,
    isUnstamped: areDamaged,
    isUntaught: isDamaged,
    isShort,
    recorded: Effect.map(RunCount.read(sql), ({ recorded }) => recorded)
  }).pipe(Effect.map(Structure.faults))
  const noCopy = ArchiveError.ArchiveError.of(
    new ArchiveError.Failed({ place, detail: "a PostgreSQL database is backed up by pg_dump" })
  )

  return {
    place,
    made: Effect.mapError(Migrations.made(sql), error),
    exclusive,
    holder,
    // The pages may tell the reason where the rest cannot be read any more.
    structure: Effect.mapError(
      Effect.catch(
        structure,
        (failure) => Effect.filterOrFail(database.structure, (pages) => pages.length > 0, () => failure)
      ),
      error
    ),
    additions: Effect.mapError(Additions.found(sql), error),
    damagedRuns: (interval) => Effect.mapError(Verification.make(sql).damages(interval), error),
    copyTo: (file) =>
      Option.match(database.copyTo, {
        onNone: () => Effect.fail(noCopy),
        onSome: (copy) => Effect.mapError(copy(file), error)
      }),
    deposits: Checked.history(
      { ...DepositTable.table, field: "insertTime" },
      HistoryStore.make(DepositTable.table, options)
    ),
    transfers: Checked.history(
      { ...TransferTable.table, field: "timestamp" },
      HistoryStore.make(TransferTable.table, options)
    ),
    coverage: (interval = ALWAYS) =>
      Effect.andThen(
        Checked.refused(InvalidRange.of(interval)),
        () => Effect.mapBoth(coverage.known(interval), { onFailure: error, onSuccess: ({ parts }) => parts })
      ),
    size: (interval) =>
      Effect.mapError(
        Effect.map(
          Effect.forEach(["deposits", "transfers"] as const, (operation) => controls.read(operation, interval)),
          (stretches) => stretches.flat().reduce((sum, { records }) => sum + records, 0)
        ),
        error
      ),
    state: Effect.mapError(
      Effect.zipWith(controls.state, Moves.make(sql).number, (rows, moves) => `${moves}: ${rows}`),
      error
    ),
    queries: Effect.mapError(Effect.map(queries.all, (known) => [...known.values()]), error),
    coveredTo: Effect.mapError(coverage.end, error),
    lastReading: Effect.mapError(coverage.lastReading, error),
    vouch,
    withdrawAhead,
    ...learnt,
    ...listed,
    ...stamps,
    settling: Settling.make(database),
    settlingUnknown: Settling.unknown(database, controls, coverage),
    unsettled: unsettled.all,
    marks: Marks.make(database),
    activity: Activities.make(database, queries),
    overlay: Overlay.make(database),
    ledger: Ledger.make(database).verify,
    ledgerEnd: Effect.mapError(Chain.end(sql), error),
    unsettledDeposits: (interval, statuses) =>
      Effect.andThen(Checked.refused(InvalidRange.of(interval)), unsettled.deposits(interval, statuses))
  } satisfies Service
})

/** This layer gives an archive, the runs that were recorded in it, the books and their periods, and what people decided. */
type Layered<E> = Layer.Layer<
  | Archive
  | Books.Books
  | Candidates.Candidates
  | Decisions.Decisions
  | ItemPages.ItemPages
  | Notices.Notices
  | OpenItems.OpenItems
  | Periods.Periods
  | Runs.Runs,
  E
>

/** The archive: records, their versions and what is known about completeness, in one SQLite file or a PostgreSQL database. */
export class Archive extends Context.Service<Archive, Service>()("@tallystick/archive/Archive") {
  /** This layer stands over a database that is open. */
  static readonly layer: Layer.Layer<Archive, never, Database.Database> = Layer.effect(Archive, make)

  /**
   * It is built anew for each archive: a layer that two share by reference is built once in a program, over the first database.
   */
  private static readonly over = <E>(database: Layer.Layer<Database.Database, E>): Layered<E> =>
    Layer.mergeAll(
      Layer.fresh(Archive.layer),
      Layer.fresh(Books.Books.layer),
      Layer.fresh(Candidates.Candidates.layer),
      Layer.fresh(Decisions.Decisions.layer),
      Layer.fresh(ItemPages.ItemPages.layer),
      Layer.fresh(Notices.Notices.layer),
      Layer.fresh(OpenItems.OpenItems.layer),
      Layer.fresh(Periods.Periods.layer),
      Layer.fresh(Runs.Runs.layer)
    ).pipe(Layer.provide(Filled.layer(database)))

  /** This layer keeps an archive in one SQLite file, mode 600, which is created where it is missing. */
  static readonly layerSqlite = (options: SqliteOptions): Layered<ArchiveError.OpenError> =>
    Archive.over(Drivers.layerSqlite(options))

  /**
   * This layer reads one SQLite file that nobody writes to, such as a backup: nothing in it or beside it changes, and every
   * attempt to write fails. It fails with `Older` where an earlier version wrote the file.
   */
  static readonly layerBackup = (file: string): Layered<ArchiveError.OpenError> =>
    Archive.over(Drivers.layerBackup(file))

  /**
   * This layer is for a program that only reads an archive which is there. Where the file or its folder may not be written to, and
   * on a network file system, nothing in it or beside it changes, and every attempt to write fails; a sync may go on beside it.
   * The role of a PostgreSQL database needs no right but SELECT. It fails with `Older` where an earlier version wrote the archive
   * and it may not be brought to this one.
   */
  static readonly layerReader = (location: ArchiveConfig.Location): Layered<ArchiveError.OpenError> =>
    Archive.over(Drivers.layerReader(location))

  /** This layer keeps an archive in a PostgreSQL database, 14 or newer, whose tables are created where they are missing. */
  static readonly layerPostgres = (options: PostgresOptions): Layered<ArchiveError.OpenError> =>
    Archive.over(Drivers.layerPostgres(options))

  /**
   * This layer opens the archive that the configuration names: `TALLYSTICK_DATABASE_URL`, else the file of
   * `TALLYSTICK_ARCHIVE`, else `tallystick.db`.
   */
  static readonly layerConfig = (): Layered<ArchiveError.OpenError | ConfigurationError> =>
    Archive.over(Drivers.layerConfig())

  /** This archive is gone with the layer: it serves tests, and records that need not last. */
  static readonly layerMemory = (): Layered<never> => Archive.over(Drivers.layerMemory())
}
