/**
 * What the source of an entry said of it before, as far as somebody kept it. Entries of an archive have a past where there
 * is something to say; entries that come from the service or from files have none.
 */
import * as Schema from "effect/Schema"
import { EntryStatus } from "./EntryStatus.ts"

/** Earlier words of the source about one entry. All times are server times, Unix ms. */
export const Past = Schema.Struct({
  statuses: Schema.Array(Schema.Struct({ status: EntryStatus, seenAt: Schema.Int })).annotateKey({
    description: "Earlier statuses, oldest first, as the policy maps them, each with when it was first seen."
  }),
  settledAt: Schema.optionalKey(Schema.Int).annotateKey({
    description: "When the source was first seen to call it settled, after it had been seen to call it otherwise."
  }),
  unsettledAt: Schema.optionalKey(Schema.Int).annotateKey({
    description:
      "When the source was last seen to call it otherwise before that; the time of settling lies between the two."
  }),
  vanishedAt: Schema.optionalKey(Schema.Int).annotateKey({
    description: "A complete reading of the entry's time no longer showed it."
  }),
  conflicts: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
    description: "Other contents that the source told under the same identity, each the record as JSON."
  })
})
export type Past = typeof Past.Type

/** Why an entry takes part in no match for what was said of it before. */
export type Objection = "source-conflict" | "vanished" | "status-regressed"

const wasBefore = ({ statuses }: Past, wanted: EntryStatus): boolean => statuses.some(({ status }) => status === wanted)

/**
 * What the past of an entry of this status speaks against, the gravest first; nothing where it is plain that the movement
 * was made and is still shown. What is settled now may have been anything before; what was settled, or what failed, does
 * not go back to an earlier state.
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
