/** The work of `tallystick cluster status`. */
import * as DaySchedule from "@tallystick/cluster/DaySchedule"
import * as Job from "@tallystick/cluster/Job"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Schedules from "@tallystick/cluster/Schedules"
import * as Syncing from "@tallystick/cluster/Syncing"
import * as SyncState from "@tallystick/cluster/SyncState"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as JobText from "../cluster/JobText.ts"
import * as RunnerText from "../cluster/RunnerText.ts"
import * as ScheduleText from "../cluster/ScheduleText.ts"
import * as SyncStateText from "../cluster/SyncStateText.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends Pick<RangeFlags.Flags, "zone"> {
  readonly job: Option.Option<string>
  readonly limit: number
  readonly format: Format
  readonly out: Option.Option<string>
}

const encode = Schema.encodeSync(Schema.Array(Job.Job))
const encodeSync = Schema.encodeSync(SyncState.SyncState)
const encodeSchedules = Schema.encodeSync(Schema.Array(DaySchedule.Standing))

export const run = Effect.fnUntraced(function*(flags: Flags) {
  yield* Output.ready(flags.out)
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const { get, list, runners } = yield* Reconciling.Reconciling
  const jobs = Option.isSome(flags.job) ? [yield* get(flags.job.value)] : yield* list(flags.limit)
  const found = yield* runners
  const schedules = yield* Schedules.Schedules.use(({ list }) => list)
  const syncing = yield* Syncing.Syncing
  const seen = { candidates: yield* syncing.candidates, state: Option.getOrUndefined(yield* syncing.state) }
  if (flags.format === "json") {
    const text = SafeJson.stringify({
      runners: found,
      sync: { candidates: seen.candidates, ...(seen.state === undefined ? {} : encodeSync(seen.state)) },
      schedules: encodeSchedules(schedules),
      jobs: encode(jobs)
    }, 2)
    return yield* Output.write(flags.out, Stream.make(`${text}\n`))
  }
  if (jobs.length > 0 || Option.isSome(flags.out)) {
    const width = yield* ReportOutput.tableWidth(flags.out)
    yield* Output.write(flags.out, Stream.make(JobText.table(jobs, width, times)))
  }
  const [only] = jobs
  if (Option.isSome(flags.job) && only !== undefined) yield* Stderr.say(`job ${only.id} ${JobText.saidOf(only)}`)
  if (jobs.length === 0) yield* Stderr.say("no job was submitted; tallystick cluster reconcile submits one")
  if (schedules.length > 0) yield* Stderr.say(...schedules.map(ScheduleText.line))
  const open = schedules.flatMap(ScheduleText.open)
  if (open.length > 0) yield* Stderr.complain(...open)
  const sync = SyncStateText.line(seen, times)
  if (sync !== undefined) yield* SyncStateText.isAmiss(seen) ? Stderr.complain(sync) : Stderr.say(sync)
  const lacking = RunnerText.lacking(jobs, found)
  if (lacking.length > 0) yield* Stderr.complain(...lacking)
  return yield* found.length === 0 ? Stderr.complain(RunnerText.NONE) : Stderr.say(...RunnerText.lines(found))
}, ClusterPlace.withJobs)
