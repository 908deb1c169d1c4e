/** One runner of each version at a time looks which days of the schedules have come, and submits a job for each. */
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as KnownAccounts from "@tallystick/archive/KnownAccounts"
import * as Status from "@tallystick/archive/Status"
import type * as Coverage from "@tallystick/core/Coverage"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as DaySchedule from "../../DaySchedule.ts"
import type * as Question from "../../Question.ts"
import * as Engine from "../effect/Engine.ts"
import * as BusinessDays from "../jobs/BusinessDays.ts"
import * as JobTable from "../jobs/JobTable.ts"
import * as ScheduleTable from "../jobs/ScheduleTable.ts"
import * as Submitting from "../jobs/Submitting.ts"
import * as Upcoming from "../jobs/Upcoming.ts"
import { Version } from "../Version.ts"
import * as Watching from "./Watching.ts"

const LOOK = "1 minute"

/** The next day may have come already while one is under way. */
const SOON = "2 seconds"

/** The job of a day that waits for a version without a runner is given up after this time. */
const GONE = Duration.toMillis("10 minutes")

const questionOf = Effect.fnUntraced(function*(schedule: DaySchedule.DaySchedule, range: Coverage.Interval) {
  const { accounts, addresses, author, policy, prices } = schedule
  return {
    range,
    policy,
    accounts: accounts ?? (yield* KnownAccounts.read),
    author,
    declare: false,
    carry: true,
    ...(addresses === undefined ? {} : { addresses }),
    ...(prices === undefined ? {} : { prices })
  } satisfies Question.Question
})

/**
 * Whether the last window of a range was read: what is complete of both sides passes its end by as much as the policy looks, so that
 * nothing to come belongs to it. Gaps within it hold nothing up: the report tells of them, and they may never be filled.
 */
const isRead = Effect.fnUntraced(function*({ accounts, policy, range }: Question.Question) {
  const { coverage } = yield* Archive.Archive
  const known = yield* coverage({ from: range.to, to: Number.MAX_SAFE_INTEGER })
  const behind = { from: range.to, to: known.reduce((latest, { to }) => Math.max(latest, to), range.to + 1) }
  const completeTo = Status.completeTo([
    ...Status.scopes("deposits", known, behind),
    ...Status.scopes("transfers", known, behind, BrokerSource.queries(policy, accounts))
  ])
  return completeTo !== null && completeTo >= range.to + Policy.horizon(policy)
})

/** Begins the day of a schedule that has come, if there is one. Gives true while a day is under way. */
const advance = Effect.fnUntraced(function*(schedule: ScheduleTable.Schedule) {
  const { asked } = schedule
  if (Option.isNone(asked)) {
    yield* Effect.logWarning(
      `schedule ${schedule.name} was set by another version, and is not understood: set it again`
    )
    return false
  }
  const table = yield* ScheduleTable.ScheduleTable
  const jobs = yield* JobTable.JobTable
  const now = Math.floor(yield* Clock.currentTimeMillis)
  for (;;) {
    const last = yield* table.last(schedule.name)
    const upcoming = Upcoming.of(schedule, last)
    if (upcoming === undefined) {
      if (last?.job !== undefined) yield* jobs.giveUp(last.job, yield* Version, now - GONE)
      return true
    }
    const { day, notBefore, tries } = upcoming
    const range = BusinessDays.rangeOf(day, schedule.zone)
    if (range === undefined || notBefore > now) return false
    const question = yield* questionOf(asked.value, range)
    if (!(yield* isRead(question))) return false
    const of = { schedule: schedule.name, day, range, tries }
    if (yield* ArchiveReconciliation.wasRead(range)) {
      const { id, keep } = yield* Submitting.prepare(question)
      return yield* table.begin({ ...of, job: id }, keep)
    }
    if (!(yield* table.begin({ ...of, job: null }, Effect.void))) return false
  }
})

/** One round over all schedules. Gives true while a day is under way. */
export const round = Effect.fnUntraced(function*(archive: ArchiveConfig.Location) {
  const schedules = yield* ScheduleTable.ScheduleTable.use(({ list }) => list)
  if (schedules.length === 0) return false
  const begun = Effect.forEach(
    schedules,
    (schedule) => advance(schedule).pipe(Watching.round(`schedule ${schedule.name} waits`))
  )
  return (yield* Effect.provide(begun, Archive.Archive.layerReader(archive))).includes(true)
})

export const layer = (archive: ArchiveConfig.Location) =>
  Engine.layerSingleton(
    "schedules",
    round(archive).pipe(
      Watching.round("schedules wait until their archive can be read"),
      Effect.flatMap((isUnderWay) => Effect.sleep(isUnderWay === true ? SOON : LOOK)),
      Effect.forever
    )
  )
