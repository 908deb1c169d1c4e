/** Remembers which faults a watch has told, so that one that goes on for hours is told in full once an hour, and not every round. */

const HOUR = 3_600_000

/**
 * Takes the causes of a round and its time, Unix ms, and says whether they are to be told in full. A clock that was set back by an
 * hour or more has them told again.
 */
export type ToldFaults = (causes: Iterable<string>, now: number) => boolean

export const make = (): ToldFaults => {
  let told: ReadonlySet<string> = new Set()
  let at = Number.NEGATIVE_INFINITY
  return (causes, now) => {
    const found = new Set(causes)
    const isKnown = Array.from(found).every((cause) => told.has(cause)) && Math.abs(now - at) < HOUR
    if (found.size === 0 || !isKnown) {
      told = found
      at = now
    }
    return !isKnown
  }
}
