/** Two rulings contradict each other where no matching could follow both; the same ruling twice is one too many. */
import type * as Decision from "../../Decision.ts"
import { keyOf } from "./Subjects.ts"

type Named = Pick<Decision.Subject, "id" | "side">

/** What a ruling of the ledger says, or a line of a policy file. */
export interface Said extends Pick<Decision.Ruling, "kind"> {
  readonly entries: ReadonlyArray<Named>
}

const holds = ({ entries }: Said) => {
  const keys = new Set(entries.map(keyOf))
  return (named: Named): boolean => keys.has(keyOf(named))
}

/** Whether following one leaves no way, or no need, to follow the other. */
export const contradict = (a: Said, b: Said): boolean => {
  if (a.kind !== "forbid" && b.kind !== "forbid") return a.entries.some(holds(b))
  // An entry that takes no part is in no pair, so that an exclusion does not mind what is forbidden.
  if (a.kind === "exclude" || b.kind === "exclude") return false
  return a.kind === "forbid" ? a.entries.every(holds(b)) : b.entries.every(holds(a))
}

/** Names an entry in a sentence. */
export const named = ({ id, side }: Named): string => `${side} "${id}"`

const listed = (entries: ReadonlyArray<Named>): string => entries.map(named).join(" and ")

/** Says what a decision says, as the predicate of a sentence: `links deposit d1 and transfer t1`. */
export const says = (body: Decision.Body): string => {
  switch (body.kind) {
    case "link":
      return `links ${listed(body.entries)}`
    case "forbid":
      return `says that ${listed(body.entries)} do not belong together`
    case "exclude":
      return `excludes ${listed(body.entries)}`
    case "note":
      return `is a note on ${listed(body.entries)}`
    default:
      return `revokes decision ${body.decision}`
  }
}
