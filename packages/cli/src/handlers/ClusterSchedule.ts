/** The work of `tallystick cluster schedule`. */
import type * as DaySchedule from "@tallystick/cluster/DaySchedule"
import * as Schedules from "@tallystick/cluster/Schedules"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as AskedQuestion from "../cluster/AskedQuestion.ts"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as ScheduleText from "../cluster/ScheduleText.ts"
import * as Failure from "../Failure.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Moment from "../text/Moment.ts"

interface Flags extends AskedQuestion.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly name: string
  readonly from: Option.Option<string>
}

/** The one day that is meant. */
const dayOf = Effect.fnUntraced(function*(text: string, zone: Moment.Zone) {
  const days = Moment.days(text, zone, yield* Clock.currentTimeMillis)
  if (Result.isFailure(days)) return yield* Failure.usage(`--from: ${days.failure}`)
  const [day, other] = days.success
  return day === undefined || other !== undefined
    ? yield* Failure.usage(`--from: ${JSON.stringify(text)} names several days; the first one was wanted`)
    : day
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const { list, set } = yield* Schedules.Schedules
  const zone = yield* AskedRange.zone(flags.zone)
  const asked = yield* AskedQuestion.read(flags)
  const schedule: DaySchedule.DaySchedule = {
    ...asked,
    name: flags.name,
    zone: Option.getOrElse(flags.zone, () => "UTC"),
    ...(Option.isNone(flags.from) ? {} : { from: yield* dayOf(flags.from.value, zone) })
  }
  yield* Effect.catchTag(set(schedule), "InvalidRange", (error) => Effect.fail(Failure.fromRange(error)))
  const standing = (yield* list).find(({ name }) => name === flags.name)
  return yield* standing === undefined ? Effect.void : Stderr.say(ScheduleText.line(standing))
}, ClusterPlace.withJobs)
