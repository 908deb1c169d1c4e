/** A record as an archive keeps it: its latest version, and what came before. */

/** One content of a record, and when it was first seen. */
export interface Version<out Record> {
  readonly record: Record
  /** Server time of the response that first showed it, Unix ms; of an import, the time that its file vouches for. */
  readonly seenAt: number
  /** Server time of the last response that showed it again, where its status may still change, Unix ms. */
  readonly lastSeenAt?: number
  /** It came from a file, not from the service. */
  readonly imported: boolean
}

/** A record and its history. */
export interface ArchivedRecord<out Record> extends Version<Record> {
  /** Unique in its operation and never reused: a transfer's `tranId`, a deposit's `clientTranId` (ordinal among twins included). */
  readonly key: string
  /** Versions before the latest, oldest first: of the same movement, with another status or other confirmations. */
  readonly before: ReadonlyArray<Version<Record>>
  /** Other movements that the service told under the same identity: which of them is true nobody can say. */
  readonly conflicts: ReadonlyArray<Version<Record>>
  /** Server time of a complete reading of its time that did not show it any more, Unix ms. */
  readonly vanishedAt?: number
}
