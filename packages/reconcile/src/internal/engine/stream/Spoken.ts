/** Knows up to which time a stream has said what it read. Silence after that may be a gap, or the end of the reading. */
import * as Coverage from "@tallystick/core/Coverage"

export interface Spoken {
  readonly add: (coverage: ReadonlyArray<Coverage.Coverage>) => void
  /**
   * Returns the time up to which the coverage of every query reaches so far, Unix ms. It is infinity before the first
   * coverage: all entries that came earlier lie in a gap, whether coverage follows or not.
   */
  readonly until: () => number
}

export const make = (operation: Coverage.Coverage["operation"]): Spoken => {
  /** The end of the coverage of each query. */
  const ends = new Map<string, number>()
  return {
    add: (coverage) => {
      for (const one of coverage) {
        if (one.operation !== operation || one.from === one.to) continue
        const key = Coverage.keyOf(one.query)
        ends.set(key, Math.max(ends.get(key) ?? one.to, one.to))
      }
    },
    until: () => {
      // Coverage of everything counts for each query.
      const least = ends.get("") ?? Number.NEGATIVE_INFINITY
      let until = ends.size === 1 && ends.has("") ? least : Number.POSITIVE_INFINITY
      for (const [key, end] of ends) if (key !== "") until = Math.min(until, Math.max(end, least))
      return until
    }
  }
}
