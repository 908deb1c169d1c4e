/** A job of a cluster, and what became of it. */
import * as Schema from "effect/Schema"

/**
 * `waiting`: no runner has begun it. `running`: a runner works on it. `done`: the books were brought forward by it. `failed`: it ended
 * without that. `cancelled`: somebody ended it before that. `unknown`: a later version of the program says something of it that this one
 * does not know.
 */
export const State = Schema.Literals(["waiting", "running", "done", "failed", "cancelled", "unknown"])
export type State = typeof State.Type

export const Job = Schema.Struct({
  /** SHA-256 of what is asked and of what the archive held then, 64 hexadecimal digits. */
  id: Schema.String,
  /** The version of the code that submitted it. Runners of this version do it. */
  version: Schema.String,
  state: State,
  /** The range that is judged, Unix ms. */
  range: Schema.Struct({ from: Schema.Int, to: Schema.Int }),
  /** Who asked for it first, or submitted it again after it had failed or was cancelled. */
  by: Schema.String,
  /** When that person or program submitted it, by the clock of that machine, Unix ms. */
  submittedAt: Schema.Int,
  /** A job that failed or was cancelled can be submitted again: 1 for the first time. */
  attempt: Schema.Int,
  /** Whether somebody asked to end it. It ends when its runner learns of that, unless it is done before. */
  isCancelling: Schema.Boolean,
  /** Whether it was given to a runner. It stays with that one, which may have another job to do first. */
  isGiven: Schema.Boolean,
  /** The runner that works on it, or did so last: `HOST:PORT`. */
  runner: Schema.optionalKey(Schema.String),
  /** When work on it last began, Unix ms. */
  begunAt: Schema.optionalKey(Schema.Int),
  /** So often work on this attempt began, also after a runner was lost: of more than once, all but the last one was in vain. */
  begun: Schema.Int,
  /** When it ended, Unix ms. */
  endedAt: Schema.optionalKey(Schema.Int),
  /** The id of the run that was recorded, where it is done. */
  run: Schema.optionalKey(Schema.String),
  /** The number of the execution by which the books were brought forward, where it is done. */
  execution: Schema.optionalKey(Schema.Int),
  /** Why it failed. */
  failure: Schema.optionalKey(Schema.String)
})
export type Job = typeof Job.Type

/** Whether nothing more becomes of a job, unless somebody submits it again. */
export const isEnded = ({ state }: Pick<Job, "state">): boolean =>
  state === "done" || state === "failed" || state === "cancelled"
