/**
 * Where a slice is cut when it is read a second time: nowhere where the first reading was, and never on a moment to which a
 * service would round.
 */
import type * as Coverage from "../../Coverage.ts"
import type * as PageLengths from "./PageLengths.ts"

/** What is known of a slice and of the time around it. Times are Unix ms. */
export interface Situation extends Coverage.Interval {
  readonly listing: PageLengths.Listing
  /** When its records were, in order, each moment once. */
  readonly moments: ReadonlyArray<number>
  /** When each record was that an earlier reading showed, of the slice and of others. */
  readonly known: ReadonlyArray<number>
  /** The time that the service certainly still knows, and in which no more arrives. */
  readonly settled: Coverage.Interval
  /** Whether so long a range is known to be answered from end to end. */
  readonly isAnswered: boolean
  /** Whether no list of so many records was read twice: only a longer one shows that it was not cut off. */
  readonly isBeyond: boolean
}

/** Moments of which the best is taken. */
const MOST_TRIED = 20

/** With more parts every second one is read. */
const MOST_PARTS = 5

const unround = (time: number): number => time % 1000 === 0 ? time + 1 : time

/** What is asked for is 1 ms wider: a part ends before the record with which the next one begins. */
const between = (ends: ReadonlyArray<number>): ReadonlyArray<Coverage.Interval> =>
  ends.slice(1).map((end, index) => {
    const from = ends[index] ?? end
    return { from, to: index === ends.length - 2 ? end : Math.max(end - 1, from + 1) }
  })

export const halves = ({ from, to }: Coverage.Interval): ReadonlyArray<Coverage.Interval> => {
  const middle = unround(from + Math.floor((to - from) / 2))
  return between(middle > from && middle < to ? [from, middle, to] : [from, to])
}

/** What is asked for is 1 ms wider than a cut: of times that lie no farther apart every cut that shows one shows all. */
export const areTogether = (times: ReadonlyArray<number>): boolean => (times.at(-1) ?? 0) - (times[0] ?? 0) <= 1

/**
 * Parts that share no record, each of which fits into one response: no pages are needed. Of many parts every second one is
 * read, and both ends. None shows everything, if the times are not all together; they are in order.
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
 * The moment with which both cuts end. It is one of the middle. Best is one that has another record almost a whole range away,
 * but no more, which shows that such a range is answered from end to end; and one that makes a list longer than the slice's,
 * which shows that those were not cut off.
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
  // Neither the first nor the last, or one cut would show all of them.
  const edge = Math.max(moments.length >> 2, 1)
  const inner = moments.length < 3 ? moments.slice(-1) : moments.slice(edge, -edge)
  const middle = inner.slice(0, MOST_TRIED)
  return middle.map((time) => ({ time, shown: shows(time) })).toSorted((a, b) => b.shown - a.shown)[0]?.time
}

/**
 * Two cuts as long as the slice: one ends with a record of the slice's middle, the other begins with it, so that both ends of
 * a range are seen to be answered. Where so long a range is known to be answered one cut is enough. If a list of so many
 * records is in question, that one has to show more records than the slice has.
 */
export const ends = (situation: Situation): ReadonlyArray<Coverage.Interval> => {
  const { from, isAnswered, isBeyond, known, listing, moments, settled, to } = situation
  const time = dividing(situation)
  if (time === undefined) return halves(situation)
  const isMoment = (other: number): boolean => moments.includes(other)
  // Of two moments neither cut may show both. What is asked for is 1 ms wider: a record that follows in the next millisecond would
  // be shown as well, and pages would be cut where those of the first reading were.
  const isFollowed = isMoment(time + 1)
  const end = moments.length === 2 ? time - 1 : isFollowed ? time : time + 1
  const begin = !isFollowed && isMoment(time - 1) && moments.length > 2 ? time + 1 : time
  const before = { from: Math.min(from, Math.max(end - (to - from), settled.from)), to: end }
  // Behind settled time records still arrive, and would move others to the next page.
  const after = { from: begin, to: Math.max(Math.min(begin + (to - from), settled.to), to) }
  const shows = ({ from, to }: Coverage.Interval): number => known.filter((at) => at >= from && at < to).length
  const longer = shows(before) < shows(after) ? after : before
  return isAnswered && (!isBeyond || shows(longer) > listing.listed) ? [longer] : [before, after]
}
