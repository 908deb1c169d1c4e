/** A task of a sync reads one operation and query, and keeps what the service shows. */
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import * as Timeline from "@tallystick/core/Timeline"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Archive from "../../Archive.ts"
import type { OwnerError, SyncError } from "../../ArchiveError.ts"
import * as Scope from "../coverage/Scope.ts"
import * as Clocks from "./Clocks.ts"
import * as SyncGaps from "./SyncGaps.ts"
import * as SyncPlan from "./SyncPlan.ts"
import type * as SyncTally from "./SyncTally.ts"

/** All tasks of a round share this. */
export interface Round {
  readonly archive: Archive.Service
  readonly broker: Broker.Service
  /** Claims the archive, before the first record is kept. */
  readonly claim: Effect.Effect<void, OwnerError>
  readonly tally: SyncTally.Tally
  readonly gaps: SyncGaps.SyncGaps
  /** The round began at this server time, Unix ms. */
  readonly now: number
  /** This machine's clock was so far ahead of the service's then, ms; 0 where it was not, or they agreed. */
  readonly behind: number
  /** A round before read deposits at this server time, Unix ms; 0 where none did. */
  readonly before: number
  readonly known: ReadonlyArray<Coverage.Coverage>
  /** The times of records whose status may still change, each as coverage that begins there. */
  readonly unsettled: ReadonlyArray<Coverage.Coverage>
  readonly since: number | undefined
  /** So much time before the end of coverage is read again, ms. */
  readonly overlap: number
}

export interface Task {
  readonly query: Coverage.TransferQuery | undefined
  readonly plan: SyncPlan.Plan
  /** Picks from `coverage` the parts that speak of this operation and query. */
  readonly about: (coverage: ReadonlyArray<Coverage.Coverage>) => ReadonlyArray<Coverage.Coverage>
  /** Reads what the plan asks for, and ends with the intervals that were kept as lost. */
  readonly run: Effect.Effect<ReadonlyArray<Coverage.Interval>, BrokerError.RequestError | SyncError>
  /** Whether it was asked for before this round. */
  readonly isAsked: boolean
  /** It was complete up to this time before this round, Unix ms; 0 where nothing of it was. */
  readonly completeTo: number
  /** Keeps the rest of what the plan asks for as a gap, because the service refused to show it; `detail` says so. */
  readonly refused: (detail: string) => Effect.Effect<void, SyncError>
}

/** The clock may move on so much between asking the time and asking for the oldest records. */
export const MINUTE = 60_000

/** Gives the first moment of which deposits may be asked for, Unix ms. */
const depositReach = ({ broker, now }: Round): number => now - broker.conventions.depositReach + MINUTE

/**
 * Gives the first moment at which the archive may begin by itself, Unix ms. A service whose clock is behind shows what was before
 * the beginning of an archive, which is no reason to begin there.
 */
const oldest = (round: Round): number => depositReach(round) + (round.known.length === 0 ? 0 : round.behind)

const NOTHING: Archive.Change = { added: 0, changed: 0, vanished: 0, returned: 0 }

interface Options<Record> {
  readonly scope: Coverage.Coverage
  readonly history: Archive.History<Record>
  readonly bounds: Pick<SyncPlan.Bounds, "begin" | "oldest" | "reach" | "certain" | "last">
  readonly scan: (
    interval: Coverage.Interval,
    watch: {
      readonly onPage: (page: Seen.Seen<Record>) => Effect.Effect<void, SyncError>
      readonly onPlan: () => Effect.Effect<void>
    }
  ) => Stream.Stream<Slice.Slice<Record>, BrokerError.RequestError | SyncError>
}

const completeTo = (coverage: ReadonlyArray<Coverage.Coverage>): number =>
  coverage.reduce((latest, { state, to }) => state === "complete" ? Math.max(latest, to) : latest, 0)

const make = <Record>(round: Round, { bounds, history, scan, scope }: Options<Record>): Task => {
  const { behind, broker, claim, gaps, known, now, overlap, tally, unsettled } = round
  const { query } = scope
  const mine = Scope.about(scope)
  const plan = SyncPlan.make(
    { known: mine(known), unsettled: mine(unsettled).map(({ from }) => from) },
    { ...bounds, now, overlap }
  )

  const keepGap = (readAt: number) => ({ from, to }: Coverage.Interval) =>
    history.saveSlice({
      from,
      to,
      records: [],
      bad: [],
      coverage: [{
        ...scope,
        from,
        to,
        readAt,
        state: "incomplete",
        gap: { code: "retention", detail: "the service had forgotten it before it was read" }
      }]
    }, query)

  /**
   * Keeps the lost intervals once the service has answered, because it refuses requests of a wrong time. Where nothing else
   * tells the time, a clock that was set forward would otherwise let records seem forgotten that the service still shows.
   */
  const keepLost = Effect.gen(function*() {
    const readAt = Math.min(now, yield* broker.serverTime)
    const lost = plan.lost.map(({ from, to }) => ({ from, to: Math.min(to, bounds.reach - (now - readAt)) }))
      .filter(({ from, to }) => from < to)
    yield* Effect.forEach(lost, keepGap(readAt), { discard: true })
    return lost
  })

  const watch = {
    onPage: (page: Seen.Seen<Record>) =>
      Effect.flatMap(
        Effect.andThen(claim, history.savePage(page, query)),
        (change) => tally.page(scope, page, change)
      ),
    onPlan: () => tally.begun(scope)
  }
  const keepUnread = (slice: Slice.Slice<Record>) => Effect.andThen(gaps.add(slice), tally.slice(scope, slice, NOTHING))
  const delivered: Array<Coverage.Interval> = []
  /** Keeps of what a slice proves the part that holds by both clocks. The tally is told what the service left unproven. */
  const keep = Effect.fnUntraced(function*(slice: Slice.Slice<Record>) {
    delivered.push(slice)
    if (SyncGaps.isGap(slice)) return yield* keepUnread(slice)
    const coverage = Clocks.proven(slice.coverage, yield* Clock.currentTimeMillis, behind, broker.conventions)
    yield* claim
    return yield* tally.slice(scope, slice, yield* history.saveSlice({ ...slice, coverage }, query))
  })
  const read = (interval: Coverage.Interval) => Stream.runForEach(scan(interval, watch), keep)
  const refused = (detail: string) =>
    Effect.forEach(
      Timeline.subtract(plan.asked, delivered),
      ({ from, to }) => {
        const gap = { code: "failed-page", detail } as const
        return keepUnread({
          from,
          to,
          records: [],
          bad: [],
          coverage: [{ ...scope, from, to, readAt: now, state: "incomplete", gap }]
        })
      },
      { discard: true }
    )

  return {
    query,
    plan,
    about: mine,
    isAsked: mine(known).length > 0,
    completeTo: completeTo(mine(known)),
    refused,
    run: Effect.andThen(Effect.forEach(plan.asked, read, { discard: true }), keepLost).pipe(Effect.ensuring(tally.done))
  }
}

/** So often deposits are read a last time, or every round where rounds are rarer, ms. */
const LAST = 3 * 3_600_000

/**
 * What changed or went since it was settled is seen in the last reading. It reaches as far as the service will have forgotten by
 * the next one, where rounds go on at the same distance, and further, in case that it comes late or fails.
 */
const lastReading = ({ before, broker, now }: Round): Pick<SyncPlan.Bounds, "last"> => {
  const oldest = now - broker.conventions.depositHistory
  const distance = before === 0 ? 0 : now - before
  return Math.floor(before / LAST) === Math.floor(now / LAST)
    ? {}
    : { last: { from: oldest + MINUTE, to: oldest + Math.max(2 * LAST, distance + LAST) } }
}

export const deposits = (round: Round): Task =>
  make(round, {
    scope: Scope.of("deposits", undefined),
    history: round.archive.deposits,
    bounds: {
      begin: round.since,
      oldest: oldest(round),
      reach: depositReach(round),
      certain: round.now - round.broker.conventions.depositHistory,
      ...lastReading(round)
    },
    scan: (interval, watch) => round.broker.scanSubAccountDeposits({ ...interval, ...watch })
  })

/** Makes the tasks of transfer queries. An account that is new is read as far back as everything else. */
export const transfers = (round: Round) => {
  const reach = round.now - round.broker.conventions.transferHistory + MINUTE
  const begin = round.known.reduce((least, { from }) => Math.min(least, from), oldest(round))
  return (query: Coverage.TransferQuery): Task =>
    make(round, {
      scope: Scope.of("transfers", query),
      history: round.archive.transfers,
      bounds: { begin: round.since ?? begin, oldest: begin, reach, certain: reach },
      scan: (interval, watch) => round.broker.scanUniversalTransfers({ ...query, ...interval, ...watch })
    })
}
