/** Why an archive's knowledge of earlier times speaks against an entry. Written from the rules, without the engine. */
import type * as Entry from "../../../src/Entry.ts"

type Reason = "source-conflict" | "vanished" | "status-regressed"

/** Conflict before vanished before status; what is settled now may have been anything. */
export const reasonOf = ({ past, status }: Entry.Entry): Reason | undefined => {
  if (past === undefined) return undefined
  if ((past.conflicts ?? []).length > 0) return "source-conflict"
  if (past.vanishedAt !== undefined) return "vanished"
  const before = new Set(past.statuses.map((earlier) => earlier.status))
  if (before.has("settled") && status !== "settled") return "status-regressed"
  if (before.has("failed") && (status === "pending" || status === "unknown")) return "status-regressed"
  return undefined
}
