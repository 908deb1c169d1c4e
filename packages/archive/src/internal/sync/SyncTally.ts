/** The tally counts what a sync does, and tells it to the caller. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Change } from "../history/History.ts"

/** Progress says how far a sync has come. Counts only grow; `slices` is raised where more slices are found on the way. */
export interface Progress {
  readonly operation: Coverage.Coverage["operation"]
  /** So many slices of this round are done, of those that are known to be asked for. */
  readonly slicesDone: number
  readonly slices: number
  readonly pages: number
  /** The service showed so many records; records that were known, or were read again, count too. */
  readonly records: number
  /** So many records were not known before. */
  readonly added: number
}

/** These counts are of the whole sync. */
export interface Counts extends Omit<Progress, "operation"> {
  readonly changed: number
  readonly vanished: number
  /** So many different texts could not be read. */
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
  /**
   * Gives the parts that were read without a proof. Time that the service has forgotten is not among them: nobody could read
   * that.
   */
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
  /**
   * Callers are served one at a time: a fiber that is suspended before it is heard would tell less than one that came behind
   * it.
   */
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
