/** Coverage may be read while it is written: it counts as complete only where an earlier reading of it was complete as well. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"

const GAP: Coverage.Gap = { code: "not-read", detail: "it was read only while this report was made: run it again" }

/** Gives `parts`, complete only where `earlier` is complete as well. */
export const within = (
  parts: ReadonlyArray<Coverage.Coverage>,
  earlier: ReadonlyArray<Coverage.Coverage>
): ReadonlyArray<Coverage.Coverage> =>
  parts.flatMap((part) => {
    if (part.state !== "complete") return [part]
    const known = earlier.filter((other) => other.state === "complete" && Coverage.sameScope(part, other))
    return Timeline.pieces(Timeline.union(known), part).map(({ from, part: before, to }): Coverage.Coverage =>
      Object.assign({}, part, { from, to }, before === undefined ? { state: "incomplete" as const, gap: GAP } : {})
    )
  })
