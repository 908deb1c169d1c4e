/** Which day of a schedule comes next. */
import * as Duration from "effect/Duration"
import type * as DaySchedule from "../../DaySchedule.ts"
import * as BusinessDays from "./BusinessDays.ts"
import type * as ScheduleTable from "./ScheduleTable.ts"

/** A job of a day is submitted so often, if it fails; then the next day comes. */
const TRIES = 3

/** A day that failed waits for so long before it is tried again. */
const PAUSE = Duration.toMillis("15 minutes")

export interface Upcoming {
  readonly day: string
  /** So often a job of the day was submitted before. */
  readonly tries: number
  /** It is not begun before this time, Unix ms. */
  readonly notBefore: number
}

/** Gives the day that follows the last one, and not before the first one of the schedule. */
export const after = (schedule: Pick<ScheduleTable.Schedule, "from" | "zone">, last: string | undefined): string => {
  const next = last === undefined ? schedule.from : BusinessDays.next(last, schedule.zone)
  return next < schedule.from ? schedule.from : next
}

/** Gives the day that is to be begun: the same once more where it failed, and none while a day is under way. Days are done in order. */
export const of = (
  schedule: Pick<ScheduleTable.Schedule, "from" | "zone">,
  last: DaySchedule.Done | undefined
): Upcoming | undefined => {
  if (last?.state === "waiting" || last?.state === "running" || last?.state === "unknown") return undefined
  const isAgain = last?.state === "failed" && last.tries < TRIES && last.day >= schedule.from
  return isAgain
    ? { day: last.day, tries: last.tries, notBefore: (last.endedAt ?? 0) + PAUSE }
    : { day: after(schedule, last?.day), tries: 0, notBefore: 0 }
}
