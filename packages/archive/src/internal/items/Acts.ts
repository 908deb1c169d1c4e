/** What people did about items. */
import * as Decision from "../../Decision.ts"
import type * as OpenItem from "../../OpenItem.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type * as ItemRow from "./ItemRow.ts"

type Acts = Pick<ItemRow.ItemRow, "decided" | "decision">

const decidedBy = (decisions: ReadonlyArray<Decision.Decision>): Acts["decided"] => {
  if (decisions.some((one) => Decision.isFollowed(one.body) && Decision.holds(one))) return "decided"
  if (decisions.some(Decision.isProposed)) return "proposed"
  return decisions.length === 0 ? "none" : "noted"
}

/** Indexes decisions by their entries, but for those that were taken back. */
export const make = (decisions: ReadonlyArray<Decision.Decision>) => {
  const byEntry = new Map<string, Array<Decision.Decision>>()
  for (const decision of decisions) {
    if (decision.revokedBy !== undefined) continue
    for (const entry of Decision.subjects(decision.body)) {
      const key = Subjects.keyOf(entry)
      const known = byEntry.get(key)
      if (known === undefined) byEntry.set(key, [decision])
      else known.push(decision)
    }
  }
  return ({ entries }: Pick<OpenItem.OpenItem, "entries">): Acts => {
    const own = entries.flatMap((entry) => byEntry.get(Subjects.keyOf(entry)) ?? [])
    return { decided: decidedBy(own), decision: own.reduce((last, { body }) => Math.max(last, body.number), 0) }
  }
}
