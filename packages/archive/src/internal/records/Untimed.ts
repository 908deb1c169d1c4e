/**
 * Some records cannot be read and tell no time. One of them may belong anywhere in the slice that it came with, so it is kept
 * in a row for each day (UTC) that the slice touches: a reader of any part of the slice meets it, and the control totals of
 * each day count it.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Day from "../coverage/Day.ts"

/** No record that a service still shows is older, ms. */
const LONGEST_MEMORY = 400 * Day.DAY

/** Limits an interval to what a service may show: a slice may begin in the distant past, and end as far in the future. */
export const shown = ({ from, to }: Coverage.Interval, readAt: number): Coverage.Interval => {
  const near = { from: Math.max(from, readAt - LONGEST_MEMORY), to: Math.min(to, readAt + Day.DAY) }
  return near.from < near.to ? near : { from, to: Math.min(to, from + LONGEST_MEMORY) }
}

/** Gives the interval in which a record may belong when it is not known what was asked for. */
export const anywhere = (readAt: number): Coverage.Interval => ({
  from: Math.max(readAt - LONGEST_MEMORY, 0),
  to: readAt + Day.DAY
})

/** Cuts an interval into pieces, none of which reaches into another day. */
export const byDay = ({ from, to }: Coverage.Interval): ReadonlyArray<Coverage.Interval> => {
  const pieces: Array<Coverage.Interval> = []
  for (let at = from; at < to; at = Day.endOf(at)) {
    pieces.push({ from: at, to: Math.min(to, Day.endOf(at)) })
  }
  return pieces
}

/** A record was given `count` times, and may belong in time up to `until`. */
interface Given {
  readonly until: number
  readonly count: number
}

/** The key is the query with the digest of the text. */
export type AllGiven = ReadonlyMap<string, Given>

export interface Row {
  readonly query: number
  readonly id: string
  readonly at: number
  readonly until: number
  readonly occurrences: number
}

/** Gives rows in order of time, each as often as its record was not given before: rows of one record overlap or touch. */
export const fresh = <R extends Row>(
  before: AllGiven,
  rows: ReadonlyArray<R>
): { readonly rows: ReadonlyArray<R>; readonly given: AllGiven } => {
  const given = new Map(before)
  const counted = rows.map((row): R => {
    const key = `${row.query} ${row.id}`
    const known = given.get(key)
    const same = known !== undefined && row.at <= known.until ? known : { until: row.until, count: 0 }
    given.set(key, { until: Math.max(same.until, row.until), count: Math.max(same.count, row.occurrences) })
    return { ...row, occurrences: Math.max(row.occurrences - same.count, 0) }
  })
  return { rows: counted, given }
}
