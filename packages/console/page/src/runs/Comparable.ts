/** Which two runs are compared before anybody chose: two that are about the same time, the last ones of all that are. */
import type * as Run from "@tallystick/archive/Run"

type Ranged = Pick<Run.Run, "id" | "range">

/** Tells whether there is time that both are about. A run without a range is about everything. */
const meet = ({ range: one }: Ranged, { range: other }: Ranged): boolean =>
  one === null || other === null || (one.from < other.to && other.from < one.to)

/** Gives the two, the earlier one first; `runs` has the last one first. */
export const pair = (runs: ReadonlyArray<Ranged>): readonly [before: string, after: string] | undefined => {
  for (const [place, after] of runs.entries()) {
    const before = runs.slice(place + 1).find((run) => meet(run, after))
    if (before !== undefined) return [before.id, after.id]
  }
  return undefined
}
