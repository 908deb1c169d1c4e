/** Outcomes of what never took part: conflicting versions of one identity, and records that cannot be used. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Words from "../Words.ts"
import * as Lacking from "./Lacking.ts"
import * as Outcomes from "./Outcomes.ts"

/** Of the versions that the source gave of one entry. */
export const conflict = (side: Entry.Side, versions: ReadonlyArray<Entry.Entry>): Outcome.Outcome =>
  Outcomes.aside(
    "source-conflict",
    `The source gave ${versions.length} different contents for ${side} ${versions[0]?.id}; none of them was matched.`,
    side === "deposit" ? { deposits: versions } : { transfers: versions }
  )

/** Numbers records that are alike in everything. */
export const numbering = (): (record: BadRecord.BadRecord) => Outcome.Outcome => {
  const seen = new Map<string, number>()
  return (record) => {
    const key = JSON.stringify([record.side, record.source, record.path, record.reason, record.raw])
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    const field = record.path === "" ? "" : `"${record.path}": `
    return Outcomes.aside(
      "bad-record",
      `A ${record.side} record at ${record.source} could not be used: ${field}${record.reason}.`,
      { bad: record, ordinal }
    )
  }
}

/** What is missing, or lacking, may be among records that could not be used: then nothing is final about it. */
export const besideBad = (
  unusable: Readonly<Record<Entry.Side, number>>,
  outcome: Outcome.Outcome
): Outcome.Outcome => {
  const { code, explanation } = outcome
  if (code === "missing-transfer" || code === "missing-deposit") {
    const other = code === "missing-transfer" ? "transfer" : "deposit"
    const said = explanation
      .replace(Words.everythingRead, " among the records that could be used")
      .replace(/\.$/, "")
    return unusable[other] === 0 ? outcome : {
      ...outcome,
      final: false,
      explanation: `${said}; some ${other} records could not be used, and it may be among them.`
    }
  }
  if (!Lacking.short.has(code) && !Lacking.instead.has(code)) return outcome
  const sides = (["deposit", "transfer"] as const).filter((side) => unusable[side] > 0)
  return sides.length === 0 ? outcome : {
    ...outcome,
    final: false,
    explanation: `${explanation} Some ${sides.join(" and ")} records could not be used; with them it may be otherwise.`
  }
}
