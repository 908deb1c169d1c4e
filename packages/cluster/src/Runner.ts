/** A runner of a cluster, as others see it. */
import * as Schema from "effect/Schema"

export const Runner = Schema.Struct({
  /** The other runners reach it here: `HOST:PORT`. */
  address: Schema.String,
  /** The version of its code. It does the jobs of this version, and no others. */
  version: Schema.String
})
export type Runner = typeof Runner.Type
