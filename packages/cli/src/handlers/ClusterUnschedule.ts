/** The work of `tallystick cluster unschedule`. */
import * as Schedules from "@tallystick/cluster/Schedules"
import * as Effect from "effect/Effect"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as Failure from "../Failure.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags {
  readonly name: string
}

export const run = Effect.fnUntraced(function*({ name }: Flags) {
  const wasThere = yield* Schedules.Schedules.use(({ remove }) => remove(name))
  return wasThere
    ? yield* Stderr.say(`schedule ${name} was removed; what it submitted goes on`)
    : yield* Failure.usage(`no schedule is named ${JSON.stringify(name)}; tallystick cluster status lists them`)
}, ClusterPlace.withJobs)
