/** One more reading changes what is known about completeness: a list of parts without overlaps, of one operation and query. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Day from "./Day.ts"

/** A stretch of time, and what is known about it. */
export type Part = Omit<Coverage.Coverage, "operation" | "query"> & {
  readonly vouched: boolean
  /** When any part of it was read last, Unix ms; `readAt` says when all of it was. */
  readonly lastReadAt: number
}

/** As the service proved it, or did not. */
export const proven = ({ from, gap, readAt, state, to }: Coverage.Coverage): Part => ({
  from,
  to,
  readAt,
  state,
  ...(gap === undefined ? {} : { gap }),
  vouched: false,
  lastReadAt: readAt
})

/** How much a part says; what says less never replaces what says more. */
const rank = ({ state, vouched }: Part): number => state !== "complete" ? 0 : vouched ? 1 : 2

const day = (time: number): number => Math.floor(time / Day.DAY)

/** Whether two touching parts may stand as one: complete ones only within a day, so that `readAt` stays near the truth. */
const joins = (a: Part, b: Part): boolean =>
  a.to === b.from && a.state === b.state && a.vouched === b.vouched && a.gap?.code === b.gap?.code &&
  a.gap?.detail === b.gap?.detail && (a.state !== "complete" || day(a.from) === day(b.to - 1))

/** Parts are half-open, so the ones after the last border do not matter. */
const covering = (parts: ReadonlyArray<Part>, at: number): Part | undefined =>
  parts.find(({ from, to }) => from <= at && at < to)

/**
 * `known` with `next` laid over it: complete stays complete, what the service proved stands over what a person vouched for,
 * and of two parts that say as much the later one counts. Both must be free of overlaps; the result is, and in time order.
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

/** `known` without what was complete in the interval, where `gap` says why. */
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
