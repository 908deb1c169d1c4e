/** The positions of a list, of which neighbours are joined: a range is walked once, however often it is joined. */
import * as DisjointSets from "./DisjointSets.ts"

export interface JoinedRuns {
  /** Joins the positions of `[from, to)`. Calls `visit` with each one that was not yet joined with the next. */
  readonly join: (from: number, to: number, visit: (position: number) => void) => void
}

export const make = (size: number): JoinedRuns => {
  // The smallest index of a set is its root: counted from the end, that is the last position of a run.
  const sets = DisjointSets.make(size)
  const mirror = (position: number): number => size - 1 - position
  const lastOf = (position: number): number => mirror(sets.find(mirror(position)))
  return {
    join: (from, to, visit) => {
      for (let last = lastOf(from); last < to - 1; last = lastOf(last + 1)) {
        visit(last)
        sets.join(mirror(last), mirror(last + 1))
      }
    }
  }
}
