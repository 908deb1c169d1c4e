/** Says in words whose an entry is. */
import type * as Entry from "@tallystick/reconcile/Entry"

/** Returns the account of the entry, or the ends of the transfer. */
export const of = ({ account, from, to }: Entry.Entry): string => {
  if (account !== undefined) return account
  return from === undefined && to === undefined ? "account unknown" : `${from || "master"} to ${to || "master"}`
}
