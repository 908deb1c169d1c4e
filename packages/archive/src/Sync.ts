/** Reads from the service what an archive lacks, oldest first, and keeps it page by page. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Coverage from "@tallystick/core/Coverage"
import * as Span from "@tallystick/core/Span"
import * as Timeline from "@tallystick/core/Timeline"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Archive from "./Archive.ts"
import type { ArchiveError } from "./ArchiveError.ts"
import * as Integrity from "./Integrity.ts"
import * as Scope from "./internal/coverage/Scope.ts"
import * as SyncTally from "./internal/sync/SyncTally.ts"
import * as SyncTask from "./internal/sync/SyncTask.ts"
import * as Status from "./Status.ts"

export type Progress = SyncTally.Progress

/** What a round of sync did. */
export interface Summary extends SyncTally.Counts {
  /** The end of complete coverage, Unix ms, the least over all queries; null where one has none. */
  readonly completeTo: number | null
  /** What lies before that end and is not complete, whichever round left it so; nothing of the time before an archive began. */
  readonly holes: ReadonlyArray<Hole>
  /** What was found to be damaged and could still be asked for; it was read again. */
  readonly damaged: ReadonlyArray<Archive.Damage>
  /**
   * What was asked for and is not complete, or was complete before and could not be read again, with the reason; nothing of the
   * time before an archive began by itself.
   */
  readonly gaps: ReadonlyArray<Coverage.Coverage>
  /** Deposits that this round found to be lost, and that no sync can read: the service had forgotten them before they were read. */
  readonly lost: ReadonlyArray<Coverage.Interval>
  /** Server time at which the service forgets the first deposit that may still be unread, Unix ms. */
  readonly deadline: number
  /** Server time at the beginning, Unix ms. */
  readonly now: number
}

/** Not complete, of one operation. */
export interface Hole extends Status.Hole {
  readonly operation: Coverage.Coverage["operation"]
}

export interface Options {
  /**
   * Its flows say which transfers are asked for, its statuses which records are read again: all but the settled and the failed
   * ones. Default `Policy.defaults`.
   */
  readonly policy?: Policy.Resolved
  /** Transfers are asked for account by account. */
  readonly accounts: Accounts.Accounts
  /** First moment to keep, Unix ms. Default: where the archive begins; for an empty one as far back as deposits are shown. */
  readonly since?: number
  /** How much before the end of coverage is read again, for what came late. Default one hour. */
  readonly overlap?: Duration.Input
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

/** How long records whose status may still change are looked after, ms; deposits no longer than the service keeps them. */
const WATCHED = 7 * 86_400_000

/** Queries that are read at once; the rate limit is theirs together. */
const CONCURRENCY = 8

const isOfDeposits = ({ operation }: Coverage.Coverage): boolean => operation === "deposits"

const isComplete = ({ state }: Coverage.Coverage): boolean => state === "complete"

const beginning = (coverage: ReadonlyArray<Coverage.Coverage>): number =>
  coverage.filter(isComplete).reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)

/** What was known of completeness before a round, what is known after it, and what reports believe of that. */
interface Known {
  readonly before: ReadonlyArray<Archive.Covered>
  readonly coverage: ReadonlyArray<Archive.Covered>
  readonly believed: ReadonlyArray<Archive.Covered>
}

/**
 * What was asked for and did not become complete; of days of which rows were lost, what was not read before. Without a first
 * moment to keep, what was forgotten before the archive began is not missing.
 */
const gapsOf = (task: SyncTask.Task, { before, believed, coverage }: Known, since: number | undefined) => {
  const began = since === undefined ? beginning(task.about(coverage)) : Number.NEGATIVE_INFINITY
  const isOwnBeginning = ({ from, gap }: Coverage.Coverage): boolean => gap?.code === "retention" && from < began
  /** What `known` tells of those parts of an interval that are not complete, for the query alone or for all of them. */
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

/** What was read without a proof, in other words where it is complete by an earlier reading. */
const unproven = (believed: Known["believed"]) => (part: Coverage.Coverage): ReadonlyArray<Coverage.Coverage> => {
  const complete = Scope.about(part)(believed).filter(isComplete)
  const again = part.gap && { ...part, gap: { ...part.gap, detail: AGAIN + part.gap.detail } }
  return [
    ...Coverage.uncovered(complete, part).flatMap((hole) => Coverage.clip([part], hole)),
    ...complete.flatMap((known) => Coverage.clip([again ?? part], known))
  ]
}

/** A refusal that is about one account waits until the others have been read; any other error ends the round. */
const unlessRefused = ({ run }: SyncTask.Task) =>
  Effect.matchEffect(run, {
    onSuccess: () => Effect.succeedNone,
    onFailure: (error) =>
      error._tag === "BrokerError" && error.category === "account" ? Effect.succeedSome(error) : Effect.fail(error)
  })

/** Only what the archive's own service taught: one that nobody claimed yet has none. */
const keepLearnt = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  if ((yield* archive.stamps).length > 0) yield* archive.saveLearnt(yield* Broker.Broker.use(({ learnt }) => learnt))
})

/** Rows of each side that a round holds against the control totals, about: a fraction of a second. */
const LOOKED_AT = 100_000

interface Present extends Pick<SyncTask.Round, "archive" | "broker" | "now"> {}

/**
 * Damaged time that can still be read again, if only in part, is no longer complete, so that this round asks for it. Of a
 * crowded archive each round looks at some days only: in the time for which the service shows a record, each day most likely
 * has its turn.
 */
const repair = Effect.fnUntraced(function*({ archive, broker, now }: Present) {
  const { depositHistory, transferHistory } = broker.conventions
  return [
    ...yield* archive.deposits.repair({ from: now - depositHistory, to: now }, LOOKED_AT),
    ...yield* archive.transfers.repair({ from: now - transferHistory, to: now }, LOOKED_AT)
  ]
})

/** What the archive claims of what a round asks for, as reports believe it. */
const claimed = (
  believed: Known["believed"],
  queries: ReadonlyArray<Coverage.TransferQuery>,
  now: number
): Pick<Summary, "completeTo" | "holes"> => {
  const sides = (["deposits", "transfers"] as const).map((operation) => ({
    operation,
    scopes: operation === "transfers" && queries.length === 0
      ? []
      : Status.scopes(operation, believed, { from: 0, to: now }, queries)
  }))
  return {
    completeTo: Status.completeTo(sides.flatMap(({ scopes }) => scopes)),
    holes: sides.flatMap(({ operation, scopes }) =>
      Status.inside(scopes).map((hole): Hole => Object.assign({ operation }, hole))
    )
  }
}

const round = Effect.fnUntraced(function*(options: Options) {
  const archive = yield* Archive.Archive
  const broker = yield* Broker.Broker
  // An archive of nobody is claimed by the first answer: a wrong address or key gets none.
  const origin = yield* broker.origin
  if ((yield* archive.stamps).length > 0) yield* archive.claim(origin)
  const claim = yield* Effect.cached(archive.claim(origin))
  const now = yield* broker.serverTime
  const damaged = yield* repair({ archive, broker, now })
  const tally = SyncTally.make(options.onProgress ?? (() => Effect.void))
  const { policy = Policy.defaults, since } = options
  const known = yield* archive.coverage()
  const shared: SyncTask.Round = {
    archive,
    broker,
    claim,
    tally,
    now,
    known,
    unsettled: yield* archive.unsettled(now - WATCHED, policy.statuses),
    since,
    overlap: Duration.toMillis(options.overlap ?? "1 hour")
  }

  const deposits = SyncTask.deposits(shared)
  const queries = BrokerSource.queries(policy, options.accounts)
  const transfers = queries.map(SyncTask.transfers(shared))
  yield* broker.beginFrom(yield* archive.learnt)
  const { lost, refusals } = yield* Effect.all({
    lost: deposits.run,
    refusals: Effect.forEach(transfers, unlessRefused, { concurrency: CONCURRENCY })
  }).pipe(Effect.onExit((exit) => Exit.isSuccess(exit) ? keepLearnt : Effect.ignore(keepLearnt)))
  const refusal = refusals.find(Option.isSome)
  if (refusal !== undefined) return yield* refusal.value

  const coverage = yield* archive.coverage()
  const damages = yield* Integrity.lost()
  const believed = Status.withLost(coverage, damages)
  const told = coverage.flatMap((part) => isComplete(part) ? [part] : Status.withLost([part], damages))
  const tasks = [deposits, ...transfers]
  return {
    ...tally.counts(),
    ...claimed(believed, queries, now),
    gaps: Coverage.merge([
      ...tasks.flatMap((task) => gapsOf(task, { before: known, coverage: told, believed }, since)),
      ...tally.unproven().flatMap(unproven(believed)),
      ...tasks.flatMap(({ about, plan }) => plan.lost.flatMap((lost) => Coverage.clip(about(told), lost)))
        .filter(({ gap, operation }) => operation === "transfers" || gap?.code === "damaged")
    ]),
    damaged,
    lost: lost.flatMap((one) => Timeline.gaps(damages.filter(isOfDeposits), one)),
    deadline: Status.deadline(coverage, now, broker.conventions.depositHistory),
    now
  } satisfies Summary
})

/**
 * One round: everything that coverage lacks since the archive began, deposits first because they are forgotten first; a
 * safety overlap; and the hours of records whose status may still change. An account that the service refuses keeps no other
 * from being read: the round fails with it in the end. Holds the archive for itself meanwhile. Can be
 * broken off anywhere and run again.
 */
export const run = (
  options: Options
): Effect.Effect<Summary, BrokerError.BrokerError | ArchiveError, Broker.Broker | Archive.Archive> =>
  Archive.Archive.use((archive) => archive.exclusive("sync")).pipe(
    Effect.andThen(round(options)),
    Effect.scoped,
    Span.within("Sync.run")
  )
