/** What no longer agrees with what was written. */
import type * as Coverage from "@tallystick/core/Coverage"

export const GAP: Coverage.Gap = {
  code: "damaged",
  detail: "the archive does not hold what was proven here: read it again, or restore a backup"
}

/** Coverage that no longer says that anything in `damaged` is complete. Both are free of overlaps, `damaged` in order of time. */
export const withGaps = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  damaged: ReadonlyArray<Coverage.Interval>,
  gap: Coverage.Gap = GAP
): ReadonlyArray<Coverage.Coverage> =>
  damaged.length === 0 ? coverage : coverage.flatMap((part): ReadonlyArray<Coverage.Coverage> => {
    if (part.state !== "complete") return [part]
    const parts: Array<Coverage.Coverage> = []
    let at = part.from
    for (const { from, to } of damaged) {
      const [begin, end] = [Math.max(from, at), Math.min(to, part.to)]
      if (begin >= end) continue
      if (at < begin) parts.push({ ...part, from: at, to: begin })
      parts.push({ ...part, from: begin, to: end, state: "incomplete", gap })
      at = end
    }
    if (at < part.to) parts.push({ ...part, from: at })
    return parts
  })
