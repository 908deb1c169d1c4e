/** The closes of a ledger, and which of them stand. */
import type * as Closing from "../../Closing.ts"
import type * as Period from "../../Period.ts"

/** Gives every close, the first one first, each with the reopening that took it back. */
export const all = (closings: ReadonlyArray<Closing.Closing>): ReadonlyArray<Period.Closed> => {
  const reopened = new Map(closings.flatMap(({ body }) => body.kind === "reopen" ? [[body.close, body] as const] : []))
  return closings.flatMap(({ body, id }): ReadonlyArray<Period.Closed> => {
    if (body.kind !== "close") return []
    const by = reopened.get(body.number)
    return [by === undefined ? { id, close: body } : { id, close: body, reopened: by }]
  })
}

/** Gives the last close that stands: the periods of those before it lie before its own. */
export const last = (closings: ReadonlyArray<Closing.Closing>): Closing.Close | undefined =>
  all(closings).findLast(({ reopened }) => reopened === undefined)?.close
