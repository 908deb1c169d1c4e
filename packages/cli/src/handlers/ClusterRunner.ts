/** The work of `tallystick cluster runner`. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Cluster from "@tallystick/cluster/Cluster"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Syncing from "@tallystick/cluster/Syncing"
import * as Watchdog from "@tallystick/cluster/Watchdog"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as NoticeReceivers from "../archive/NoticeReceivers.ts"
import * as RoundFailure from "../archive/RoundFailure.ts"
import * as WatchMetrics from "../archive/WatchMetrics.ts"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as Setting from "../config/Setting.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Inputs from "../flags/Inputs.ts"
import type * as NotifyFlags from "../flags/NotifyFlags.ts"
import type * as SyncFlags from "../flags/SyncFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as ListenPlace from "../network/ListenPlace.ts"
import * as Asked from "../sync/Asked.ts"
import * as Watch from "../sync/Watch.ts"
import * as Stamp from "../terminal/Stamp.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends NotifyFlags.Flags, SyncFlags.Flags {
  readonly address: string
  readonly listen: Option.Option<string>
  readonly threads: number
  readonly keepDays: number
  readonly sync: boolean
}

/** Where a runner is. Others cannot guess a port, so that it is not 0. */
const placeOf = Effect.fnUntraced(function*(flag: string, text: string) {
  const place = yield* Effect.fromResult(
    Result.mapError(ListenPlace.parse(text), (problem) => Failure.usage(`--${flag} ${problem}`))
  )
  return place.port === 0
    ? yield* Failure.usage(`--${flag}: the other runners must know the port, so that it cannot be 0`)
    : place
})

const textOf = ({ host, port }: ListenPlace.ListenPlace): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

/** Refuses flags of a sync where there is none. Settings in their place are left alone. */
const onlySyncing = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts, addresses, all, budget, every, metrics, policy, quietEvery, since } = flags
  const own = { since, every, "quiet-every": quietEvery, budget, metrics }
  const shared = { accounts, addresses, policy } as const
  const given = [
    ...Object.entries(own).flatMap(([name, value]) => Option.isSome(value) ? [name] : []),
    ...(all ? ["all"] : [])
  ]
  for (const name of ["accounts", "addresses", "policy"] as const) {
    if (yield* Inputs.isGiven(shared[name], Setting.inputs[name])) given.push(name)
  }
  const [first] = given
  return first === undefined ? undefined : yield* Failure.usage(`--${first} is about the sync: give --sync with it`)
})

const SECOND = 1000

/** So often an archive that cannot be used is tried each second: a lost runner keeps it for ten seconds, and a server takes as long to start. */
const QUICK = 15

/** A round that came to nothing is tried again after this time, ms. */
const pause = (every: number) => (error: RoundFailure.RoundFailure, failures: number): number => {
  const later = error._tag === "ArchiveError" ? Math.max(0, failures - QUICK) : failures
  return Math.min(every, SECOND * 2 ** later)
}

/** Serves metrics as long as the scope is open: on each runner its own counts, and the facts of the archive on the one that syncs. */
const measured = Effect.fnUntraced(function*(place: ListenPlace.ListenPlace | undefined) {
  if (place === undefined) return { refresh: Effect.void, forget: Effect.void }
  const { content, ...rest } = yield* WatchMetrics.make
  const { serve } = yield* Effect.promise(() => import("../network/MetricsServer.ts"))
  yield* serve(place, content)
  return rest
})

/** What the runner does that syncs. */
const syncing = Effect.fnUntraced(function*(
  name: string,
  flags: Flags,
  { asked, every, lists, metrics }: Effect.Success<ReturnType<typeof Asked.make>>,
  receivers: ReadonlyArray<Receiver.Receiver>
) {
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const { forget, refresh } = yield* measured(metrics)
  return Syncing.Syncing.layerRunner({
    name,
    sync: (told) =>
      Effect.gen(function*() {
        yield* Stderr.say("this runner syncs from now on")
        return yield* Watch.run({
          asked: yield* asked,
          lists,
          flags,
          times,
          receivers,
          refresh,
          every,
          pause: pause(every),
          ends: () => false,
          onRound: (ended) =>
            "_tag" in ended ? told.failed(RoundFailure.toFailure(ended).message) : told.read(ended.completeTo)
        })
      }).pipe(
        ArchivePlace.withArchive(ClusterPlace.NO_FILE),
        Effect.onInterrupt(() => Stderr.say("this runner syncs no more")),
        Effect.ensuring(forget)
      )
  })
})

const running = Effect.fnUntraced(function*<E, R, RL>(
  flags: Flags,
  receivers: ReadonlyArray<Receiver.Receiver>,
  also: (name: string) => Effect.Effect<Layer.Layer<never, never, Cluster.Engine | Cluster.Syncs | RL>, E, R>
) {
  const address = yield* placeOf("address", flags.address)
  const listen = Option.isSome(flags.listen) ? yield* placeOf("listen", flags.listen.value) : address
  const archive = yield* ClusterPlace.location
  const withArchive = ArchivePlace.withKeptArchive(ClusterPlace.NO_FILE)
  // What is wrong with the archive is told now, and not by the first job. A sync makes one where there is none.
  yield* (flags.sync ? ArchivePlace.withArchive(ClusterPlace.NO_FILE) : withArchive)(Effect.void)
  const sending = NoticeReceivers.unlessInterrupted("notices wait for the next job")(
    withArchive(NoticeReceivers.deliver(receivers))
  )
  const context = yield* Effect.context<Effect.Services<typeof sending>>()
  const booked = Effect.provideContext(sending, context)
  const name = textOf(address)
  const jobs = Reconciling.Reconciling.layerRunner({
    archive,
    name,
    receivers,
    threads: flags.threads,
    keep: Duration.days(flags.keepDays),
    ...(receivers.length === 0 ? {} : { booked })
  })
  yield* Layer.build(
    Layer.merge(jobs, yield* also(name)).pipe(
      Layer.provide(Cluster.runner({ ...archive, address, listen, sync: flags.sync })),
      Layer.provide(Watchdog.layer({ name: `tallystick: runner ${name}`, runner: { ...archive, address } }))
    )
  )
  const work = flags.sync ? "takes jobs and may sync" : "takes jobs"
  yield* Stderr.say(`runner ${name} ${work} of ${ArchiveConfig.place(archive)}; Ctrl-C stops it`)
  return yield* ExitCode.untilTold(Effect.never)
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const receivers = yield* NoticeReceivers.make(flags)
  if (!flags.sync) {
    yield* onlySyncing(flags)
    return yield* running(flags, receivers, () => Effect.succeed(Layer.empty))
  }
  yield* Stamp.inZone(ZonedTimes.make(yield* AskedRange.zone(flags.zone)))
  const asked = yield* Asked.make(flags)
  return yield* running(flags, receivers, (name) => syncing(name, flags, asked, receivers)).pipe(
    ConfiguredBroker.withShare(asked.share)
  )
}, (effect) => ClusterPlace.failing(Effect.scoped(effect)))
