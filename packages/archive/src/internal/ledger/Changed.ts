/** What the archive tells otherwise of an entry than when somebody decided on it. */
import * as Amount from "@tallystick/core/Amount"
import type * as Decision from "../../Decision.ts"
import * as Contradictions from "./Contradictions.ts"
import type * as Subjects from "./Subjects.ts"

/** Says so as a clause; nothing where the entry is as it was. */
export const of = (was: Decision.Subject, kept: Subjects.Kept | undefined): string | undefined => {
  const name = Contradictions.named(was)
  if (kept === undefined || kept.hasVanished) return `${name} is gone`
  const is = kept.subject
  if (is.asset !== was.asset) return `${name} is of ${is.asset} now, and was of ${was.asset}`
  if (Amount.canonical(is.amount) !== Amount.canonical(was.amount)) {
    return `the amount of ${name} is ${is.amount} now, and was ${was.amount}`
  }
  return (is.conflicts ?? 0) > (was.conflicts ?? 0) ? `the service told another content of ${name} since` : undefined
}
