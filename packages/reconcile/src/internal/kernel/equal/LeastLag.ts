/**
 * Chooses the optional entries to match, so that every required entry is matched and the total |lag| is least.
 *
 * Without crossings, the k-th required entry goes with the k-th chosen optional entry. Let X be the number of optional
 * entries chosen so far, and P the number of required entries so far. Then
 * - a choice fits the window exactly if, before each optional entry o, X has reached the number of required entries
 *   earlier than `o - after`, and, after o, X does not exceed the number of required entries up to `o + before`;
 * - the total |lag| of a choice is the integral of |P - X| over time, whether or not the window contains the lag 0.
 *
 * The least cost of reaching X is a convex function of X, and is kept as its ascending slopes. An optional entry adds a
 * slope 0 (it is taken or not), time lowers the slopes below P and raises those above it, and the window cuts off both ends.
 * Slopes above P never fall below zero, so the minimum lies at or below P. Slopes that became negative stay negative, and
 * are only counted. The other slopes form one array with a cursor at P. It grows and shrinks at its low end and shrinks at its
 * high end, which takes amortised constant time for each entry.
 */
import { f64, i32 } from "../Column.ts"

/** Two optima as flags: 1 means chosen. Every optimum lies between them. */
export interface Choice {
  /** The optimum that chooses as early as possible: at every time it has chosen as many as any optimum. */
  readonly earliest: Uint8Array
  /** The optimum that chooses as late as possible: at every time it has chosen as few as any optimum. */
  readonly latest: Uint8Array
}

/**
 * Returns both extreme optima, as flags over `optional`. Candidates satisfy `-before <= optional - required <= after`, and
 * times are integers in ascending order. Some choice must be able to match every required entry.
 */
export const choose = (required: Float64Array, optional: Float64Array, before: number, after: number): Choice => {
  const count = optional.length
  // The interval of the cheapest X just before each optional entry. The walk back needs nothing else.
  const cheapestLow = new Int32Array(count)
  const cheapestHigh = new Int32Array(count)

  // slopes[first..cursor) lie below P and hold slope + now, slopes[cursor..end) lie above it and hold slope - now.
  const slopes = new Float64Array(count)
  let first = count
  let cursor = count
  let end = count
  let negative = 0
  let least = 0
  let most = 0
  let passed = 0
  let low = 0
  let high = 0
  let now = Number.NEGATIVE_INFINITY
  let due = 0
  let known = 0

  const advance = (time: number) => {
    if (time === now) return
    now = time
    while (first < cursor && f64(slopes, first) < now) {
      first++
      negative++
    }
    low = least + negative
    let level = first
    while (level < cursor && f64(slopes, level) === now) level++
    high = low + level - first
  }

  const passRequired = () => {
    passed++
    if (least + negative + cursor - first >= passed || cursor === end) return
    slopes[cursor] = f64(slopes, cursor) + 2 * now
    cursor++
  }

  const raiseLeast = (bound: number) => {
    for (; least < bound; least++) {
      if (negative > 0) negative--
      else {
        if (cursor === first) cursor++
        first++
      }
    }
    low = Math.max(low, least)
    high = Math.max(high, least)
  }

  const lowerMost = (bound: number) => {
    for (; most > bound; most--) {
      if (end === first) negative--
      else {
        if (cursor === end) cursor--
        end--
      }
    }
    low = Math.min(low, most)
    high = Math.min(high, most)
  }

  const insertZero = () => {
    most++
    high++
    slopes[--first] = now
    if (least + negative + cursor - first <= Math.max(passed, least)) return
    cursor--
    slopes[cursor] = f64(slopes, cursor) - 2 * now
  }

  for (let entry = 0; entry < count; entry++) {
    const time = f64(optional, entry)
    while (passed < required.length && f64(required, passed) <= time) {
      advance(f64(required, passed))
      passRequired()
    }
    advance(time)
    while (due < required.length && f64(required, due) < time - after) due++
    raiseLeast(due)
    cheapestLow[entry] = low
    cheapestHigh[entry] = high
    insertZero()
    while (known < required.length && f64(required, known) <= time + before) known++
    lowerMost(known)
  }
  return { earliest: walkBack(required.length, cheapestHigh), latest: walkBack(required.length, cheapestLow) }
}

/** Walks from the last X back to 0. It takes an entry where staying at X would cost more, and `cheapest` breaks ties. */
const walkBack = (total: number, cheapest: Int32Array): Uint8Array => {
  const chosen = new Uint8Array(cheapest.length)
  let reached = total
  for (let entry = cheapest.length - 1; entry >= 0; entry--) {
    if (reached <= i32(cheapest, entry)) continue
    chosen[entry] = 1
    reached--
  }
  return chosen
}
