/** Rounds of sync, again and again: `sync --watch`, and the runner of a cluster that syncs. */
import type * as Receiver from "@tallystick/archive/Receiver"
import type * as Sync from "@tallystick/archive/Sync"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Deadline from "../archive/Deadline.ts"
import * as RoundFailure from "../archive/RoundFailure.ts"
import * as SyncText from "../archive/SyncText.ts"
import * as ToldFaults from "../archive/ToldFaults.ts"
import type * as WatchMetrics from "../archive/WatchMetrics.ts"
import * as WatchNotices from "../archive/WatchNotices.ts"
import type * as ListsAgain from "../flags/ListsAgain.ts"
import type * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Progress from "../terminal/Progress.ts"
import * as Stderr from "../terminal/Stderr.ts"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as Asked from "./Asked.ts"
import * as Round from "./Round.ts"

export interface Options {
  readonly asked: Asked.Asked
  /** The files of accounts and addresses, which are read again before each round but the first. */
  readonly lists: ListsAgain.ListsAgain
  readonly flags: WarnHoursFlag.Flags
  readonly times: ZonedTimes.ZonedTimes
  readonly receivers: ReadonlyArray<Receiver.Receiver>
  /** Reads the facts of the archive for metrics, after each round. */
  readonly refresh: WatchMetrics.WatchMetrics["refresh"]
  /** The time between two rounds, ms. */
  readonly every: number
  /** The time after a round that came to nothing, ms, of the so manieth in a row from 1 on. Default: `every`. */
  readonly pause?: (error: RoundFailure.RoundFailure, failures: number) => number
  /** Whether a failure ends the watch. Default: what cannot mend itself does, and at the start what is likely a mistake. */
  readonly ends?: (error: RoundFailure.RoundFailure, isFirst: boolean) => boolean
  /** Is told how each round went, after everybody else. */
  readonly onRound?: (ended: Sync.Summary | RoundFailure.RoundFailure) => Effect.Effect<void>
}

/** Goes on until it is interrupted, or fails with what ends it. */
export const run = Effect.fnUntraced(function*(options: Options) {
  const { asked, ends = RoundFailure.endsWatching, every, flags, lists, onRound, pause, refresh, times } = options
  let isFirst = true
  let failures = 0
  const notices = yield* WatchNotices.make(options.receivers, flags)
  const unread = ToldFaults.make()
  /** Tells what has become of the files, and gives what they say now. */
  const reread = Effect.gen(function*() {
    const { changes, problem, told } = yield* lists
    for (const change of changes) yield* Stderr.tell(change)
    const isNews = unread(problem === undefined ? [] : [problem], yield* Clock.currentTimeMillis)
    if (problem !== undefined && isNews) yield* Stderr.complain(`${problem}; the accounts stay as they were`)
    return { ...asked, ...Asked.ofLists(told) }
  })
  const faults = ToldFaults.make()
  const isNews = (causes: ReadonlyArray<string>) => Effect.map(Clock.currentTimeMillis, (now) => faults(causes, now))

  const read = Effect.fnUntraced(function*({ causes, doubts, summary, unproven }: Round.Round) {
    failures = 0
    const isCalm = unproven.length === 0 && summary.bad === 0 && Deadline.urgency(summary, flags) === "calm"
    const isOnce = summary.damaged.length > 0 || summary.lost.length > 0
    const isTold = (yield* isNews([...causes, ...SyncText.doubtful(summary)])) || isOnce
    const say = isCalm && !(isTold && doubts.length > 0) ? Stderr.tell : Stderr.complain
    const below = [...unproven, ...doubts]
    const health = SyncText.health(summary, times, { isDoubtful: below.length > 0, isAsBefore: !isTold })
    yield* say(health, ...(isTold ? below : []))
    yield* notices(summary)
    if (onRound !== undefined) yield* onRound(summary)
    return every
  })

  const failed = (atStart: boolean) =>
    Effect.fnUntraced(function*(error: RoundFailure.RoundFailure) {
      failures++
      const failure = yield* Round.toAdvised(times)(error)
      if (ends(error, atStart)) return yield* failure
      const isTold = yield* isNews([RoundFailure.cause(error)])
      const again = pause?.(error, failures) ?? every
      yield* Stderr.complain(
        SyncText.failed(failure.message, again, !isTold),
        ...(isTold ? failure.more : [])
      )
      yield* notices(error)
      if (onRound !== undefined) yield* onRound(error)
      return again
    })

  const tick = Effect.suspend(() => {
    const atStart = isFirst
    isFirst = false
    const round = atStart
      ? Round.run(asked, times, atStart)
      : Effect.flatMap(reread, (asked) => Progress.drawn(Round.run(asked, times, atStart)))
    return Effect.andThen(Round.disbelief, round).pipe(
      Effect.flatMap(read),
      Effect.catch(failed(atStart)),
      Effect.tap(refresh)
    )
  })
  return yield* Effect.forever(Effect.flatMap(tick, (again) => Effect.sleep(Duration.millis(again))))
}, Effect.scoped)
