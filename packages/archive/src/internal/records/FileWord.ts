/** A file may say another status of a record than the service does. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Struct from "effect/Struct"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"

/** Nothing is complete where such a record lies, for this reason. */
export const GAP: Coverage.Gap = {
  code: "source-conflict",
  detail:
    "a file tells another status of a record of this time than the exchange does, and nobody knows which of them is right"
}

/** This is the reason where the service never showed the record, although it showed everything of its time. */
export const UNSHOWN: Coverage.Gap = {
  code: "source-conflict",
  detail:
    "a file tells of a record of this time, and the exchange, which showed everything of it, did not show that record"
}

/** These rules are needed to hold a file's word against the service's. */
export interface Rules<in Record> {
  /** Gives the record's own time, Unix ms. */
  readonly at: (record: Record) => number
  readonly statusOf: (record: Record) => string | number
  /** Tells whether the record's status no longer changes. */
  readonly hasEnded: (record: Record) => boolean
}

/**
 * Tells whether a file says something that does not follow from the service's own versions: a status that none of them had when
 * the file was exported, or ever, where the file does not say when that was. It is false for a record that only files know.
 */
export const differs = <Record>(
  { at, statusOf }: Rules<Record>,
  versions: ReadonlyArray<ArchivedRecord.Version<Record>>
): boolean => {
  const told = versions.filter(({ imported }) => !imported).toSorted((a, b) => a.seenAt - b.seenAt)
  return told.length > 0 && versions.some(({ imported, record, seenAt }) => {
    if (!imported) return false
    const isSame = (one: ArchivedRecord.Version<Record> | undefined): boolean =>
      one !== undefined && statusOf(one.record) === statusOf(record)
    if (seenAt <= at(record)) return !told.some(isSame)
    const before = told.findLast((one) => one.seenAt <= seenAt)
    if (isSame(before)) return false
    // Between two showings by the service the record may have had the later status already.
    const isBetween = before === undefined || (before.lastSeenAt ?? before.seenAt) <= seenAt
    return !isBetween || !isSame(told.find((one) => one.seenAt > seenAt))
  })
}

/** Takes the word of the latest file, where the service has not shown the record since, and its status had not ended. */
export const latest = <Record>(
  { hasEnded }: Rules<Record>,
  kept: ArchivedRecord.ArchivedRecord<Record>
): ArchivedRecord.ArchivedRecord<Record> => {
  if (kept.imported || hasEnded(kept.record)) return kept
  const later = kept.before.findLast(({ imported, seenAt }) => imported && seenAt > (kept.lastSeenAt ?? kept.seenAt))
  if (later === undefined) return kept
  const shown: ArchivedRecord.Version<Record> = Struct.pick(kept, ["record", "seenAt", "lastSeenAt", "imported"])
  return {
    ...Struct.omit(kept, ["lastSeenAt"]),
    ...later,
    before: [...kept.before.filter((one) => one !== later), shown].toSorted((a, b) => a.seenAt - b.seenAt)
  }
}
