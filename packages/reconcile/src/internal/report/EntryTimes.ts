/** Collects the times of entries, by side. Coverage is expected to reach over them. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"

export interface EntryTimes {
  /** The interval from the first entry of a side to after its last one, Unix ms. Without entries it ends before it begins. */
  readonly all: Readonly<Record<Entry.Side, Coverage.Interval>>
  /** The times of the entries that wait for a counterpart, Unix ms. */
  readonly waiting: Readonly<Record<Entry.Side, ReadonlyArray<number>>>
}

const none: Coverage.Interval = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }

/** Returns the shortest interval that holds all of these. */
export const hull = (intervals: ReadonlyArray<Coverage.Interval>): Coverage.Interval =>
  intervals.reduce((one, { from, to }) => ({ from: Math.min(one.from, from), to: Math.max(one.to, to) }), none)

export const collector = () => {
  const all = { deposit: { ...none }, transfer: { ...none } }
  const waiting: Record<Entry.Side, Array<number>> = { deposit: [], transfer: [] }
  return {
    add: ({ code, deposits, transfers }: Outcome.Outcome): void => {
      for (const entries of [deposits, transfers]) {
        for (const { at, side } of entries) {
          const interval = all[side]
          interval.from = Math.min(interval.from, at)
          interval.to = Math.max(interval.to, at + 1)
          if (code === "in-flight") waiting[side].push(at)
        }
      }
    },
    times: (): EntryTimes => ({ all, waiting })
  }
}
