import { assert, describe, it } from "@effect/vitest"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as MaskedFacts from "../src/internal/MaskedFacts.ts"

const masks = { id: () => "#id", account: () => "#account", text: () => "#text" }

/** What a fact may say as it is: amounts, assets, and the words of our own. */
const open = new Set([
  "accepted",
  "amount",
  "amounts",
  "as",
  "asset",
  "by",
  "code",
  "common",
  "decidedBy",
  "difference",
  "flat",
  "how",
  "kind",
  "least",
  "objection",
  "outcome",
  "ownResidual",
  "rate",
  "residual",
  "side",
  "status",
  "sum",
  "unknown",
  "was"
])

/** The texts of some facts that are not masked, and may not be told as they are. */
const untold = (value: unknown, field = ""): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((one) => untold(one, field))
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => (key === "doubts" ? [] : untold(one, key)))
  }
  return typeof value !== "string" || value.startsWith("#") || (open.has(field) && field !== "by") ||
      ["", "master", "time", "time or amount"].includes(value)
    ? []
    : [`${field}: ${value}`]
}

describe("masked facts", () => {
  for (const member of Outcome.Because.members) {
    const { literal } = member.fields.code
    it.prop(`tell no id, account or free text of an outcome: ${literal}`, [member], ([facts]) => {
      assert.deepStrictEqual(untold(MaskedFacts.because(masks, facts)), [])
    })
  }

  for (const member of Outcome.Note.members) {
    const { literal } = member.fields.code
    it.prop(`tell none of a candidate: ${literal}`, [member], ([facts]) => {
      assert.deepStrictEqual(untold(MaskedFacts.note(masks, facts)), [])
    })
  }
})
