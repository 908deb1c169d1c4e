/** Whether somebody may approve a decision: it waits for another person, and all that it is about is as it was. */
import * as Option from "effect/Option"
import * as Decision from "../../Decision.ts"
import * as Acceptable from "./Acceptable.ts"
import * as Changed from "./Changed.ts"
import * as Facts from "./Facts.ts"
import type * as Subjects from "./Subjects.ts"

/** What the archive tells now. */
interface Now {
  readonly entry: Subjects.Lookup
  /** What the books tell of an outcome. */
  readonly outcome: (id: string) => Option.Option<Acceptable.Break>
}

/** Says what an acceptance does not meet any more. */
const changed = (was: Decision.Acceptance, now: Now): string | undefined => {
  const found = now.outcome(was.outcome)
  if (Option.isNone(found)) return `the books tell of outcome ${was.outcome} no more`
  return Facts.difference(was, Facts.of(found.value.outcome))?.text ??
    Acceptable.objection(found.value, { provisional: was.provisional === true }, now.entry)
}

/** Says why an author cannot approve a decision, as a clause; nothing where it can be approved. */
export const objection = (
  target: Decision.Decision | undefined,
  { by }: Decision.Author,
  now: Now
): string | undefined => {
  if (target === undefined) return "the ledger has no decision of this number"
  const { approvedBy, body, proposed, revokedBy } = target
  if (proposed !== true) return "it needs no approval"
  if (revokedBy !== undefined) return `decision ${revokedBy} revoked it`
  if (approvedBy !== undefined) return `decision ${approvedBy} did so already`
  if (Decision.isSamePerson(body.by, by)) return `it was proposed by ${body.by}, and another person has to approve it`
  if (Decision.isAcceptance(body)) return changed(body, now)
  for (const entry of Decision.subjects(body)) {
    const text = Changed.of(entry, now.entry(entry))
    if (text !== undefined) return text
  }
  return undefined
}
