/** The history of a kept record becomes the past of its entry, in the words of the policy. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"

/**
 * Gives the past of a record whose status is `now`, or nothing when there is nothing to say. Files do not know when they saw
 * what they say, so imported versions are no earlier statuses; versions that differ only in confirmations are none either.
 */
export const of = <Record>(
  kept: ArchivedRecord.ArchivedRecord<Record>,
  now: Entry.Status,
  statusOf: (record: Record) => Entry.Status
): Entry.Past | undefined => {
  if (kept.before.length === 0 && kept.conflicts.length === 0 && kept.vanishedAt === undefined) return undefined
  const statuses: Array<Entry.Past["statuses"][number]> = []
  let settledAt = kept.imported ? undefined : kept.seenAt
  let unsettledAt: number | undefined
  for (const { imported, lastSeenAt, record, seenAt } of kept.before) {
    if (imported) continue
    const status = statusOf(record)
    if (status !== statuses.at(-1)?.status) statuses.push({ status, seenAt })
    if (status !== now) unsettledAt = lastSeenAt ?? seenAt
  }
  // The record may have been settled before, with other confirmations.
  const last = statuses.at(-1)
  if (last?.status === now) {
    statuses.pop()
    settledAt = last.seenAt
  }
  const isSeen = now === "settled" && statuses.length > 0 && statuses.every(({ status }) => status !== "settled")
  if (statuses.length === 0 && kept.conflicts.length === 0 && kept.vanishedAt === undefined) return undefined
  return {
    statuses,
    ...(isSeen && settledAt !== undefined ? { settledAt } : {}),
    ...(isSeen && settledAt !== undefined && unsettledAt !== undefined ? { unsettledAt } : {}),
    ...(kept.vanishedAt === undefined ? {} : { vanishedAt: kept.vanishedAt }),
    ...(kept.conflicts.length === 0 ? {} : { conflicts: kept.conflicts.map(({ record }) => JSON.stringify(record)) })
  }
}
