/** How far a stream has said what it read: silence after that may be a gap, or the end of what was read. */
import * as Coverage from "@tallystick/core/Coverage"

export interface Spoken {
  readonly add: (coverage: ReadonlyArray<Coverage.Coverage>) => void
  /**
   * Up to where all that was asked so far was spoken of, Unix ms. Infinity before the first word: all that
   * came earlier lies in a gap, whether a first word follows or not.
   */
  readonly until: () => number
}

export const make = (operation: Coverage.Coverage["operation"]): Spoken => {
  /** By query. */
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
      // What is said of everything is said of each query.
      const least = ends.get("") ?? Number.NEGATIVE_INFINITY
      let until = ends.size === 1 && ends.has("") ? least : Number.POSITIVE_INFINITY
      for (const [key, end] of ends) if (key !== "") until = Math.min(until, Math.max(end, least))
      return until
    }
  }
}
