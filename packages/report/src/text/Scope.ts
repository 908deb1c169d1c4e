/** Says in words what a coverage is about. */
import type * as Coverage from "@tallystick/core/Coverage"

export const scopeOf = ({ operation, query }: Pick<Coverage.Coverage, "operation" | "query">): string => {
  if (query === undefined) return operation
  const types = query.fromAccountType === "" ? "" : ` (${query.fromAccountType} to ${query.toAccountType})`
  return `${operation} from ${query.fromAccount ?? "master"} to ${query.toAccount ?? "master"}${types}`
}
