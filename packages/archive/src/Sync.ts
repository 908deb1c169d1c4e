/** Reads from the service what an archive lacks, oldest first, and keeps it page by page. */
import type * as Coverage from "@tallystick/core/Coverage"

/** How far a sync has come. Counts only grow, but for `slices`, which may be found to be more on the way. */
export interface Progress {
  readonly operation: Coverage.Coverage["operation"]
  /** Slices that are done, and those that are known to be asked for, of this round. */
  readonly slicesDone: number
  readonly slices: number
  readonly pages: number
  /** Records that the service showed, known ones included. */
  readonly records: number
  /** Records that were not known before. */
  readonly added: number
}

/** What a round of sync did. */
export interface Summary {
  readonly pages: number
  readonly records: number
  readonly added: number
  readonly changed: number
  readonly vanished: number
  /** Records that could not be read; they are kept as they came. */
  readonly bad: number
  /** Everything before this is complete, Unix ms, the least over all queries; null where nothing is complete. */
  readonly completeTo: number | null
  /** What was asked for and is not complete, with the reason. */
  readonly gaps: ReadonlyArray<Coverage.Coverage>
  /** Server time at which the service forgets the first deposit that may still be unread, Unix ms. */
  readonly deadline: number
  /** Server time at the end, Unix ms. */
  readonly now: number
}
