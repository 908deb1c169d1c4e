/** Coverage that was read while somebody wrote: no more of it counts as complete than of an earlier reading. */
import * as Coverage from "@tallystick/core/Coverage"

const GAP: Coverage.Gap = { code: "not-read", detail: "it was read only while this report was made: run it again" }

/** `parts`, of which nothing is complete that is not complete in `earlier` as well. */
export const within = (
  parts: ReadonlyArray<Coverage.Coverage>,
  earlier: ReadonlyArray<Coverage.Coverage>
): ReadonlyArray<Coverage.Coverage> =>
  parts.flatMap((part) => {
    if (part.state !== "complete") return [part]
    const known = earlier.filter((other) => Coverage.sameScope(part, other))
    const found: Array<Coverage.Coverage> = []
    let at = part.from
    for (const { from, to } of Coverage.uncovered(known, part)) {
      if (at < from) found.push({ ...part, from: at, to: from })
      found.push({ ...part, from, to, state: "incomplete", gap: GAP })
      at = to
    }
    if (at < part.to) found.push({ ...part, from: at })
    return found
  })
