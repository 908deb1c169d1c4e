/** Names what is read of the service, in a few words. */
import type * as Coverage from "@tallystick/core/Coverage"

/** `deposits`, `transfers from sub00001`, `transfers to sub00001`: the master account is not named. */
export const of = (
  operation: Coverage.Coverage["operation"],
  query: Pick<Coverage.TransferQuery, "fromAccount" | "toAccount"> = {}
): string => {
  const from = query.fromAccount === undefined ? "" : ` from ${query.fromAccount}`
  const to = query.toAccount === undefined ? "" : ` to ${query.toAccount}`
  return operation + from + to
}
