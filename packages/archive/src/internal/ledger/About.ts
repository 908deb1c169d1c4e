/** What a decision is about: a revocation is about what it takes back, and an approval about what it approves. */
import * as Decision from "../../Decision.ts"

/** Finds that decision among all that the ledger has; nothing where the ledger lacks it, or has it only behind the row that names it. */
export const make = (decisions: ReadonlyArray<Decision.Decision>) => {
  const byNumber = new Map(decisions.map((decision) => [decision.body.number, decision]))
  const of = (decision: Decision.Decision | undefined): Decision.Decision | undefined => {
    const body = decision?.body
    if (body?.kind !== "revoke" && body?.kind !== "approve") return decision
    return body.decision < body.number ? of(byNumber.get(body.decision)) : undefined
  }
  return of
}

/** Counts the decisions that wait for another person and are about entries before a moment, Unix ms. */
export const waitingBefore = (decisions: ReadonlyArray<Decision.Decision>, moment: number): number => {
  const aboutOf = make(decisions)
  return decisions.filter((decision) => {
    const about = Decision.isProposed(decision) ? aboutOf(decision) : undefined
    return about !== undefined && Decision.subjects(about.body).some(({ at }) => at < moment)
  }).length
}
