/** Whether an archive still holds what was written to it. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Archive from "./Archive.ts"
import type { ArchiveError } from "./ArchiveError.ts"

/** What is not as it was written. Edits by somebody who makes the checksums agree are not seen. */
export interface Integrity {
  /** Of the database's pages, and of what is known about completeness: a sentence each. */
  readonly structure: ReadonlyArray<string>
  /** Stretches of a day or less of which other rows are kept than were written. */
  readonly damages: ReadonlyArray<Archive.Damage>
  /** What was proven of other rows than those that are kept: the ones or the others are of an earlier time. */
  readonly outdated: ReadonlyArray<Coverage.Coverage>
}

export const isSound = ({ damages, outdated, structure }: Integrity): boolean =>
  damages.length === 0 && outdated.length === 0 && structure.length === 0

const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Reads every record of the interval, by default of the whole archive: some seconds for a million of them. */
export const check = (
  interval: Coverage.Interval = ALWAYS
): Effect.Effect<Integrity, ArchiveError, Archive.Archive> =>
  Archive.Archive.use((archive) =>
    Effect.all({
      structure: archive.structure,
      damages: Effect.map(
        Effect.all([archive.deposits.check(interval), archive.transfers.check(interval)]),
        (found) => found.flat()
      ),
      outdated: Effect.map(
        archive.coverage(interval),
        (coverage) => coverage.filter(({ gap, state }) => state === "incomplete" && gap?.code === "damaged")
      )
    })
  )
