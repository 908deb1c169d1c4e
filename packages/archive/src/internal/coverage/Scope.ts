/** A scope is one operation and query; coverage tells what is known about it. */
import * as Coverage from "@tallystick/core/Coverage"

export const of = (
  operation: Coverage.Coverage["operation"],
  query: Coverage.TransferQuery | undefined
): Coverage.Coverage => ({
  operation,
  ...(query === undefined ? {} : { query }),
  from: 0,
  to: 0,
  readAt: 0,
  state: "open"
})

/** Picks the coverage that speaks of an operation and query: coverage without a query speaks of every one. */
export const about = (scope: Coverage.Coverage) => (coverage: ReadonlyArray<Coverage.Coverage>) =>
  coverage.filter((part) =>
    part.operation === scope.operation && (part.query === undefined || Coverage.sameScope(part, scope))
  )
