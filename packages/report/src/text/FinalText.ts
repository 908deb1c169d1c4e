/** Says whether an outcome is final, and if not, what it waits for: a moment, or what has to be read or told first. */
import type * as Outcome from "@tallystick/reconcile/Outcome"

/** What has to happen where the source or the policy has to say more. */
const causes: Readonly<Partial<Record<Outcome.Code, string>>> = {
  unconfirmed: "may change once its source settles it",
  "unknown-status": "may change once the policy knows its status"
}

/** Returns the words; `at` writes a moment as the report does. */
export const of = (outcome: Outcome.Outcome, at: (ms: number) => string): string => {
  const { because, code, final, finalFrom, missing } = outcome
  if (final) return "final"
  if (finalFrom !== undefined) return `final on ${at(finalFrom)} at the earliest`
  if (missing?.gap?.code === "unattributed") return "may change once it is known whose the address is"
  if (missing !== undefined) return "may change once the missing time is read"
  if (because?.doubts?.some((doubt) => doubt.startsWith("unusable-")) === true) {
    return "may change once the unusable records are read"
  }
  return causes[code] ?? "may still change"
}
