/**
 * The past of an entry: what its source said of it before. Only entries of an archive have one, where the source said
 * something else before; entries from the service or from files have none.
 */
import * as Schema from "effect/Schema"
import { EntryStatus } from "./EntryStatus.ts"

/** What the source said earlier about one entry. All times are server times, Unix ms. */
export class Past extends Schema.Opaque<Past>()(
  Schema.Struct({
    /** Earlier statuses, oldest first, as the policy maps them, each with when it was first seen. */
    statuses: Schema.Array(Schema.Struct({ status: EntryStatus, seenAt: Schema.Int })).annotateKey({
      description: "Earlier statuses, oldest first, as the policy maps them, each with when it was first seen."
    }),
    /** When the source was first seen to call it settled, after it had been seen to call it otherwise. */
    settledAt: Schema.optionalKey(Schema.Int).annotateKey({
      description: "When the source was first seen to call it settled, after it had been seen to call it otherwise."
    }),
    /** When the source was last seen to call it otherwise before that; the time of settling lies between the two. */
    unsettledAt: Schema.optionalKey(Schema.Int).annotateKey({
      description:
        "When the source was last seen to call it otherwise before that; the time of settling lies between the two."
    }),
    /** A complete reading of the entry's time no longer showed it. */
    vanishedAt: Schema.optionalKey(Schema.Int).annotateKey({
      description: "A complete reading of the entry's time no longer showed it."
    }),
    /** Other contents that the source told under the same identity, each the record as JSON. */
    conflicts: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
      description: "Other contents that the source told under the same identity, each the record as JSON."
    })
  }).annotate({ identifier: "Past" })
) {}

/** The reason why the past of an entry keeps it out of every match. */
export type Objection = "source-conflict" | "vanished" | "status-regressed"

const wasBefore = ({ statuses }: Past, wanted: EntryStatus): boolean => statuses.some(({ status }) => status === wanted)

/**
 * Returns the gravest objection to an entry with this status and past, or `undefined` where the movement was plainly made
 * and is still shown. An entry that is settled now may have had any status before. An entry that was settled, or that failed,
 * must not go back to an earlier status.
 */
export const objection = (status: EntryStatus, past: Past | undefined): Objection | undefined => {
  if (past === undefined) return undefined
  if (past.conflicts !== undefined && past.conflicts.length > 0) return "source-conflict"
  if (past.vanishedAt !== undefined) return "vanished"
  if (status === "settled") return undefined
  return wasBefore(past, "settled") || (status !== "failed" && wasBefore(past, "failed"))
    ? "status-regressed"
    : undefined
}
