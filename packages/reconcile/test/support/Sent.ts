/** Parts of a run as another machine gets them, and reports as files hold them. */
import * as Schema from "effect/Schema"
import * as Report from "../../src/Report.ts"

const sums = Schema.fromJsonString(Report.Sums)
const outcomes = Schema.fromJsonString(Schema.Array(Report.ReportOutcome))

/** Sends a part to another machine. */
export const sent = (part: Report.Part): Report.Part => ({
  sums: Schema.decodeSync(sums)(Schema.encodeSync(sums)(part.sums)),
  outcomes: Schema.decodeSync(outcomes)(JSON.stringify(part.outcomes.map(Report.written)))
})

export const written = (report: Report.Report): string =>
  JSON.stringify({ ...report, outcomes: report.outcomes.map(Report.writtenIn(report.range)) })
