/** A hole is time that nobody read although later time was read. The matcher must not take it for time that is still to come. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Timeline from "@tallystick/core/Timeline"

export type Scope = Pick<Coverage.Coverage, "operation" | "query">

const whole = ({ operation, query }: Scope, { from, to }: Coverage.Interval): Coverage.Coverage => ({
  operation,
  ...(query === undefined ? {} : { query }),
  from,
  to,
  readAt: 0,
  state: "complete"
})

const GAP: Coverage.Gap = { code: "not-read", detail: "nobody read it, although later time was read" }

/** Finds the time in `interval` of which nothing is known, for one scope. */
const holes = (coverage: ReadonlyArray<Coverage.Coverage>, scope: Scope, interval: Coverage.Interval) => {
  const asked = whole(scope, interval)
  const known = coverage.filter((part) =>
    part.operation === scope.operation && (part.query === undefined || Coverage.sameScope(part, asked))
  )
  return Timeline.gaps(known, interval)
}

const gap = (scope: Scope) => (hole: Coverage.Interval): Coverage.Coverage =>
  Object.assign(whole(scope, hole), { state: "incomplete" as const, gap: GAP })

export interface Options {
  readonly scopes: ReadonlyArray<Scope>
  /** Nothing is known of the time before this, which is no hole, Unix ms. */
  readonly since: number
  /** Everything behind this time may still come, Unix ms. */
  readonly until: number
  /** It is true where there is coverage of all queries at once, which ends where it ends and must not look as if it went on. */
  readonly ofAll: boolean
}

/** Names the holes of a slice before `until`. */
export const named = ({ ofAll, scopes, since, until }: Options) => <Record>(slice: Slice.Slice<Record>) => {
  const interval = Timeline.common(slice, { from: since, to: until })
  if (interval === undefined) return slice
  const found = scopes.flatMap((scope) => holes(slice.coverage, scope, interval).map(gap(scope)))
  if (found.length === 0) return slice
  const [first] = found
  const everyone = ofAll && first?.query !== undefined ? found.map(gap({ operation: first.operation })) : []
  return { ...slice, coverage: [...slice.coverage, ...found, ...Coverage.merge(everyone)] }
}
