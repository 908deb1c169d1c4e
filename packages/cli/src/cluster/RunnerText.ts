/** The runners of a cluster in words, and jobs that wait for one. */
import * as Job from "@tallystick/cluster/Job"
import type * as Runner from "@tallystick/cluster/Runner"
import * as Text from "@tallystick/report/text/Text"

export const NONE = "no runner is there; tallystick cluster runner starts one"

/** Names the runners, those of each version in a line. */
export const lines = (runners: ReadonlyArray<Runner.Runner>): ReadonlyArray<string> =>
  Array.from(
    Map.groupBy(runners, ({ version }) => version),
    ([version, of]) =>
      `${Text.counted(of.length, "runner")} of version ${Text.plain(version)}: ${
        Text.listed(of.map(({ address }) => Text.plain(address)))
      }`
  )

/** Says of which versions jobs wait that have no runner, while others have one. */
export const lacking = (
  jobs: ReadonlyArray<Job.Job>,
  runners: ReadonlyArray<Runner.Runner>
): ReadonlyArray<string> => {
  if (runners.length === 0) return []
  const there = new Set(runners.map(({ version }) => version))
  const waiting = Map.groupBy(
    jobs.filter((job) => !Job.isEnded(job) && !there.has(job.version)),
    ({ version }) => version
  )
  return Array.from(waiting, ([version, of]) => {
    const [jobs, them] = of.length === 1 ? ["a job waits", "it"] : [`${Text.counted(of.length, "job")} wait`, "them"]
    return `${jobs} for a runner of version ${
      Text.plain(version)
    }, and none is there: start one, or end ${them} with ` +
      `tallystick cluster cancel and submit ${them} again`
  })
}
