/**
 * Says what belongs to a range. Where ranges follow each other, as the days of a zone do, each entry and each outcome that has
 * entries belongs to exactly one of them.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../Entry.ts"
import type * as Outcome from "../Outcome.ts"

/** The range `[from, to)`, Unix ms; everything belongs to one that is null or undefined. */
export type Range = Coverage.Interval | null | undefined

/** Says whether an entry belongs to the range: its time lies in it. */
export const isInRange = (range: Range) => ({ at }: Pick<Entry.Entry, "at">): boolean =>
  range === null || range === undefined || (at >= range.from && at < range.to)

/**
 * Says whether an outcome belongs to the range: its first deposit does or, where it has none, its first transfer. A record that
 * could not be read has no time, and belongs to each range beside which it was read.
 */
export const isOfRange = (range: Range) => {
  const isInside = isInRange(range)
  return ({ deposits, transfers }: Pick<Outcome.Outcome, "deposits" | "transfers">): boolean => {
    const first = deposits[0] ?? transfers[0]
    return first === undefined || isInside(first)
  }
}
