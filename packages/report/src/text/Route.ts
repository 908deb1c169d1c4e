/** Whose an entry is, in words. */
import type * as Entry from "@tallystick/reconcile/Entry"

/** Its account, or where it went from and to. */
export const of = ({ account, from, to }: Entry.Entry): string => {
  if (account !== undefined) return account
  return from === undefined && to === undefined ? "account unknown" : `${from || "master"} to ${to || "master"}`
}
