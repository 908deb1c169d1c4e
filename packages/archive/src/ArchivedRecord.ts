/** An archive keeps a record as its latest version, with the versions and conflicting contents that came before. */

/** A version is one content of a record, with the times at which it was seen. */
export interface Version<out Record> {
  readonly record: Record
  /** Server time of the response that first showed it, Unix ms; of an import, the time that its file vouches for. */
  readonly seenAt: number
  /** Server time of the last response that showed it again, where its status may still change, Unix ms. */
  readonly lastSeenAt?: number
  /** Whether it came from a file, and not from the service. */
  readonly imported: boolean
}

/** An archived record is the latest version, and its history. */
export interface ArchivedRecord<out Record> extends Version<Record> {
  /** Unique in its operation and never reused: a transfer's `tranId`, a deposit's `clientTranId` (ordinal among twins included). */
  readonly key: string
  /** Versions before the latest, oldest first: of the same movement, with another status or other confirmations. */
  readonly before: ReadonlyArray<Version<Record>>
  /** The service told other movements under the same identity, and nobody can say which of them is true. */
  readonly conflicts: ReadonlyArray<Version<Record>>
  /** Server time of a complete reading of its time that did not show it any more, Unix ms. */
  readonly vanishedAt?: number
}
