/** Names the kinds of outcomes as people call them. */
import type * as Outcome from "@tallystick/reconcile/Outcome"

const titles: Readonly<Record<Outcome.Kind, string>> = {
  matched: "match",
  discrepancy: "break",
  pending: "pending",
  undetermined: "not decidable",
  "set-aside": "set aside"
}

export const of = (kind: Outcome.Kind): string => titles[kind]
