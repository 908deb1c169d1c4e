/** The runners of a cluster in words. */
import { assert, describe, it } from "@effect/vitest"
import type * as Job from "@tallystick/cluster/Job"
import * as RunnerText from "../src/cluster/RunnerText.ts"

const job = (version: string, state: Job.State): Job.Job => ({
  id: "0".repeat(64),
  version,
  state,
  range: { from: 0, to: 1 },
  by: "clerk",
  submittedAt: 0,
  attempt: 1,
  isGiven: false,
  isCancelling: false,
  begun: 0
})

const runners = [
  { address: "10.0.0.5:7401", version: "0.1.0" },
  { address: "10.0.0.6:7401", version: "0.2.0" },
  { address: "10.0.0.7:7401", version: "0.2.0" }
]

describe("the runners of a cluster", () => {
  it("are told by version", () => {
    assert.deepStrictEqual(RunnerText.lines(runners), [
      "1 runner of version 0.1.0: 10.0.0.5:7401",
      "2 runners of version 0.2.0: 10.0.0.6:7401 and 10.0.0.7:7401"
    ])
  })

  it("lack a version of which jobs wait, while others have it", () => {
    const jobs = [job("0.0.9", "waiting"), job("0.1.0", "waiting"), job("0.0.9", "done")]
    assert.deepStrictEqual(RunnerText.lacking(jobs, runners), [
      "a job waits for a runner of version 0.0.9, and none is there: start one, or end it with tallystick cluster cancel and submit it again"
    ])
    assert.deepStrictEqual(RunnerText.lacking([...jobs, job("0.0.9", "running")], runners), [
      "2 jobs wait for a runner of version 0.0.9, and none is there: start one, or end them with tallystick cluster cancel and submit them again"
    ])
    assert.deepStrictEqual(RunnerText.lacking(jobs, []), [])
    assert.deepStrictEqual(RunnerText.lacking([job("0.1.0", "running")], runners), [])
  })
})
