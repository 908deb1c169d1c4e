/** A sync reads from the service what an archive lacks, oldest first, and keeps it page by page. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Span from "@tallystick/core/Span"
import * as Timeline from "@tallystick/core/Timeline"
import * as TimeRange from "@tallystick/core/TimeRange"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Formatter from "effect/Formatter"
import * as Option from "effect/Option"
import * as Archive from "./Archive.ts"
import type { SyncError } from "./ArchiveError.ts"
import * as Integrity from "./Integrity.ts"
import * as Scope from "./internal/coverage/Scope.ts"
import * as ListChange from "./internal/exchange/ListChange.ts"
import * as Clocks from "./internal/sync/Clocks.ts"
import * as Refusals from "./internal/sync/Refusals.ts"
import * as SyncGaps from "./internal/sync/SyncGaps.ts"
import * as SyncMeter from "./internal/sync/SyncMeter.ts"
import * as SyncTally from "./internal/sync/SyncTally.ts"
import * as SyncTask from "./internal/sync/SyncTask.ts"
import * as Turns from "./internal/sync/Turns.ts"
import * as Status from "./Status.ts"

export type { ListChange } from "./internal/exchange/ListChange.ts"
/** A step of a round. */
export type Progress = SyncTally.Progress

/** These counts and stretches tell the result of a round of sync. */
export interface Summary extends SyncTally.Counts {
  /** So many quiet queries were left for later rounds (`Options.quietEvery`). */
  readonly left: number
  /** Every query is complete up to this time, Unix ms; null where one has no complete coverage. */
  readonly completeTo: number | null
  /** Every query is complete from this time on, but for `holes`, Unix ms; null where one has no complete coverage. */
  readonly completeFrom: number | null
  /**
   * These stretches before `completeTo` are not complete, no matter which round left them. None of them lies before the
   * beginning of the archive.
   */
  readonly holes: ReadonlyArray<Hole>
  /** These stretches were found to be damaged and could still be asked for, so this round read them again. */
  readonly damaged: ReadonlyArray<Archive.Damage>
  /**
   * These parts were asked for and are not complete, or were complete before and could not be read again; each gives the
   * reason. Where no first moment to keep was given, time that the service had forgotten before the archive began is not among
   * them.
   */
  readonly gaps: ReadonlyArray<Coverage.Coverage>
  /**
   * This round found that deposits of these stretches are lost: the service had forgotten them before they were read, so no
   * sync can read them.
   */
  readonly lost: ReadonlyArray<Coverage.Interval>
  /**
   * The service's clock is so far ahead of this machine's, ms: negative where it is behind, 0 where they differ by no more than 5
   * minutes. What is not settled by both is not called complete.
   */
  readonly clockAhead: number
  /**
   * Of these operations hardly any record was shown again that was read before of the same time, and more than five were not: the
   * service may be at fault.
   */
  readonly emptied: ReadonlyArray<Coverage.Coverage["operation"]>
  /** Earlier rounds called these stretches complete by a clock that ran ahead, so this round read them again. */
  readonly withdrawn: ReadonlyArray<Archive.Withdrawn>
  /** At this server time, Unix ms, the service forgets the first deposit that may still be unread. */
  readonly deadline: number
  /** The round began at this server time, Unix ms. */
  readonly now: number
}

/** A hole is a stretch of one operation that is not complete. */
export interface Hole extends Status.Hole {
  /** The hole is in the records of this operation. */
  readonly operation: Coverage.Coverage["operation"]
}

/** These options say for which accounts a round reads, how far back, and how much at once. */
export interface Options {
  /**
   * The flows of the policy say which transfers are asked for. Its statuses say which records are read again: all but the
   * settled and the failed ones. The default is `Policy.defaults`.
   */
  readonly policy?: Policy.Resolved
  /** Transfers are asked for account by account. */
  readonly accounts: Accounts.Accounts
  /**
   * The exchange's list as it was read: the archive keeps when each sub-account was first and last seen, and which are listed no
   * more. Absent where nobody asked for the list.
   */
  readonly listed?: Archive.ListReading
  /**
   * Whether the caller doubts that `accounts` names all that there are, because a list of them could not be read or is not proven: the
   * outcome of a round without gaps is `doubtful` then, in `Metrics.rounds`.
   */
  readonly inDoubt?: boolean
  /**
   * The archive keeps everything from this moment on: Unix ms, a `Date`, a `DateTime`, or a text with its zone. The default is the
   * beginning of the archive or, where that is earlier, as far back as the service shows deposits. Of a moment that is still to come
   * nothing is kept.
   */
  readonly since?: DateTime.DateTime.Input
  /** Names the sub-account of a deposit's address, so that an account is read again where a deposit arrived. */
  readonly account?: AddressBook.Lookup
  /**
   * Of more than 100 transfer queries a round reads those in which something happened within this time, and the others in turn,
   * each at least so often; at most half as long as the service keeps transfers. The default is 6 hours; 0 reads all of them.
   */
  readonly quietEvery?: Duration.Input
  /**
   * The round reads so much time before the end of coverage again, because records may have come late. The default is one hour.
   */
  readonly overlap?: Duration.Input
  /** It is told of each step of the round as it happens. */
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
  /**
   * Is told which accounts the list (`listed`) has or lacks in contrast to those that the archive knew, once, right after it was kept:
   * the round may still fail. A list that tells nothing new is not told.
   */
  readonly onListed?: (change: ListChange.ListChange) => Effect.Effect<void>
}

/**
 * For so long, ms, a sync reads again those records whose status may still change; deposits no longer than the service keeps
 * them.
 */
const WATCHED = 7 * 86_400_000

const isOfDeposits = ({ operation }: Coverage.Coverage): boolean => operation === "deposits"

const isComplete = ({ state }: Coverage.Coverage): boolean => state === "complete"

const beginning = (coverage: ReadonlyArray<Coverage.Coverage>): number =>
  coverage.filter(isComplete).reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)

/** A round compares coverage as it was known before, as it is known afterwards, and as reports believe it. */
interface Known {
  readonly before: ReadonlyArray<Archive.Covered>
  readonly coverage: ReadonlyArray<Archive.Covered>
  readonly believed: ReadonlyArray<Archive.Covered>
}

/**
 * Finds the parts that were asked for and did not become complete. On days of which rows were lost, only parts count that had
 * not been read before. Where no first moment to keep is given, time that the service had forgotten before the archive began is
 * not missing.
 */
const gapsOf = (task: SyncTask.Task, { before, believed, coverage }: Known, since: number | undefined) => {
  const began = since === undefined ? beginning(task.about(coverage)) : Number.NEGATIVE_INFINITY
  const isOwnBeginning = ({ from, gap }: Coverage.Coverage): boolean => gap?.code === "retention" && from < began
  /**
   * Finds the gaps of `known` in those parts of an interval that it calls complete neither for the query alone nor for all
   * queries.
   */
  const missing = (known: ReadonlyArray<Coverage.Coverage>) => {
    const mine = task.about(known)
    const gaps = mine.filter((part) => part.state === "incomplete" && !isOwnBeginning(part))
    return (interval: Coverage.Interval) =>
      Coverage.uncovered(mine, interval).flatMap((hole) => Coverage.clip(gaps, hole))
  }
  const unread = task.plan.asked.flatMap((asked) => Coverage.uncovered(task.about(before), asked))
  return [...task.plan.asked.flatMap(missing(coverage)), ...unread.flatMap(missing(believed))]
}

const AGAIN = "it is complete as it was read before, but reading it again proved nothing: "

/** Tells of a part that a round read without proving it; where an earlier reading had proved it, the gap says so. */
const unproven = (believed: Known["believed"]) => (part: Coverage.Coverage): ReadonlyArray<Coverage.Coverage> => {
  const complete = Scope.about(part)(believed).filter(isComplete)
  const again = part.gap && { ...part, gap: { ...part.gap, detail: AGAIN + part.gap.detail } }
  return [
    ...Coverage.uncovered(complete, part).flatMap((hole) => Coverage.clip([part], hole)),
    ...complete.flatMap((known) => Coverage.clip([again ?? part], known))
  ]
}

/** The accounts that the exchange lists no more, as a proven list showed. */
const goneOf = ({ accounts }: Archive.ListedAccounts): ReadonlySet<string> =>
  new Set(accounts.filter(({ missedAt }) => missedAt !== undefined).map(({ name }) => name))

/** Keeps the exchange's list, and tells what differs from those before. */
const keepListed = Effect.fnUntraced(function*(
  { saveSubAccounts, subAccounts }: Archive.Service,
  listed: Archive.ListReading,
  { onListed }: Options
) {
  const before = yield* subAccounts
  yield* saveSubAccounts(listed)
  if (onListed === undefined) return yield* Effect.void
  const change = ListChange.of(before, yield* subAccounts)
  const { added, back, gone } = change
  return yield* added.length + back.length + gone.length === 0 ? Effect.void : onListed(change)
})

/** Keeps what the broker has learnt of the archive's own service. An archive that no service has claimed yet keeps nothing. */
const keepLearnt = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  if ((yield* archive.stamps).length > 0) yield* archive.saveLearnt(yield* Broker.Broker.use(({ learnt }) => learnt))
})

/** A round holds about so many rows of each side against the control totals, which takes a fraction of a second. */
const LOOKED_AT = 100_000

interface Present extends Pick<SyncTask.Round, "archive" | "broker" | "now"> {}

/**
 * Takes back the claim that damaged time is complete, where that time can still be read again, if only in part; this round then
 * asks for it. In a crowded archive each round looks at some days only; each day most likely has its turn while the service
 * still shows its records.
 */
const repair = Effect.fnUntraced(function*({ archive, broker, now }: Present) {
  const { depositHistory, transferHistory } = broker.conventions
  return [
    ...yield* archive.deposits.repair({ from: now - depositHistory, to: now }, LOOKED_AT),
    ...yield* archive.transfers.repair({ from: now - transferHistory, to: now }, LOOKED_AT)
  ]
})

/**
 * Takes back what a clock that ran ahead claimed, before anything is planned. A service that tells no time refuses requests of a
 * wrong one, so that nothing is taken back by this machine's clock alone. A question that fails leaves that open, so it fails the
 * round: readings of the right time would hide those that were ahead. Where the service is behind this machine, its present
 * time may be the wrong one: only what the next rounds can still read again is taken back then.
 */
const withdrawn = Effect.fnUntraced(function*({ archive, broker, now }: Present, clocks: Clocks.Clocks) {
  const last = yield* archive.lastReading
  if (last === null || last <= now + Clocks.TOLERANCE) return []
  if (Option.isNone(yield* broker.clock)) return []
  const { depositHistory, settle, transferHistory } = broker.conventions
  const floor = (history: number) => clocks.machine - history / 2
  return yield* archive.withdrawAhead({
    now,
    reach: now - depositHistory + SyncTask.MINUTE,
    settle,
    ...(Clocks.ahead(clocks) < 0
      ? { floor: { deposits: floor(depositHistory), transfers: floor(transferHistory) } }
      : {})
  })
})

/** Says how far the archive is complete for the queries of a round, and which holes it has, as reports believe it. */
const claimed = (
  believed: Known["believed"],
  queries: ReadonlyArray<Coverage.TransferQuery>,
  now: number
): Pick<Summary, "completeFrom" | "completeTo" | "holes"> => {
  const sides = (["deposits", "transfers"] as const).map((operation) => ({
    operation,
    scopes: operation === "transfers" && queries.length === 0
      ? []
      : Status.scopes(operation, believed, { from: 0, to: now }, queries)
  }))
  const all = sides.flatMap(({ scopes }) => scopes)
  return {
    completeFrom: Status.completeFrom(all),
    completeTo: Status.completeTo(all),
    holes: sides.flatMap(({ operation, scopes }) =>
      Status.inside(scopes).map((hole): Hole => Object.assign({ operation }, hole))
    )
  }
}

/** The server time at which a round read deposits last, Unix ms; 0 where none did. A person's word is no reading. */
const lastRound = (known: ReadonlyArray<Archive.Covered>, now: number): number =>
  known.filter((part) => isOfDeposits(part) && !part.vouched && part.readAt <= now)
    .reduce((latest, { readAt }) => Math.max(latest, readAt), 0)

/** How often each of so many queries is read at least, ms; undefined where all of them are read every time. */
const turnLength = (queries: number, broker: Broker.Service, { quietEvery = "6 hours" }: Options) => {
  const every = Math.min(Duration.toMillis(quietEvery), broker.conventions.transferHistory / 2)
  return queries <= Turns.FEW || every <= 0 ? undefined : every
}

/** Picks the tasks of transfers whose turn it is, where each is read every so many ms at least. */
const turn = Effect.fnUntraced(function*(
  tasks: ReadonlyArray<SyncTask.Task>,
  { archive, before, now, overlap }: SyncTask.Round,
  { account }: Options,
  every: number
) {
  const { places, queries } = yield* archive.activity(now - every)
  const busy = new Set(queries.map(Coverage.keyOf))
  const accounts = new Set(places.map(({ address, memo, network }) => account?.(address, memo, network)))
  const isBusy = ({ completeTo, plan, query }: SyncTask.Task): boolean =>
    plan.asked.length > 1 || plan.lost.length > 0 || plan.asked.some(({ from }) => from < completeTo - overlap) ||
    busy.has(Coverage.keyOf(query)) ||
    [query?.fromAccount, query?.toAccount].some((name) => name !== undefined && accounts.has(name))
  const candidates = tasks.map((task) => ({ task, completeTo: task.completeTo, isBusy: isBusy(task) }))
  return Turns.pick(candidates, { now, elapsed: now - before, quietEvery: every }).map(({ task }) => task)
})

const round = Effect.fnUntraced(function*(options: Options) {
  const archive = yield* Archive.Archive
  const broker = yield* Broker.Broker
  // The first answer of a service claims an archive that has no owner yet, because a wrong address or key gets no answer.
  const origin = yield* broker.origin
  if ((yield* archive.stamps).length > 0) yield* archive.claim(origin)
  // A key that changes while the round reads may be of another master: nothing is kept before the archive knows it.
  let admitted = ""
  const claim = Effect.flatMap(broker.origin, (origin) => {
    if (origin.fingerprint === admitted) return Effect.void
    return Effect.map(archive.claim(origin), () => {
      admitted = origin.fingerprint
    })
  })
  // The list is an answer of the service, so that it claims the archive as any other.
  const { listed } = options
  if (listed !== undefined) yield* Effect.andThen(claim, keepListed(archive, listed, options))
  const now = yield* broker.serverTime
  const since = options.since === undefined ? undefined : TimeRange.millis(options.since)
  const clocks = yield* Clocks.beside(now)
  const clockAhead = Clocks.ahead(clocks)
  const takenBack = yield* withdrawn({ archive, broker, now }, clocks)
  const damaged = yield* repair({ archive, broker, now })
  const tally = SyncTally.make(options.onProgress ?? (() => Effect.void))
  const gaps = SyncGaps.make(archive)
  const { policy = Policy.defaults } = options
  const known = yield* archive.coverage()
  const shared: SyncTask.Round = {
    archive,
    broker,
    claim,
    tally,
    gaps,
    now,
    behind: Math.max(0, -clockAhead),
    before: lastRound(known, now),
    known,
    unsettled: (yield* archive.unsettled(now - WATCHED, policy.statuses)).map(({ at, operation, query }) =>
      Object.assign(Scope.of(operation, Option.getOrUndefined(query)), { from: at })
    ),
    since,
    overlap: Duration.toMillis(options.overlap ?? "1 hour")
  }

  const deposits = SyncTask.deposits(shared)
  const queries = BrokerSource.queries(policy, options.accounts)
  const every = turnLength(queries.length, broker, options)
  if (every === undefined) yield* tally.planned(1 + queries.length)
  yield* broker.beginFrom(yield* archive.learnt)
  const kept = Effect.andThen(gaps.flush, keepLearnt)
  const { expected, lost, transfers } = yield* Effect.gen(function*() {
    const lost = yield* deposits.run
    // Accounts at which a deposit arrived are known now.
    const tasks = queries.map(SyncTask.transfers(shared))
    const transfers = every === undefined ? tasks : yield* turn(tasks, shared, options, every)
    if (every !== undefined) yield* tally.planned(1 + transfers.length)
    // An account may be listed again since an earlier list lacked it.
    const gone = listed?.isProven === true ? goneOf(yield* archive.subAccounts) : new Set<string>()
    const expected = yield* Refusals.readAll(transfers, { gone, pages: () => tally.counts().pages })
    return { lost, transfers, expected }
  }).pipe(Effect.onExit((exit) => Exit.isSuccess(exit) ? kept : Effect.ignore(kept)))

  const coverage = yield* archive.coverage()
  const damages = yield* Integrity.lost()
  const believed = Status.withLost(coverage, damages)
  const told = coverage.flatMap((part) => isComplete(part) ? [part] : Status.withLost([part], damages))
  const tasks = [deposits, ...transfers.filter((task) => !expected.has(task))]
  return {
    ...tally.counts(),
    left: queries.length - transfers.length,
    ...claimed(believed, queries, now),
    gaps: Coverage.merge([
      ...tasks.flatMap((task) => gapsOf(task, { before: known, coverage: told, believed }, since)),
      ...tally.unproven().flatMap(unproven(believed)),
      ...tasks.flatMap(({ about, plan }) => plan.lost.flatMap((lost) => Coverage.clip(about(told), lost)))
        .filter(({ gap, operation }) => operation === "transfers" || gap?.code === "damaged")
    ]),
    damaged,
    clockAhead,
    withdrawn: takenBack,
    emptied: tally.emptied(),
    lost: lost.flatMap((one) => Timeline.gaps(damages.filter(isOfDeposits), one)),
    deadline: Status.deadline(coverage, now, broker.conventions.depositHistory),
    now
  } satisfies Summary
})

const checkedSince = ({ since }: Options): Effect.Effect<void, BrokerError.RequestError> => {
  const invalid = InvalidRange.ofMoment("since", since)
  return invalid === undefined ? Effect.void : Effect.fail(BrokerError.BrokerError.of(
    "subAccountDeposits",
    new BrokerError.InvalidParameter({
      parameter: "since",
      actual: Formatter.format(since),
      allowed: `a moment, such as whole Unix milliseconds; it ${invalid.problem}`
    })
  ))
}

/**
 * Runs one round. It reads everything that coverage lacks since the archive began, a safety overlap, the hours of records
 * whose status may still change, and every few hours the deposits that the service will soon forget; deposits come first because
 * the service forgets them first. A list of transfers that the service refuses to show keeps no other from being read: it is one
 * of `gaps`, unless a proven list of this round lacks the account and the service refuses to know it. Where five lists are refused before any is shown, the round fails with
 * the refusal, because the key may be at fault. The round holds
 * the archive for itself while it runs. It can be broken off anywhere and run again. It fails with `InvalidParameter`
 * for a `since` that is no moment. `Metrics` counts what became of it.
 */
export const run = (
  options: Options
): Effect.Effect<Summary, BrokerError.RequestError | SyncError, Broker.Broker | Archive.Archive> =>
  checkedSince(options).pipe(
    Effect.andThen(Archive.Archive.use((archive) => archive.exclusive("sync"))),
    Effect.andThen(round(options)),
    Effect.scoped,
    SyncMeter.round(options.inDoubt === true),
    Span.within("Sync.run")
  )
