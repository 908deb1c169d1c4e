/** This source gives both sides of the books from the archive, as slices of entries in time order, each entry with its past. */
import * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as TransferEntry from "@tallystick/reconcile/TransferEntry"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as Archive from "./Archive.ts"
import type * as ArchivedRecord from "./ArchivedRecord.ts"
import type * as ArchiveError from "./ArchiveError.ts"
import * as Believed from "./internal/coverage/Believed.ts"
import * as Settling from "./internal/history/Settling.ts"
import * as EntryPast from "./internal/source/EntryPast.ts"
import * as Holes from "./internal/source/Holes.ts"
import * as LostDeposits from "./internal/source/LostDeposits.ts"
import * as Twins from "./internal/source/Twins.ts"

/** These options say which time is read, `[from, to)` in Unix ms, and what its records mean. */
export interface Options extends Coverage.Interval {
  /** The policy by which statuses and times of entries are read. */
  readonly policy: Policy.Resolved
  /** The accounts that the entries are read for. */
  readonly accounts: Accounts.Accounts
  /**
   * This coverage of deposits was read before anything else, for the interval and the week before it; no other time of deposits
   * counts as complete. It matters because a deposit may settle while a report is made, after the interval was chosen. Where it
   * is absent, present coverage counts.
   */
  readonly believed?: ReadonlyArray<Coverage.Coverage>
  /**
   * The times of deposits of the week before the interval that were not settled yet (`unsettledBefore`), asked for before anything
   * else, because a deposit may settle while a report is made. Where it is absent, they are asked for when reading begins.
   */
  readonly unsettled?: ReadonlyArray<number>
  /** Names the sub-account of an address. */
  readonly account?: AddressBook.Lookup
  /** A slice has about so many records. */
  readonly batch?: number
  /**
   * Only records of these assets are read, of the interval and of the week before. Then the slices say nothing of coverage and of records
   * that could not be read. Default: all records.
   */
  readonly assets?: ReadonlyArray<string>
}

type Slices<Record> = Stream.Stream<
  Slice.Slice<ArchivedRecord.ArchivedRecord<Record>>,
  ArchiveError.SlicesError | InvalidRange,
  Archive.Archive
>
type Entries = Stream.Stream<Slice.Slice<Entry.Entry>, ArchiveError.SlicesError | InvalidRange, Archive.Archive>

const asked = ({ batch, from, to }: Options): Archive.SlicesOptions => ({
  from,
  to,
  disputed: true,
  ...(batch === undefined ? {} : { batch })
})

const withPast = (entry: Entry.Entry, past: Entry.Past | undefined): Entry.Entry =>
  past === undefined ? entry : { ...entry, past }

/**
 * Gives the scopes of a run for one operation: the queries that its flows mean or, without a list of accounts, the known
 * queries.
 */
const scopes = (
  operation: Coverage.Coverage["operation"],
  { accounts, policy }: Options,
  known: ReadonlyArray<Coverage.TransferQuery>
): ReadonlyArray<Holes.Scope> => {
  if (operation === "deposits") return [{ operation }]
  const asked = BrokerSource.queries(policy, accounts)
  const queries = asked.length > 0 ? asked : known
  return queries.length > 0 ? queries.map((query) => ({ operation, query })) : [{ operation }]
}

/**
 * Leaves out the open ends of queries that the run is not about: their accounts are no longer asked about, so that nothing will
 * ever close these ends. The engine sees no difference, because time after the last reading of a query is open as well.
 */
const closed = (asked: ReadonlyArray<Holes.Scope>) => <Record>(slice: Slice.Slice<Record>): Slice.Slice<Record> => ({
  ...slice,
  coverage: slice.coverage.filter((part) =>
    part.state !== "open" || part.query === undefined || asked.some((scope) => Coverage.sameScope(part, scope))
  )
})

/** Gives the records of some assets that are kept. */
const keptOf = <Record>(
  assets: ReadonlyArray<string>,
  options: Options,
  history: (archive: Archive.Service) => Archive.History<Record>
): Slices<Record> =>
  Stream.unwrap(Archive.Archive.useSync((archive) => history(archive).ofAssets(assets, asked(options))))

/** Gives the records that are kept, and names a gap wherever time was not read although later time was. */
const kept = <Record>(
  operation: Coverage.Coverage["operation"],
  options: Options,
  history: (archive: Archive.Service) => Archive.History<Record>
): Slices<Record> =>
  Stream.unwrap(Effect.gen(function*() {
    const invalid = InvalidRange.of(options)
    if (invalid !== undefined) return yield* invalid
    const archive = yield* Archive.Archive
    const known = (yield* archive.coverage(options)).filter((part) => part.operation === operation)
    const about = scopes(operation, options, yield* archive.queries)
    const named = Holes.named({
      scopes: about,
      until: (yield* archive.coveredTo) ?? Number.NEGATIVE_INFINITY,
      since: known.reduce((least, part) => Math.min(least, part.from), Number.POSITIVE_INFINITY),
      ofAll: known.some(({ query }) => query === undefined)
    })
    return history(archive).slices(asked(options)).pipe(Stream.map(named), Stream.map(closed(about)))
  }))

/**
 * Rounds that are kept as one part carry the earliest of their readings, although each was read after its own end. Such a part
 * counts as read at its end.
 */
const proven = (part: Coverage.Coverage): Coverage.Coverage =>
  part.state === "complete" && part.readAt < part.to ? { ...part, readAt: part.to } : part

/** Makes the same slice with entries in place of records. */
const of = (
  { bad, coverage, from, to }: Slice.Slice<unknown>,
  entries: ReadonlyArray<Entry.Entry>
): Slice.Slice<Entry.Entry> => ({
  from,
  to,
  records: entries.toSorted(Entry.compare),
  bad,
  coverage: coverage.map(proven)
})

/** Makes a slice for each time at which there are entries; nothing is known about the time between them. */
const apart = (entries: ReadonlyArray<Entry.Entry>): Entries =>
  Stream.fromIterable(
    Array.from(
      Map.groupBy(entries.toSorted(Entry.compare), ({ at }) => at),
      ([at, records]): Slice.Slice<Entry.Entry> => ({
        from: at,
        to: at + 1,
        records,
        bad: [],
        coverage: []
      })
    )
  )

type Load = Effect.Effect<ReadonlyArray<Entry.Entry>, ArchiveError.SlicesError, Archive.Archive>

/** Gives a side with entries that lie outside of `[from, to)`, some before it and the others after it. */
const withOutside = ({ from, to }: Options, load: Load, side: Entries): Entries =>
  Stream.unwrap(Effect.map(load, (found) => {
    const outside = Array.from(new Map(found.map((entry) => [entry.id, entry])).values())
    const before = apart(outside.filter(({ at }) => at < from))
    const behind = apart(outside.filter(({ at }) => at >= to))
    return Stream.concat(Stream.concat(before, side), behind)
  }))

type Deposit = ArchivedRecord.ArchivedRecord<SubAccountDeposit.SubAccountDeposit>
type Transfer = ArchivedRecord.ArchivedRecord<UniversalTransfer.UniversalTransfer>

/** Makes entries of deposits. Where `records` hold a deposit, they hold all its twins. */
const depositEntries = ({ account, policy }: Options, records: ReadonlyArray<Deposit>) => {
  const naming = account === undefined ? { policy } : { policy, account }
  return Effect.map(Twins.identities(records), (identityOf) =>
    records.map((kept) => {
      const entry = DepositEntry.make(kept.record, identityOf(kept.key), naming)
      return withPast(
        entry,
        EntryPast.of(kept, entry.status, ({ status }) => Policy.statusOf(policy, "deposit", status))
      )
    }))
}

const transferEntries = ({ accounts, policy }: Options, records: ReadonlyArray<Transfer>) =>
  records.map((kept) => {
    const entry = TransferEntry.fromTransfer(kept.record, { accounts, policy })
    return withPast(
      entry,
      EntryPast.of(kept, entry.status, ({ status }) => Policy.statusOf(policy, "transfer", status))
    )
  })

/** Gives the transaction with which the id of a deposit begins. */
const transactionOf = (id: string): ReadonlyArray<string> => {
  const end = id.lastIndexOf("~")
  return end < 0 ? [] : [id.slice(0, end)]
}

/** Takes time as complete only where it was complete before the interval was chosen. */
const believed = ({ believed }: Options) => <Record>(slices: Slices<Record>): Slices<Record> =>
  believed === undefined ? slices : Stream.map(slices, (slice) => ({
    ...slice,
    coverage: Believed.within(slice.coverage, believed)
  }))

/** Puts a gap into the slices wherever an unknown deposit may have settled, long after its own time. */
const settledLate = ({ believed }: Options) =>
(
  slices: Slices<SubAccountDeposit.SubAccountDeposit>
): Slices<SubAccountDeposit.SubAccountDeposit> =>
  Stream.unwrap(Archive.Archive.useSync((archive) => LostDeposits.named(archive, believed)(slices)))

/** Returns the times of deposits of the week before a moment (Unix ms) that are not settled yet. */
export const unsettledBefore = Effect.fnUntraced(function*(
  from: number,
  policy: Policy.Resolved
): Effect.fn.Return<ReadonlyArray<number>, ArchiveError.IntervalError, Archive.Archive> {
  const week = { from: Math.max(from - Settling.MEMORY, 0), to: from }
  if (policy.lagFrom === "seen" || InvalidRange.of(week) !== undefined) return []
  const archive = yield* Archive.Archive
  return yield* archive.unsettledDeposits(week, policy.statuses)
})

/**
 * Gives the deposits of the week before the interval that are not settled yet, or settled meanwhile. Once one is seen to settle, a
 * transfer of the interval may be compared with it.
 */
const pendingBefore = Effect.fnUntraced(function*(options: Options) {
  const { assets, from, policy, unsettled } = options
  const archive = yield* Archive.Archive
  const slices = yield* Effect.forEach(
    unsettled ?? (yield* unsettledBefore(from, policy)),
    (at) => {
      const moment = { from: at, to: at + 1, disputed: true }
      return Stream.runCollect(
        assets === undefined ? archive.deposits.slices(moment) : archive.deposits.ofAssets(assets, moment)
      )
    }
  )
  const entries = yield* depositEntries(options, slices.flat().flatMap(({ records }) => records))
  return entries.filter(({ past, status }) =>
    status === "pending" || status === "unknown" || past?.settledAt !== undefined
  )
})

/** Gives the entries of these ids, whatever their time. */
const linked = (ids: ReadonlyArray<string>, load: (ids: ReadonlyArray<string>) => Load): Load => {
  if (ids.length === 0) return Effect.succeed([])
  const wanted = new Set(ids)
  return Effect.map(load(ids), (found) => found.filter(({ id }) => wanted.has(id)))
}

/**
 * Gives the deposits that are kept, with the ids that they have when they come from the service. Besides those of the interval it
 * gives the deposits that the policy's links name, whatever their time, and those of the week before that are not settled yet;
 * nothing is said of the time between these.
 */
export const deposits = (options: Options): Entries =>
  withOutside(
    options,
    Effect.map(
      Effect.all([
        pendingBefore(options),
        linked(
          options.policy.links.flatMap(({ deposits }) => deposits),
          Effect.fnUntraced(function*(ids) {
            const archive = yield* Archive.Archive
            return yield* depositEntries(options, yield* archive.deposits.named(ids.flatMap(transactionOf)))
          })
        )
      ]),
      (found) => found.flat()
    ),
    (options.assets === undefined
      ? kept("deposits", options, ({ deposits }) => deposits).pipe(
        believed(options),
        options.policy.lagFrom === "seen" ? identity : settledLate(options)
      )
      : keptOf(options.assets, options, ({ deposits }) => deposits)).pipe(
        Stream.mapEffect((slice) => Effect.map(depositEntries(options, slice.records), (entries) => of(slice, entries)))
      )
  )

/**
 * Gives the transfers that are kept, whichever query they came with, so that transfers that were moved back or in the wrong
 * direction are seen too; their coverage says which queries were asked. It also gives the transfers that the policy's links
 * name, whatever their time.
 */
export const transfers = (options: Options): Entries =>
  withOutside(
    options,
    linked(
      options.policy.links.flatMap(({ transfers }) => transfers),
      (ids) =>
        Archive.Archive.use(({ transfers }) =>
          Effect.map(transfers.named(ids), (records) => transferEntries(options, records))
        )
    ),
    (options.assets === undefined
      ? kept("transfers", options, ({ transfers }) => transfers)
      : keptOf(options.assets, options, ({ transfers }) => transfers)).pipe(
        Stream.map((slice) => of(slice, transferEntries(options, slice.records)))
      )
  )
