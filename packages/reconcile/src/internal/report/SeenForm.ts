/** The form of what was seen of the entries of a part of a run. */
import * as Schema from "effect/Schema"

export const Side = Schema.Struct({
  /** So many entries came. */
  entries: Schema.Int,
  /** Whether one of them lies in the range. */
  isInside: Schema.Boolean,
  /** So many came again with the same id and content. */
  repeated: Schema.Int,
  /** The ids of those that the policy excludes, sorted. */
  excluded: Schema.Array(Schema.String),
  /** Those that a link of the policy names, by id. */
  linked: Schema.Array(Schema.Struct({ id: Schema.String, asset: Schema.String }))
})
export type Side = typeof Side.Type

/** What the warnings of a run are made of. */
export const Seen = Schema.Struct({
  deposit: Side,
  transfer: Side,
  /** The entries of accounts that are not on a list which somebody vouches for, and the names of these accounts, sorted. */
  strangers: Schema.Struct({ entries: Schema.Int, accounts: Schema.Array(Schema.String) })
})
export type Seen = typeof Seen.Type
