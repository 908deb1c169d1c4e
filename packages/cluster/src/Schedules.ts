/** Schedules: business days that a cluster reconciles by itself, one after another, each once. */
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Cluster from "./Cluster.ts"
import type * as ClusterError from "./ClusterError.ts"
import type * as DaySchedule from "./DaySchedule.ts"
import * as BusinessDays from "./internal/jobs/BusinessDays.ts"
import * as ScheduleTable from "./internal/jobs/ScheduleTable.ts"
import * as Upcoming from "./internal/jobs/Upcoming.ts"

/**
 * A day is reconciled once what was read of both sides passes its end by as much as the policy looks around it, whichever runner is there;
 * days that were missed are done in order. A day whose job fails is tried three times in all, with 15 minutes between; then the next one
 * comes, and the list tells of it until a job over its time is done.
 */
export interface Service {
  /**
   * Keeps a schedule, in the place of one with its name: that one goes on behind the days that were begun. Fails for an unknown zone, and
   * for a first day that is none.
   */
  readonly set: (
    schedule: DaySchedule.DaySchedule
  ) => Effect.Effect<void, ClusterError.ClusterError | InvalidRange>
  /** Tells where the schedules stand, in order of their names. */
  readonly list: Effect.Effect<ReadonlyArray<DaySchedule.Standing>, ClusterError.ClusterError>
  /** Removes a schedule; a job that it submitted goes on. Gives false where none has this name. */
  readonly remove: (name: string) => Effect.Effect<boolean, ClusterError.ClusterError>
}

const UTC = DateTime.zoneMakeNamedUnsafe("UTC")

const make = Effect.gen(function*() {
  const table = yield* ScheduleTable.ScheduleTable

  const standing = Effect.fnUntraced(function*(schedule: ScheduleTable.Schedule) {
    const { asked, by, from, name, zone } = schedule
    const last = yield* table.last(name)
    return {
      name,
      zone,
      from,
      isUnderstood: Option.isSome(asked),
      by,
      next: Upcoming.of(schedule, last)?.day ?? Upcoming.after(schedule, last?.day),
      ...(last === undefined ? {} : { last }),
      open: yield* table.open(name)
    } satisfies DaySchedule.Standing
  })

  return Schedules.of({
    set: Effect.fnUntraced(function*(schedule) {
      const zone = Option.getOrElse(DateTime.zoneFromString(schedule.zone), () => UTC)
      const today = BusinessDays.of(yield* Clock.currentTimeMillis, zone)
      yield* Effect.fromResult(TimeRange.businessDay(schedule.from ?? today, schedule.zone))
      yield* table.set(schedule, today)
    }),
    list: Effect.flatMap(table.list, Effect.forEach(standing)),
    remove: table.remove
  })
})

/** The schedules of a cluster. */
export class Schedules extends Context.Service<Schedules, Service>()("@tallystick/cluster/Schedules") {
  /** It needs no runner: a day waits until there is one. */
  static readonly layer: Layer.Layer<Schedules, never, Cluster.Jobs> = Layer.effect(Schedules, make)
}
