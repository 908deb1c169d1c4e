/** Makes outcomes of records that never took part: conflicting versions of one identity, and bad records. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Outcomes from "./Outcomes.ts"

/** Makes the outcome of several versions of one entry. */
export const conflict = (side: Entry.Side, versions: ReadonlyArray<Entry.Entry>): Outcome.Outcome =>
  Outcomes.aside(
    "source-conflict",
    { code: "given-in-versions" },
    side === "deposit" ? { deposits: versions } : { transfers: versions }
  )

/** Makes outcomes of bad records, and numbers those that are alike in everything: of all records of a run, one after the other. */
export const numbering = (): (record: BadRecord.BadRecord) => Outcome.Outcome => {
  const seen = new Map<string, number>()
  return (record) => {
    const key = JSON.stringify([record.side, record.source, record.path, record.reason, record.raw])
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return Outcomes.aside("bad-record", { code: "unusable-record" }, { bad: record, ordinal })
  }
}

/** Makes the outcomes of all bad records of a run, in the order of a report. */
export const ofBad = (bad: ReadonlyArray<BadRecord.BadRecord>): ReadonlyArray<Outcome.Outcome> =>
  Outcomes.inOrder(bad.map(numbering()))
