/** A job in words. */
import * as Job from "@tallystick/cluster/Job"
import * as Grid from "@tallystick/report/text/Grid"
import * as Text from "@tallystick/report/text/Text"
import type * as ZonedTimes from "../text/ZonedTimes.ts"

/** So much of an id tells jobs apart. */
const SHORT = 12

export const nameOf = ({ id }: Pick<Job.Job, "id">): string => id.slice(0, SHORT)

const running = ({ begun, isCancelling }: Job.Job, on: string): string => {
  const again = begun > 1 ? `was begun again${on}, ${Text.count(begun)} times by now` : `was begun${on}`
  return isCancelling ? `${again}, and is about to be cancelled` : again
}

const said: Readonly<Record<Job.State, (job: Job.Job, on: string) => string>> = {
  waiting: ({ isGiven }) => isGiven ? "was given to a runner, and waits until that one is free" : "waits for a runner",
  running,
  done: ({ execution = "", run = "" }) => `is done: run ${run}, execution ${execution} of the books`,
  failed: ({ failure = "" }) => `failed: ${Text.plain(failure)}`,
  cancelled: () => "was cancelled",
  unknown: () => "is in a state that only a later version of tallystick knows"
}

/** What a job does or came to, behind its name. */
export const saidOf = (job: Job.Job): string =>
  said[job.state](job, job.runner === undefined ? "" : ` on ${Text.plain(job.runner)}`)

const columns: ReadonlyArray<Grid.Column> = [
  { title: "JOB", align: "left" },
  { title: "STATE", align: "left" },
  { title: "FROM", align: "left" },
  { title: "TO", align: "left" },
  { title: "BY", align: "left" },
  { title: "SUBMITTED", align: "left" },
  { title: "RUNNER", align: "left" },
  { title: "BEGUN", align: "right" },
  { title: "EXECUTION", align: "right" }
]

/** Writes jobs a line each. `width`: cells of a line. */
export const table = (jobs: ReadonlyArray<Job.Job>, width: number, { minute }: ZonedTimes.ZonedTimes): string => {
  const { header, rows } = Grid.fitted(
    columns,
    jobs.map((job) => [
      nameOf(job),
      job.isCancelling && !Job.isEnded(job) ? "cancelling" : job.state,
      minute(job.range.from),
      minute(job.range.to),
      Text.plain(job.by),
      minute(job.submittedAt),
      Text.plain(job.runner ?? ""),
      job.begun === 0 ? "" : Text.count(job.begun),
      job.execution === undefined ? "" : String(job.execution)
    ]),
    width
  )
  return `${[...(header === undefined ? [] : [header]), ...rows].join("\n")}\n`
}
