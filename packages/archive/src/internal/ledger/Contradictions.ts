/** Two decisions contradict each other where no report could follow both; the same decision twice is one too many. */
import type * as Decision from "../../Decision.ts"
import { keyOf } from "./Subjects.ts"

type Named = Pick<Decision.Subject, "id" | "side">

/** What a decision of the ledger says, or a line of a policy file. */
export interface Said extends Pick<Decision.Followed, "kind"> {
  readonly entries: ReadonlyArray<Named>
}

const holds = ({ entries }: Said) => {
  const keys = new Set(entries.map(keyOf))
  return (named: Named): boolean => keys.has(keyOf(named))
}

/**
 * Whether following one leaves no way, or no need, to follow the other, which was said later. What somebody accepts was told after
 * all pairs were forbidden that are; a pair that is forbidden later takes an outcome apart that holds both of its entries.
 */
export const contradict = (a: Said, b: Said): boolean => {
  if (a.kind === "forbid" && b.kind === "accept") return false
  if (a.kind === "accept" && b.kind === "forbid") return b.entries.every(holds(a))
  if (a.kind !== "forbid" && b.kind !== "forbid") return a.entries.some(holds(b))
  // An entry that takes no part is in no pair, so that an exclusion does not mind what is forbidden.
  if (a.kind === "exclude" || b.kind === "exclude") return false
  return a.kind === "forbid" ? a.entries.every(holds(b)) : b.entries.every(holds(a))
}

/** Names an entry in a sentence. */
export const named = ({ id, side }: Named): string => `${side} "${id}"`

const listed = (entries: ReadonlyArray<Named>): string => entries.map(named).join(" and ")

/** So many entries of an outcome are named in a sentence: a class of equal amounts may have thousands. */
const MOST = 3

/** The entries of an outcome that a sentence names. */
export const few = <A>(entries: ReadonlyArray<A>): ReadonlyArray<A> => entries.slice(0, MOST)

const listedFew = (entries: ReadonlyArray<Named>): string => {
  const others = entries.length - few(entries).length
  return `${listed(few(entries))}${others === 0 ? "" : ` and ${others} more`}`
}

/** Says what a decision says, as the predicate of a sentence: `links deposit d1 and transfer t1`. */
export const says = (body: Decision.Body): string => {
  switch (body.kind) {
    case "link":
      return `links ${listed(body.entries)}`
    case "forbid":
      return `says that ${listed(body.entries)} do not belong together`
    case "exclude":
      return `excludes ${listed(body.entries)}`
    case "accept":
      return `accepts the ${body.code} of ${listedFew(body.entries)}`
    case "note":
      return `is a note on ${listed(body.entries)}`
    case "approve":
      return `approves decision ${body.decision}`
    case "setting":
      return "says how decisions are made"
    default:
      return `revokes decision ${body.decision}`
  }
}
