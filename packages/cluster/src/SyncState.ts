/** Which runner reads the exchange into the archive, how far it came, and what keeps it. */
import * as Schema from "effect/Schema"

export const SyncState = Schema.Struct({
  /** The runner that syncs, or did so last: `HOST:PORT`. */
  runner: Schema.String,
  /** It was seen in the last ten seconds, and may sync. Where it is not there, another one takes over within seconds, if there is one. */
  isThere: Schema.Boolean,
  /** When it took over, by the clock of its machine, Unix ms. */
  since: Schema.Int,
  /** Its number: the runner that takes over has a greater one. */
  turn: Schema.Int,
  /** When a round last came to its end, on whichever runner, Unix ms. */
  readAt: Schema.optionalKey(Schema.Int),
  /** Every query was complete up to this time then, Unix ms. Absent where one of them has no complete coverage. */
  completeTo: Schema.optionalKey(Schema.Int),
  /** So many rounds of this runner came to nothing since the last one that ended. */
  failures: Schema.Int,
  /** Why the last one did. */
  failure: Schema.optionalKey(Schema.String),
  /** When it did, Unix ms. */
  failedAt: Schema.optionalKey(Schema.Int)
})
export type SyncState = typeof SyncState.Type
