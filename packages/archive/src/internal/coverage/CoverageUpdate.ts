/** One more reading changes what is known about completeness: a list of parts without overlaps, of one operation and query. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Day from "./Day.ts"

/** A part is a stretch of time, with what is known about it. */
export type Part = Omit<Coverage.Coverage, "operation" | "query"> & {
  readonly vouched: boolean
  /** Part of it was last read at this time, Unix ms; `readAt` is the earliest time at which any of it was read. */
  readonly lastReadAt: number
}

/** Makes a part of what the service proved, or did not prove. */
export const proven = ({ from, gap, readAt, state, to }: Coverage.Coverage): Part => ({
  from,
  to,
  readAt,
  state,
  ...(gap === undefined ? {} : { gap }),
  vouched: false,
  lastReadAt: readAt
})

/** Ranks a part by how much it says; a part that says less never replaces one that says more. */
const rank = ({ state, vouched }: Part): number => state !== "complete" ? 0 : vouched ? 1 : 2

const day = (time: number): number => Math.floor(time / Day.DAY)

/** Tells whether two touching parts may stand as one: complete ones only within a day, so that `readAt` stays near the truth. */
const joins = (a: Part, b: Part): boolean =>
  a.to === b.from && a.state === b.state && a.vouched === b.vouched && a.gap?.code === b.gap?.code &&
  a.gap?.detail === b.gap?.detail && (a.state !== "complete" || day(a.from) === day(b.to - 1))

/** Finds the part that holds a time. Parts are half-open, so the ones after the last border do not matter. */
const covering = (parts: ReadonlyArray<Part>, at: number): Part | undefined =>
  parts.find(({ from, to }) => from <= at && at < to)

/**
 * Lays `next` over `known`: complete time stays complete, the service's proof stands over a person's word, and of two parts
 * that say as much the later one counts. Both must be free of overlaps; the result is free of them too, and in time order.
 */
export const overlay = (known: ReadonlyArray<Part>, next: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const borders = Timeline.borders([...known, ...next])
  const found: Array<Part> = []
  for (const [index, from] of borders.entries()) {
    const to = borders[index + 1]
    const [before, after] = [covering(known, from), covering(next, from)]
    const wins = before === undefined || (after !== undefined && rank(after) >= rank(before)) ? after : before
    if (to === undefined || wins === undefined) continue
    const part = { ...wins, from, to }
    const last = found.at(-1)
    if (last !== undefined && joins(last, part)) {
      const [readAt, lastReadAt] = [Math.min(last.readAt, part.readAt), Math.max(last.lastReadAt, part.lastReadAt)]
      found[found.length - 1] = { ...last, to, readAt, lastReadAt }
    } else found.push(part)
  }
  return found
}

/** Gives `known` with nothing complete in the interval any more; `gap` says why. */
export const withdrawn = (
  known: ReadonlyArray<Part>,
  interval: Coverage.Interval,
  gap: Coverage.Gap
): ReadonlyArray<Part> =>
  known.flatMap((part): ReadonlyArray<Part> =>
    part.state !== "complete" ?
      [part] :
      Timeline.pieces([interval], part).map(({ from, part: withdrawn, to }): Part => {
        const piece = Object.assign({}, part, { from, to })
        return withdrawn === undefined
          ? piece
          : Object.assign(piece, { state: "incomplete" as const, gap, vouched: false })
      })
  )
