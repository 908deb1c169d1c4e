/**
 * Treats time as sets of half-open intervals, and joins, intersects and subtracts them.
 *
 * Every function takes intervals in any order, whether or not they overlap, and ignores empty ones. A result is in time order,
 * and none of its intervals overlaps or touches another one, unless its function says otherwise. Ends may be infinite.
 */

/** A half-open interval of time in Unix ms: `from` belongs to it, `to` does not. */
export interface Interval {
  /** The beginning, inclusive, Unix ms. */
  readonly from: number
  /** The end, exclusive, Unix ms. */
  readonly to: number
}

/** A piece of time, and the part that covers it; no part covers a hole. */
export interface Piece<out Part> extends Interval {
  /** The part that covers the piece; none covers a hole. */
  readonly part: Part | undefined
}

const isEmpty = ({ from, to }: Interval): boolean => !(from < to)

/** Returns the intervals that hold some time, in order of their beginnings. */
const ordered = <Part extends Interval>(parts: Iterable<Part>): ReadonlyArray<Part> =>
  Array.from(parts).filter((part) => !isEmpty(part)).toSorted((a, b) => a.from - b.from)

/** Whether two intervals have any time in common. */
export const overlaps = (one: Interval, other: Interval): boolean =>
  Math.max(one.from, other.from) < Math.min(one.to, other.to)

/** Returns the time that two intervals have in common; undefined where they have none. */
export const common = (one: Interval, other: Interval): Interval | undefined =>
  overlaps(one, other) ? { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) } : undefined

/** Returns the time that lies in any of the intervals. */
export const union = (intervals: Iterable<Interval>): ReadonlyArray<Interval> => {
  const joined: Array<Interval> = []
  for (const { from, to } of ordered(intervals)) {
    const last = joined.at(-1)
    if (last === undefined || last.to < from) joined.push({ from, to })
    else if (last.to < to) joined[joined.length - 1] = { from: last.from, to }
  }
  return joined
}

/** Returns the time that lies in both sets of intervals. */
export const intersect = (one: Iterable<Interval>, other: Iterable<Interval>): ReadonlyArray<Interval> => {
  const [left, right] = [union(one), union(other)]
  const found: Array<Interval> = []
  for (let [i, j] = [0, 0];;) {
    const [a, b] = [left[i], right[j]]
    if (a === undefined || b === undefined) return found
    const both = common(a, b)
    if (both !== undefined) found.push(both)
    if (a.to < b.to) i++
    else j++
  }
}

/** Returns the time that lies in the first set of intervals and not in the second one. */
export const subtract = (one: Iterable<Interval>, other: Iterable<Interval>): ReadonlyArray<Interval> =>
  intersect(one, gaps(other, { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }))

/** Returns the time that lies in `within` and in none of the intervals. */
export const gaps = (intervals: Iterable<Interval>, within: Interval): ReadonlyArray<Interval> =>
  pieces(intervals, within).flatMap(({ from, part, to }) => part === undefined ? [{ from, to }] : [])

/** Whether every moment of `interval` lies in one of the intervals; an empty one is always covered. */
export const covers = (intervals: Iterable<Interval>, interval: Interval): boolean =>
  gaps(intervals, interval).length === 0

/** Returns the parts that reach into `within`, cut where they leave it, in the order in which they came. They may overlap. */
export const clip = <Part extends Interval>(parts: Iterable<Part>, within: Interval): ReadonlyArray<Part> =>
  Array.from(parts).flatMap((part) => {
    const both = common(part, within)
    return both === undefined ? [] : [Object.assign({}, part, both)]
  })

/**
 * Cuts `within` where a part begins or ends, and returns each piece with the part that covers it. Where parts overlap, the one
 * that begins earlier covers; of those that begin together, the one that came first. Pieces touch, and two neighbours may have
 * parts that are equal.
 */
export const pieces = <Part extends Interval>(parts: Iterable<Part>, within: Interval): ReadonlyArray<Piece<Part>> => {
  const found: Array<Piece<Part>> = []
  let at = within.from
  for (const part of ordered(parts)) {
    const here = common(part, { from: at, to: within.to })
    if (here === undefined) continue
    if (at < here.from) found.push({ from: at, to: here.from, part: undefined })
    found.push({ ...here, part })
    at = here.to
  }
  if (at < within.to) found.push({ from: at, to: within.to, part: undefined })
  return found
}

/** Returns the moments at which any of the intervals begins or ends, ascending, each once. */
export const borders = (intervals: Iterable<Interval>): ReadonlyArray<number> =>
  Array.from(new Set(Array.from(intervals).flatMap(({ from, to }) => [from, to]))).toSorted((a, b) => a - b)
