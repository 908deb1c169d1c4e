/**
 * Chooses the cuts of the second reading of a slice. None of them is a cut of the first reading, or a moment to which a service
 * would round.
 */
import type * as Coverage from "../../Coverage.ts"
import type * as PageLengths from "./PageLengths.ts"

/** The known facts about a slice and the time around it. Times are Unix ms. */
export interface Situation extends Coverage.Interval {
  readonly listing: PageLengths.Listing
  /** The times of its records, in order, each once. */
  readonly moments: ReadonlyArray<number>
  /** The time of each record that an earlier reading showed, of this slice and of others. */
  readonly known: ReadonlyArray<number>
  /** The time that the service certainly still knows, and in which no more records arrive. */
  readonly settled: Coverage.Interval
  /** Whether a range as long as the slice is known to be answered from end to end. */
  readonly isAnswered: boolean
  /** Whether no list of so many records was read twice. Only a longer list shows then that this one was not cut off. */
  readonly isBeyond: boolean
}

/** The most moments that are tried, of which the best is taken. */
const MOST_TRIED = 20

/** Of more parts than this, only every second one is read. */
const MOST_PARTS = 5

const unround = (time: number): number => time % 1000 === 0 ? time + 1 : time

/**
 * Returns the parts between the ends. Requests are 1 ms wider, so a part ends before the record with which
 * the next one begins.
 */
const between = (ends: ReadonlyArray<number>): ReadonlyArray<Coverage.Interval> =>
  ends.slice(1).map((end, index) => {
    const from = ends[index] ?? end
    return { from, to: index === ends.length - 2 ? end : Math.max(end - 1, from + 1) }
  })

export const halves = ({ from, to }: Coverage.Interval): ReadonlyArray<Coverage.Interval> => {
  const middle = unround(from + Math.floor((to - from) / 2))
  return between(middle > from && middle < to ? [from, middle, to] : [from, to])
}

/**
 * Whether times lie so close together that every cut that shows one shows all of them. Requests are 1 ms
 * wider than their cuts.
 */
export const areTogether = (times: ReadonlyArray<number>): boolean => (times.at(-1) ?? 0) - (times[0] ?? 0) <= 1

/**
 * Returns parts that share no record, each of which fits into one response, so that no pages are needed. Of many parts every
 * second one is read, and both ends. No part shows all records, unless their times are all together. `times` are in order.
 */
export const parts = (
  { from, to }: Coverage.Interval,
  times: ReadonlyArray<number>,
  pageLength: number
): ReadonlyArray<Coverage.Interval> => {
  if (times.length === 0) return halves({ from, to })
  const number = Math.max(2, Math.ceil(times.length / Math.max(1, Math.floor(pageLength * 0.95))))
  const first = times.findIndex((time) => time > (times[0] ?? time) + 1)
  const borders = Array.from(
    { length: number - 1 },
    (_, index) => times[Math.max(Math.floor((index + 1) * times.length / number), first)] ?? to
  )
  return between([...new Set([from, ...borders.filter((border) => border > from && border < to), to])])
    .filter((_, index, all) => all.length <= MOST_PARTS || index === all.length - 1 || index % 2 === 0)
}

/**
 * Chooses the moment at which both cuts end, near the middle. The best moment has another record almost a whole range away, but
 * no more, which shows that such a range is answered from end to end. It also makes a list longer than the slice's, which shows
 * that lists as long as that one were not cut off.
 */
const dividing = ({ from, isAnswered, known, listing, moments, to }: Situation): number | undefined => {
  const length = to - from
  const shows = (time: number): number => {
    let [before, after, reach] = [0, 0, 0]
    for (const other of known) {
      const away = Math.abs(other - time)
      if (away >= length) continue
      if (other <= time) before++
      if (other >= time) after++
      reach = Math.max(reach, away)
    }
    return (isAnswered ? 0 : reach / length) + (Math.max(before, after) > listing.listed ? 1 : 0)
  }
  // The first and the last moment are left out: one cut would show all records then.
  const edge = Math.max(moments.length >> 2, 1)
  const inner = moments.length < 3 ? moments.slice(-1) : moments.slice(edge, -edge)
  const middle = inner.slice(0, MOST_TRIED)
  return middle.map((time) => ({ time, shown: shows(time) })).toSorted((a, b) => b.shown - a.shown)[0]?.time
}

/**
 * Returns two cuts as long as the slice. One ends with a record of the slice's middle, and the other begins with it, so that both
 * ends of a range are seen to be answered. One cut is enough where so long a range is known to be answered. Where a list of so
 * many records is in question, that cut has to show more records than the slice has.
 */
export const ends = (situation: Situation): ReadonlyArray<Coverage.Interval> => {
  const { from, isAnswered, isBeyond, known, listing, moments, settled, to } = situation
  const time = dividing(situation)
  if (time === undefined) return halves(situation)
  const isMoment = (other: number): boolean => moments.includes(other)
  // Where there are two moments, neither cut may show both. Requests are 1 ms wider: a record in the next millisecond would be
  // shown as well, and pages would be cut where those of the first reading were.
  const isFollowed = isMoment(time + 1)
  const end = moments.length === 2 ? time - 1 : isFollowed ? time : time + 1
  const begin = !isFollowed && isMoment(time - 1) && moments.length > 2 ? time + 1 : time
  const before = { from: Math.min(from, Math.max(end - (to - from), settled.from)), to: end }
  // After settled time records still arrive, and would move others to the next page.
  const after = { from: begin, to: Math.max(Math.min(begin + (to - from), settled.to), to) }
  const shows = ({ from, to }: Coverage.Interval): number => known.filter((at) => at >= from && at < to).length
  const longer = shows(before) < shows(after) ? after : before
  return isAnswered && (!isBeyond || shows(longer) > listing.listed) ? [longer] : [before, after]
}
