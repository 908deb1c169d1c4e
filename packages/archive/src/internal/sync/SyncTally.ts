/** The tally counts what a sync does, and tells it to the caller. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Change } from "../history/History.ts"

/** How far a sync has come. Counts only grow, but for `slices`, which may be found to be more on the way. */
export interface Progress {
  readonly operation: Coverage.Coverage["operation"]
  /** Slices that are done, and those that are known to be asked for, of this round. */
  readonly slicesDone: number
  readonly slices: number
  readonly pages: number
  /** Records that the service showed, known ones included, and those that were read again. */
  readonly records: number
  /** Records that were not known before. */
  readonly added: number
}

/** What was done in all. */
export interface Counts extends Omit<Progress, "operation"> {
  readonly changed: number
  readonly vanished: number
  /** Different texts that could not be read. */
  readonly bad: number
}

export interface Tally {
  readonly planned: (slices: number) => Effect.Effect<void>
  readonly page: (
    operation: Coverage.Coverage["operation"],
    page: Seen.Seen<unknown>,
    change: Change
  ) => Effect.Effect<void>
  readonly slice: (slice: Pick<Slice.Slice<unknown>, "coverage">, change: Change) => Effect.Effect<void>
  readonly counts: () => Counts
  /** What was read without a proof. What the service has forgotten is not among it: nobody could read that. */
  readonly unproven: () => ReadonlyArray<Coverage.Coverage>
}

export const make = (watch: (progress: Progress) => Effect.Effect<void>): Tally => {
  let operation: Coverage.Coverage["operation"] = "deposits"
  let [slices, slicesDone, pages, records, added, changed, vanished] = [0, 0, 0, 0, 0, 0, 0]
  const bad = new Set<string>()
  const unproven: Array<Coverage.Coverage> = []

  const count = (change: Change): void => {
    added += change.added
    changed += change.changed
    vanished += change.vanished
  }
  /** One at a time: a fiber that is suspended before it is heard would tell less than one that came behind it. */
  const turn = Semaphore.makeUnsafe(1)
  const tell = (step: () => void): Effect.Effect<void> =>
    turn.withPermit(Effect.suspend(() => {
      step()
      return watch({ operation, slices, slicesDone, pages, records, added })
    }))

  return {
    planned: (more) =>
      tell(() => {
        slices += more
      }),
    page: (of, page, change) =>
      tell(() => {
        operation = of
        pages++
        records += page.records.length
        for (const { raw } of page.bad) bad.add(raw)
        count(change)
      }),
    slice: ({ coverage }, change) =>
      tell(() => {
        unproven.push(...coverage.filter(({ gap, state }) => state === "incomplete" && gap?.code !== "retention"))
        slicesDone++
        slices = Math.max(slices, slicesDone)
        count(change)
      }),
    counts: () => ({ slices, slicesDone, pages, records, added, changed, vanished, bad: bad.size }),
    unproven: () => unproven
  }
}
