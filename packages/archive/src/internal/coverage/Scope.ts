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

const keyOf = ({ operation, query }: Pick<Coverage.Coverage, "operation" | "query">): string =>
  `${operation} ${Coverage.keyOf(query)}`

type Index = ReadonlyMap<string, ReadonlyArray<Coverage.Coverage>>

/** A round asks the same coverage about thousands of queries. */
const indexes = new WeakMap<ReadonlyArray<Coverage.Coverage>, Index>()

const indexOf = (coverage: ReadonlyArray<Coverage.Coverage>): Index => {
  const known = indexes.get(coverage)
  if (known !== undefined) return known
  const made: Index = Map.groupBy(coverage, keyOf)
  indexes.set(coverage, made)
  return made
}

/** Picks the coverage that speaks of an operation and query: coverage without a query speaks of every one. */
export const about =
  (scope: Coverage.Coverage) => (coverage: ReadonlyArray<Coverage.Coverage>): ReadonlyArray<Coverage.Coverage> => {
    const index = indexOf(coverage)
    const everything = index.get(keyOf({ operation: scope.operation })) ?? []
    return scope.query === undefined ? everything : [...everything, ...(index.get(keyOf(scope)) ?? [])]
  }
