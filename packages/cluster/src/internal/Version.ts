/**
 * The version of the code that does a job. Two versions may come to other answers, and Effect may change what its runners tell each other: so
 * the runners of each version are a cluster of their own, over tables of their own. They share the jobs, and each does those of its version.
 */
import * as Context from "effect/Context"

/** A reference, so that a test can have two versions. */
export const Version = Context.Reference<string>("@tallystick/cluster/internal/Version", {
  defaultValue: () => "0.1.0"
})
