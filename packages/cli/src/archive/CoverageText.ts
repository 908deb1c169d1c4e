/** The operation and the queries of coverage, in words. */
import type * as Coverage from "@tallystick/core/Coverage"
import { scopeOf } from "@tallystick/report/text/Scope"
import * as Text from "@tallystick/report/text/Text"

/** The most queries that are named. */
const NAMED = 3

/** `deposits`; `transfers from sub00001 to master (SPOT to SPOT)`; the same of some queries `and 37 more`. */
export const about = (
  operation: Coverage.Coverage["operation"],
  queries: ReadonlyArray<Coverage.TransferQuery>
): string => {
  if (queries.length === 0) return operation
  const named = queries.slice(0, NAMED).map((query) => scopeOf({ operation, query }))
  const [first = "", ...others] = named
  const rest = queries.length - named.length
  const parts = [first, ...others.map((text) => text.replace(`${operation} `, ""))]
  return rest > 0 ? `${parts.join(", ")} and ${Text.count(rest)} more` : Text.listed(parts)
}
