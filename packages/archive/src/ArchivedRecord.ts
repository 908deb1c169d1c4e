/** An archive keeps a record as its latest version, with the versions and conflicting contents that came before. */

/** A version is one content of a record, with the times at which it was seen. */
export interface Version<out Record> {
  /** The content that came then. */
  readonly record: Record
  /**
   * The response that first showed it came at this server time, Unix ms; for an import, this is the time for which the file
   * vouches.
   */
  readonly seenAt: number
  /** At this server time, Unix ms, the last response showed it again; the time is kept where the status may still change. */
  readonly lastSeenAt?: number
  /** It is true where the content came from a file, and not from the service. */
  readonly imported: boolean
}

/** An archived record is the latest version, and its history. */
export interface ArchivedRecord<out Record> extends Version<Record> {
  /**
   * The key is unique in its operation and never reused: a transfer's `tranId`, a deposit's `clientTranId` (ordinal among twins
   * included).
   */
  readonly key: string
  /**
   * These versions came before the latest, oldest first: they are of the same movement, with another status or other
   * confirmations.
   */
  readonly before: ReadonlyArray<Version<Record>>
  /** The service told these other movements under the same identity, and nobody can say which of them is true. */
  readonly conflicts: ReadonlyArray<Version<Record>>
  /** At this server time, Unix ms, a complete reading of its time no longer showed it. */
  readonly vanishedAt?: number
}
