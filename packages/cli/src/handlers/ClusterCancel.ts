/** The work of `tallystick cluster cancel`. */
import * as Job from "@tallystick/cluster/Job"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Effect from "effect/Effect"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as JobText from "../cluster/JobText.ts"
import * as Failure from "../Failure.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags {
  readonly job: string
}

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const job = yield* Reconciling.Reconciling.use(({ cancel }) => cancel(flags.job))
  const said = `job ${JobText.nameOf(job)} ${JobText.saidOf(job)}`
  if (job.state === "done" || job.state === "failed") return yield* Failure.usage(`${said}; there is nothing to cancel`)
  return yield* Stderr.say(
    Job.isEnded(job) ? said : `job ${JobText.nameOf(job)} ends within seconds, unless it is done before`
  )
}, ClusterPlace.withJobs)
