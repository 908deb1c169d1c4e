/** Collects the times of entries, by side. Coverage of a run without a range is expected to reach over them. */
import * as Schema from "effect/Schema"
import type * as Entry from "../../Entry.ts"
import { append } from "../engine/ledger/Column.ts"
import type * as InRange from "../InRange.ts"
import type { Additive } from "./Additive.ts"

const Hull = Schema.NullOr(Schema.Struct({ from: Schema.Int, to: Schema.Int }))
type Hull = typeof Hull.Type

const Times = Schema.Array(Schema.Int)

export const EntryTimes = Schema.Struct({
  /** The interval from the first entry of a side to after its last one, Unix ms. Null without entries. */
  all: Schema.Struct({ deposit: Hull, transfer: Hull }),
  /** The times of the entries that wait for a counterpart, Unix ms, the first before the others. */
  waiting: Schema.Struct({ deposit: Times, transfer: Times })
})
export type EntryTimes = typeof EntryTimes.Type

/** Returns the shortest interval that holds all of these. Of none it ends before it begins. */
export const hull = (intervals: ReadonlyArray<Hull>): { from: number; to: number } =>
  intervals.reduce<{ from: number; to: number }>(
    (one, other) => other === null ? one : { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) },
    { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  )

const sides = ["deposit", "transfer"] as const

const byTime = (one: number, other: number): number => one - other

/** Collects the times of a run without a range. Of a run with one they are not asked for, and there are none. */
export const collector = (range: InRange.Range): Additive<EntryTimes> => {
  const all = { deposit: hull([]), transfer: hull([]) }
  const waiting: Record<Entry.Side, Array<number>> = { deposit: [], transfer: [] }
  const known = (side: Entry.Side): Hull => (all[side].from < all[side].to ? all[side] : null)
  return {
    add: ({ code, deposits, transfers }) => {
      if (range !== null && range !== undefined) return
      for (const entries of [deposits, transfers]) {
        for (const { at, side } of entries) {
          const { [side]: interval } = all
          interval.from = Math.min(interval.from, at)
          interval.to = Math.max(interval.to, at + 1)
          if (code === "in-flight") waiting[side].push(at)
        }
      }
    },
    merge: (times) => {
      for (const side of sides) {
        all[side] = hull([all[side], times.all[side]])
        append(waiting[side], times.waiting[side])
      }
    },
    sums: () => ({
      all: { deposit: known("deposit"), transfer: known("transfer") },
      waiting: { deposit: waiting.deposit.toSorted(byTime), transfer: waiting.transfer.toSorted(byTime) }
    })
  }
}
