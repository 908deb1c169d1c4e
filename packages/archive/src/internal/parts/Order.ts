/** What a run is asked, and what a part of it is: all of it is data, so that a part can be decided in another thread or by another process. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"
import * as Decision from "../../Decision.ts"

const Interval = Schema.Struct({ from: Schema.Int, to: Schema.Int })

/** See `Partition.Stretch`. */
const Stretch = Schema.Struct({
  from: Schema.optionalKey(Schema.Int),
  to: Schema.optionalKey(Schema.Int),
  entries: Schema.Int
})

const Covered = Schema.Struct({ ...Coverage.Coverage.fields, vouched: Schema.Boolean })

export const Asked = Schema.Struct({
  /** What is read, see `ArchiveSource.Options`. */
  reading: Schema.Struct({
    ...Interval.fields,
    believed: Schema.optionalKey(Schema.Array(Covered)),
    unsettled: Schema.optionalKey(Schema.Array(Schema.Int)),
    batch: Schema.optionalKey(Schema.Int)
  }),
  /** The policy, with what people decided. */
  policy: Policy.Resolved,
  accounts: Accounts.Accounts,
  addresses: Schema.optionalKey(AddressBook.AddressBook),
  /** The range that is judged, Unix ms. */
  range: Interval,
  asOf: Schema.optionalKey(Schema.Int),
  /** What people accepted; other decisions are in the policy. */
  accepted: Schema.Array(Decision.Body)
})
export type Asked = typeof Asked.Type

export const Order = Schema.Struct({
  ...Asked.fields,
  /** What the archive held when the run was surveyed (`Archive.state`): all parts read this, or the run is made anew. */
  state: Schema.String,
  /** The assets of the part. */
  assets: Schema.Array(Schema.String),
  /** What the parts have in common, see `Partition.Whole`. */
  whole: Schema.Struct({
    coverage: Schema.Array(Coverage.Coverage),
    rules: Schema.String,
    families: Schema.Array(Schema.Struct({
      name: Schema.String,
      assets: Schema.Array(Schema.String),
      entries: Schema.Int,
      stretches: Schema.Array(Stretch)
    })),
    bad: Schema.Struct({ deposit: Schema.Int, transfer: Schema.Int })
  })
})
export type Order = typeof Order.Type
