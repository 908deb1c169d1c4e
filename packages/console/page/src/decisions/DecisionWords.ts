/** Says what a decision does, in words that stand behind its author: `links deposit … with transfer …`. */
import type * as Decision from "@tallystick/archive/Decision"
import * as Text from "@tallystick/report/text/Text"

export const verbs: Readonly<Record<Decision.Kind, string>> = {
  link: "linked",
  forbid: "kept apart",
  exclude: "excluded",
  accept: "accepted",
  note: "noted",
  revoke: "took back",
  approve: "approved",
  setting: "set how decisions are made"
}

export const reasons: Readonly<Record<Decision.Reason, string>> = {
  fee: "Fee",
  rounding: "Rounding",
  "network-mistake": "Wrong network",
  "moved-elsewhere": "Moved elsewhere",
  duplicate: "Duplicate",
  test: "Test",
  "exchange-error": "Error of the exchange",
  "write-off": "Write-off",
  other: "Other"
}

/** What a decision that names no entries is about. */
export const object = (body: Decision.Body): string => {
  switch (body.kind) {
    case "revoke":
    case "approve":
      return `decision ${body.decision}`
    case "setting":
      return `approvals ${body.approvals ? "by a second person" : "not needed"}, authors ${
        body.authors === "token" ? "with a token" : "by any name"
      }`
    default:
      return Text.counted(body.entries.length, "entry", "entries")
  }
}

/** Whether it holds. */
export const standing = (decision: Decision.Decision): { readonly words: string; readonly kind: string } => {
  if (decision.revokedBy !== undefined) return { words: `taken back by ${decision.revokedBy}`, kind: "" }
  if (decision.approvedBy !== undefined) return { words: `approved by ${decision.approvedBy}`, kind: "good" }
  return decision.proposed === true
    ? { words: "waits for approval", kind: "doubtful" }
    : { words: "holds", kind: "good" }
}
