/** The work of `tallystick sync`. */
import * as Archive from "@tallystick/archive/Archive"
import type { Receiver } from "@tallystick/archive/Receiver"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Stdio from "effect/Stdio"
import type * as Terminal from "effect/Terminal"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Deadline from "../archive/Deadline.ts"
import * as FailedPages from "../archive/FailedPages.ts"
import * as FullDisk from "../archive/FullDisk.ts"
import * as GapCause from "../archive/GapCause.ts"
import * as KnownAccounts from "../archive/KnownAccounts.ts"
import * as NoticeReceivers from "../archive/NoticeReceivers.ts"
import * as RoundFailure from "../archive/RoundFailure.ts"
import * as SyncText from "../archive/SyncText.ts"
import * as ToldFaults from "../archive/ToldFaults.ts"
import * as WatchMetrics from "../archive/WatchMetrics.ts"
import * as WatchNotices from "../archive/WatchNotices.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import * as SettingFile from "../files/SettingFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Inputs from "../flags/Inputs.ts"
import * as ListsAgain from "../flags/ListsAgain.ts"
import type * as MetricsFlag from "../flags/MetricsFlag.ts"
import type * as NotifyFlags from "../flags/NotifyFlags.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import type * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as ListenPlace from "../network/ListenPlace.ts"
import * as ServiceAccounts from "../network/ServiceAccounts.ts"
import * as Progress from "../terminal/Progress.ts"
import * as Stamp from "../terminal/Stamp.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Moment from "../text/Moment.ts"
import * as QueryName from "../text/QueryName.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags
  extends
    ArchiveFlag.Flags,
    MetricsFlag.Flags,
    NotifyFlags.Flags,
    WarnHoursFlag.Flags,
    Pick<RangeFlags.Flags, "since" | "zone">
{
  readonly watch: boolean
  readonly every: Option.Option<string>
  readonly quietEvery: Option.Option<string>
  readonly all: boolean
  readonly budget: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly policy: Option.Option<string>
}

const MINUTE = 60_000

const SECOND = 1000

/** The time between two rounds, ms. */
const interval = Effect.fnUntraced(function*({ every, watch }: Flags) {
  if (Option.isNone(every)) return 10 * MINUTE
  if (!watch) return yield* Failure.usage("--every says how often --watch reads; give --watch with it")
  const length = Moment.ago(every.value)
  if (Result.isFailure(length)) return yield* Failure.usage(`--every: ${length.failure}`)
  return length.success < SECOND
    ? yield* Failure.usage("--every: at least a second must lie between two rounds")
    : length.success
})

/** The share of the configured rate that a sync may use. */
const budget = Effect.fnUntraced(function*({ budget }: Flags) {
  if (Option.isNone(budget)) return 1
  const percent = /^(\d{1,3})%$/.exec(budget.value)?.[1]
  const share = Number(percent) / 100
  return share > 0 && share <= 1
    ? share
    : yield* Failure.usage(
      `--budget cannot be "${budget.value}"; wanted: a share of the rate from 1% to 100%, such as 50%`
    )
})

/** How often quiet lists are read at least, ms; 0: every time. */
const quietEvery = Effect.fnUntraced(function*({ all, quietEvery }: Flags) {
  if (Option.isNone(quietEvery)) return all ? { quietEvery: 0 } : {}
  if (all) return yield* Failure.usage("--all reads the quiet lists every time; leave out --quiet-every")
  const length = Moment.ago(quietEvery.value)
  return Result.isFailure(length)
    ? yield* Failure.usage(`--quiet-every: ${length.failure}`)
    : { quietEvery: length.success }
})

/** Where metrics are served, if anywhere. */
const metricsPlace = Effect.fnUntraced(function*({ metrics, watch }: Flags) {
  if (Option.isNone(metrics)) return undefined
  if (!watch) return yield* Failure.usage("--metrics says where --watch serves its metrics; give --watch with it")
  const place = ListenPlace.parse(metrics.value)
  return Result.isFailure(place) ? yield* Failure.usage(`--metrics ${place.failure}`) : place.success
})

/**
 * Serves metrics as long as the scope is open, and gives what reads the archive's facts for them. The server is loaded late: a sync
 * without one starts sooner.
 */
const served = Effect.fnUntraced(function*(place: ListenPlace.ListenPlace) {
  const { content, refresh } = yield* WatchMetrics.make
  yield* refresh
  const { serve } = yield* Effect.promise(() => import("../network/MetricsServer.ts"))
  yield* serve(place, content)
  return refresh
})

/** The first moment to keep, by the service's clock. */
const since = Effect.fnUntraced(function*({ since, zone }: Flags) {
  if (Option.isNone(since)) return {}
  const broker = yield* Broker.Broker
  const [day, from, to] = [Option.none<string>(), Option.none<string>(), Option.none<string>()]
  const now = yield* broker.serverTime
  const asked = yield* AskedRange.asked({ day, from, to, since, zone }, now)
  if (asked.from === undefined) return {}
  return asked.from < now
    ? { since: asked.from }
    : yield* Failure.usage(
      `--since: "${since.value}" is now or later by the service's clock, so there is nothing to keep`
    )
})

/** A failure with what else helps. */
const toAdvised = (times: ZonedTimes.ZonedTimes) =>
  Effect.fnUntraced(function*(error: RoundFailure.RoundFailure) {
    const failure = RoundFailure.toFailure(error)
    if (error._tag !== "ArchiveError") return failure
    const advice = yield* FullDisk.advice(error, times)
    return advice.length === 0 ? failure : Failure.unfinished(failure.message, ...failure.more, ...advice)
  })

/** A round's options; the accounts are those of a file, or the exchange is asked for them before each round. */
interface Asked extends Omit<Sync.Options, "accounts"> {
  readonly accounts: SettingFile.Told
  readonly addresses: AddressBook.AddressBook | undefined
}

/** What the files of accounts and addresses say of a round. */
const ofLists = ({ accounts, addresses }: Inputs.Told) => ({
  accounts,
  addresses,
  ...(addresses === undefined ? {} : { account: AddressBook.lookup(addresses) })
})

/** Whether the list may end the command: an exchange that does not offer it is told of at the start, before one was ever kept. */
const mayEnd = (isFirst: boolean) =>
  isFirst
    ? Archive.Archive.use(({ subAccounts }) => Effect.map(subAccounts, ({ accounts }) => accounts.length === 0))
    : Effect.succeed(false)

/**
 * The accounts of a round: those that the exchange lists, and all others that the archive knows, because what is not read is lost.
 * `doubt` says why the list could not be read, or is not proven.
 */
const accountsOf = Effect.fnUntraced(function*({ accounts, addresses }: Asked, isFirst: boolean) {
  if (!SettingFile.isOfService(accounts)) return { accounts, doubt: undefined, listed: undefined }
  const read = yield* Effect.result(ServiceAccounts.read(accounts, addresses))
  if (Result.isFailure(read) && read.failure.exitCode === Failure.exitCodes.usage && (yield* mayEnd(isFirst))) {
    return yield* read.failure
  }
  const known = yield* KnownAccounts.ever
  const { master } = accounts
  const seen = Result.isSuccess(read) ? read.success.accounts.list : []
  const doubt = Result.isSuccess(read) ? read.success.doubt : read.failure.message
  return {
    accounts: {
      ...(master === undefined ? {} : { master }),
      list: Array.from(new Set([...seen, ...known])),
      complete: false
    },
    doubt,
    listed: Result.isSuccess(read)
      ? { subAccounts: read.success.listed.subAccounts, at: read.success.listed.readAt, isProven: doubt === undefined }
      : undefined
  }
})

interface Round {
  readonly summary: Sync.Summary
  /** What is not proven complete, each in a line. */
  readonly unproven: ReadonlyArray<string>
  /** What is wrong although everything was read, each in a line. */
  readonly doubts: ReadonlyArray<string>
  /** Why it is not proven, or in doubt. */
  readonly causes: ReadonlyArray<string>
}

const round = Effect.fnUntraced(function*(asked: Asked, times: ZonedTimes.ZonedTimes, isFirst: boolean) {
  const { accounts, doubt, listed } = yield* accountsOf(asked, isFirst)
  const context = yield* Effect.context<Stdio.Stdio | Terminal.Terminal>()
  const onListed = ({ gone, ...present }: Sync.ListChange) =>
    Effect.andThen(
      gone.length === 0 ? Effect.void : Stderr.complain(...ServiceAccounts.changes({ gone })),
      present.added.length + present.back.length === 0 ? Effect.void : Stderr.tell(...ServiceAccounts.changes(present))
    ).pipe(Effect.provideContext(context))
  const track = yield* Progress.track({ what: "deposits", unit: "query" })
  const summary = yield* Sync.run({
    ...asked,
    accounts,
    inDoubt: doubt !== undefined,
    ...(listed === undefined ? {} : { listed }),
    onListed,
    onProgress: ({ operation, queries, queriesDone, query, ...counts }) =>
      track.set({ ...counts, what: QueryName.of(operation, query), done: queriesDone, of: queries })
  })
  const told: Round = {
    summary,
    unproven: [...(doubt === undefined ? [] : [ServiceAccounts.doubtful(doubt)]), ...SyncText.gaps(summary, times)],
    doubts: [...SyncText.clock(summary, times), ...SyncText.emptied(summary)],
    causes: [...(doubt === undefined ? [] : [`accounts: ${GapCause.of(doubt)}`]), ...SyncText.causes(summary)]
  }
  return told
}, Effect.scoped)

/** Before a round reads: it takes many more requests, of which nothing else would tell the reason. */
const disbelief = Archive.Archive.use(({ learnt }) => learnt).pipe(
  Effect.flatMap((learnt) => {
    const lines = SyncText.disbelief(learnt)
    return lines.length === 0 ? Effect.void : Stderr.complain(...lines)
  })
)

const once = Effect.fnUntraced(function*(asked: Asked, flags: Flags, times: ZonedTimes.ZonedTimes) {
  yield* Effect.mapError(disbelief, RoundFailure.toFailure)
  const { doubts, summary, unproven } = yield* round(asked, times, true).pipe(
    FailedPages.told,
    Effect.catch((error) => Effect.flatMap(toAdvised(times)(error), Effect.fail)),
    Effect.onInterrupt(() => Stderr.say("Interrupted. What was read is kept; the next sync goes on from there."))
  )
  yield* Stderr.tell(SyncText.done(summary, times))
  if (doubts.length > 0) yield* Stderr.complain(...doubts)
  const deadline = SyncText.deadline(summary.deadline, summary.now, times)
  if (unproven.length > 0) return yield* Failure.unfinished("not proven complete:", ...unproven, deadline)
  if (summary.bad === 0) {
    return doubts.length === 0 || Deadline.urgency(summary, flags) !== "calm"
      ? yield* Deadline.end(summary, flags, times)
      : yield* Failure.notClean(deadline)
  }
  const told = `${Text.counted(summary.bad, "record")} could not be read, kept as ${
    summary.bad === 1 ? "it" : "they"
  } came; ${deadline}`
  return yield* Deadline.urgency(summary, flags) === "lost" ? Failure.unfinished(told) : Failure.notClean(told)
})

/** Programs outside that a watch tells how it goes. */
interface Watched {
  readonly receivers: ReadonlyArray<Receiver>
  readonly metrics: ListenPlace.ListenPlace | undefined
}

const watch = Effect.fnUntraced(function*(
  asked: Asked,
  lists: ListsAgain.ListsAgain,
  flags: Flags,
  every: number,
  times: ZonedTimes.ZonedTimes,
  { metrics, receivers }: Watched
) {
  let isFirst = true
  const refresh = metrics === undefined ? Effect.void : yield* served(metrics)
  const notices = yield* WatchNotices.make(receivers, flags)
  const unread = ToldFaults.make()
  /** Tells what has become of the files, and gives what they say now. */
  const reread = Effect.gen(function*() {
    const { changes, problem, told } = yield* lists
    for (const change of changes) yield* Stderr.tell(change)
    const isNews = unread(problem === undefined ? [] : [problem], yield* Clock.currentTimeMillis)
    if (problem !== undefined && isNews) yield* Stderr.complain(`${problem}; the accounts stay as they were`)
    return { ...asked, ...ofLists(told) }
  })
  const faults = ToldFaults.make()
  const isNews = (causes: ReadonlyArray<string>) => Effect.map(Clock.currentTimeMillis, (now) => faults(causes, now))
  const tick = Effect.suspend(() => {
    const atStart = isFirst
    isFirst = false
    const read = atStart
      ? round(asked, times, atStart)
      : Effect.flatMap(reread, (asked) => Progress.drawn(round(asked, times, atStart)))
    return Effect.andThen(disbelief, read).pipe(
      Effect.flatMap(Effect.fnUntraced(function*({ causes, doubts, summary, unproven }) {
        const isCalm = unproven.length === 0 && summary.bad === 0 && Deadline.urgency(summary, flags) === "calm"
        const isOnce = summary.damaged.length > 0 || summary.lost.length > 0
        const isTold = (yield* isNews([...causes, ...SyncText.doubtful(summary)])) || isOnce
        const say = isCalm && !(isTold && doubts.length > 0) ? Stderr.tell : Stderr.complain
        const below = [...unproven, ...doubts]
        const health = SyncText.health(summary, times, { isDoubtful: below.length > 0, isAsBefore: !isTold })
        yield* say(health, ...(isTold ? below : []))
        yield* notices(summary)
      })),
      Effect.catch(Effect.fnUntraced(function*(error) {
        const failure = yield* toAdvised(times)(error)
        if (RoundFailure.endsWatching(error, atStart)) return yield* failure
        const isTold = yield* isNews([RoundFailure.cause(error)])
        yield* Stderr.complain(
          SyncText.failed(failure.message, every, !isTold),
          ...(isTold ? failure.more : [])
        )
        return yield* notices(error)
      }))
    )
  })
  return yield* Effect.repeat(Effect.andThen(tick, refresh), Schedule.spaced(Duration.millis(every))).pipe(
    Effect.onInterrupt(() => Stderr.say("stopped")),
    ExitCode.untilTold
  )
}, Effect.scoped)

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts, addresses, policy } = flags
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  if (flags.watch || (yield* Stamp.isOn)) yield* Stamp.inZone(times)
  yield* Inputs.oneStdin({ policy, accounts, addresses })
  const every = yield* interval(flags)
  const share = yield* budget(flags)
  if (!flags.watch) yield* NoticeReceivers.none(flags, "--watch")
  const receivers = flags.watch ? yield* NoticeReceivers.make(flags) : []
  const metrics = yield* metricsPlace(flags)
  const told = yield* Inputs.told(flags)
  if (told.accounts.list.length === 0) return yield* ConfiguredBroker.lacking(Inputs.NOBODY)
  const lists = yield* ListsAgain.make(flags, told)
  const options = {
    ...ofLists(told),
    policy: yield* SettingFile.policy(policy),
    ...(yield* quietEvery(flags))
  }
  return yield* Effect.flatMap(since(flags), (since) => {
    const asked: Asked = { ...options, ...since }
    return (flags.watch
      ? Effect.asVoid(watch(asked, lists, flags, every, times, { receivers, metrics }))
      : once(asked, flags, times)).pipe(
        ArchivePlace.withArchive(flags)
      )
  }).pipe(ConfiguredBroker.withShare(share))
})
