/** A record that only a file tells of is proven wrong where the service showed everything of its time and query. */
import * as Coverage from "@tallystick/core/Coverage"
import type { Covered } from "./Covered.ts"

/** Tells whether everything is proven of one of these queries at a time. */
export type Proven = (keys: ReadonlyArray<string>, at: number) => boolean

/** Tells whether one of these intervals, in order of time and without overlaps, holds a time. */
const holds = (parts: ReadonlyArray<Coverage.Interval>, at: number): boolean => {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle]?.to ?? at) <= at) low = middle + 1
    else high = middle
  }
  const part = parts[low]
  return part !== undefined && part.from <= at
}

/** Gives the proven parts of each query, in order of time. */
const byQuery = (known: ReadonlyArray<Covered>): ReadonlyMap<string, ReadonlyArray<Covered>> => {
  const parts = Map.groupBy(
    known.filter(({ state, vouched }) => state === "complete" && !vouched),
    ({ query }) => Coverage.keyOf(query)
  )
  for (const own of parts.values()) own.sort((a, b) => a.from - b.from)
  return parts
}

/**
 * Makes the test from what is known of one operation. Time that a person vouched for is not proven. The parts are sorted when
 * the first record asks, because most archives hold none that does.
 */
export const make = (known: ReadonlyArray<Covered>): Proven => {
  let parts: ReturnType<typeof byQuery> | undefined
  return (keys, at) => {
    parts ??= byQuery(known)
    return keys.some((key) => holds(parts?.get(key) ?? [], at))
  }
}
