/** The work of `tallystick sync`. */
import type { Receiver } from "@tallystick/archive/Receiver"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Deadline from "../archive/Deadline.ts"
import * as FailedPages from "../archive/FailedPages.ts"
import * as NoticeReceivers from "../archive/NoticeReceivers.ts"
import * as RoundFailure from "../archive/RoundFailure.ts"
import * as SyncText from "../archive/SyncText.ts"
import * as WatchMetrics from "../archive/WatchMetrics.ts"
import * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as NotifyFlags from "../flags/NotifyFlags.ts"
import type * as SyncFlags from "../flags/SyncFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import type * as ListenPlace from "../network/ListenPlace.ts"
import * as Asked from "../sync/Asked.ts"
import * as Round from "../sync/Round.ts"
import * as Watch from "../sync/Watch.ts"
import * as Stamp from "../terminal/Stamp.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, NotifyFlags.Flags, SyncFlags.Flags {
  readonly watch: boolean
}

/** Refuses flags that are about more than one round where there is one. */
const onlyWatching = Effect.fnUntraced(function*({ every, metrics, watch }: Flags) {
  const said = Option.isSome(every)
    ? "--every says how often --watch reads"
    : Option.isSome(metrics)
    ? "--metrics says where --watch serves its metrics"
    : undefined
  return said === undefined || watch ? undefined : yield* Failure.usage(`${said}; give --watch with it`)
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

const once = Effect.fnUntraced(function*(asked: Asked.Asked, flags: Flags, times: ZonedTimes.ZonedTimes) {
  yield* Effect.mapError(Round.disbelief, RoundFailure.toFailure)
  const { doubts, summary, unproven } = yield* Round.run(asked, times, true).pipe(
    FailedPages.told,
    Effect.catch((error) => Effect.flatMap(Round.toAdvised(times)(error), Effect.fail)),
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

const watch = Effect.fnUntraced(function*(
  options: Omit<Watch.Options, "refresh">,
  metrics: ListenPlace.ListenPlace | undefined
) {
  const refresh = metrics === undefined ? Effect.void : yield* served(metrics)
  return yield* Watch.run({ ...options, refresh }).pipe(
    Effect.onInterrupt(() => Stderr.say("stopped")),
    ExitCode.untilTold
  )
}, Effect.scoped)

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  if (flags.watch || (yield* Stamp.isOn)) yield* Stamp.inZone(times)
  yield* onlyWatching(flags)
  if (!flags.watch) yield* NoticeReceivers.none(flags, "--watch")
  const receivers: ReadonlyArray<Receiver> = flags.watch ? yield* NoticeReceivers.make(flags) : []
  const { asked, every, lists, metrics, share } = yield* Asked.make(flags)
  return yield* Effect.flatMap(asked, (asked) =>
    (flags.watch
      ? Effect.asVoid(watch({ asked, lists, flags, every, times, receivers }, metrics))
      : once(asked, flags, times)).pipe(
        ArchivePlace.withArchive(flags)
      )).pipe(ConfiguredBroker.withShare(share))
})
