/**
 * What the engine keeps of a job are rows of messages and replies, which it never removes. One runner of each version at a time removes those
 * of jobs that ended, jobs that ended long ago, and the tables of versions that are gone.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Engine from "../effect/Engine.ts"
import * as JobTable from "../jobs/JobTable.ts"
import * as ScheduleTable from "../jobs/ScheduleTable.ts"
import { Version } from "../Version.ts"
import * as Watching from "./Watching.ts"

/** A job has ended for so long before its messages go: what its parts told each other last has arrived by then. */
const GRACE = Duration.toMillis("1 minute")

const LOOK = "1 minute"

/** One round. `keep`: jobs that ended so long ago go, ms. */
export const round = Effect.fnUntraced(function*(keep: number) {
  const jobs = yield* JobTable.JobTable
  const version = yield* Version
  const now = Math.floor(yield* Clock.currentTimeMillis)
  yield* jobs.enrol(version)
  for (const work of yield* jobs.uncleared(version, now - GRACE)) {
    if (yield* Engine.clear(work)) yield* jobs.cleared(work)
  }
  yield* ScheduleTable.ScheduleTable.use(({ forget }) => forget(version, now - keep))
  yield* jobs.retire(version, now - keep)
})

export const layer = (keep: Duration.Input) =>
  Engine.layerSingleton(
    "pruning",
    round(Duration.toMillis(keep)).pipe(
      Watching.round("what jobs left behind cannot be removed now"),
      Effect.repeat(Schedule.spaced(LOOK)),
      Effect.asVoid
    )
  )
