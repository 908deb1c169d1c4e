/**
 * Remembers deposits that are not settled yet. Once such a deposit is seen to settle, its window reaches from its own time to
 * some time after that moment, so that any transfer until then may be compared with it.
 */
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import type { Terms } from "./Terms.ts"

/** A service shows no deposit for longer than this, so that none is seen to settle later, ms. */
const SHOWN = 7 * 86_400_000

export interface PendingDeposits {
  /** Takes the entry if it is such a deposit. Entries come in order of time. */
  readonly add: (entry: Entry.Entry) => void
  /** Whether one of them, of this alias group, may be compared with a transfer of that time (Unix ms) once it settles. */
  readonly mayReach: (group: string, time: number) => boolean
}

/** The time of transfers that some of them may be compared with, Unix ms, both ends inclusive. */
interface Reached {
  readonly from: number
  to: number
}

type Pending = Pick<Entry.Entry, "at" | "side" | "status">

/** Returns the time of transfers that an entry may be compared with once it settles; nothing if it is no such deposit. */
export const reached = (policy: Policy.Resolved): (entry: Pending) => Readonly<Reached> | undefined => {
  const horizon = Policy.horizon(policy)
  return ({ at, side, status }) =>
    policy.lagFrom === "seen" || side !== "deposit" || (status !== "pending" && status !== "unknown")
      ? undefined
      : { from: at - horizon, to: at + SHOWN + horizon }
}

export const make = ({ groupOf, policy }: Terms): PendingDeposits => {
  const reachedBy = reached(policy)
  /** In order of time, by alias group. They overlap nowhere, so that there is about one for a week. */
  const byGroup = new Map<string, Array<Reached>>()
  return {
    add: (entry) => {
      const own = reachedBy(entry)
      if (own === undefined) return
      const { from, to } = own
      const group = groupOf(entry.asset)
      const known = byGroup.get(group)
      const last = known?.at(-1)
      if (known === undefined) byGroup.set(group, [{ from, to }])
      else if (last === undefined || last.to < from) known.push({ from, to })
      else last.to = Math.max(last.to, to)
    },
    mayReach: (group, time) => byGroup.get(group)?.some(({ from, to }) => from <= time && time <= to) ?? false
  }
}
