/** Writes the report as JSON: one object, each outcome on a line of its own. */
import * as Report from "@tallystick/reconcile/Report"
import * as Iterable from "effect/Iterable"
import * as Schema from "effect/Schema"
import * as WrittenOutcome from "./internal/WrittenOutcome.ts"
import * as SafeJson from "./text/SafeJson.ts"

const encodeFacts = Schema.encodeSync(Report.Summary)

/** Returns the text in parts of one line each, so that no report is too long for a string. */
export const parts = (report: Report.Report): Iterable<string> => {
  const { outcomes, ...facts } = report
  const last = outcomes.length - 1
  const written = WrittenOutcome.of(report)
  return Iterable.flatten([
    [`${SafeJson.stringify(encodeFacts(facts)).slice(0, -1)},"outcomes":[\n`],
    Iterable.map(
      outcomes,
      (outcome, index) => `${SafeJson.stringify(written(outcome))}${index === last ? "" : ","}\n`
    ),
    ["]}\n"]
  ])
}

/** Returns the report as one text that ends in a line break. */
export const render = (report: Report.Report): string => Array.from(parts(report)).join("")
