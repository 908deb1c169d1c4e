/**
 * Writes the report as JSON: one object, each outcome on a line of its own. Where only some outcomes are asked for, it writes an extract,
 * which cannot be read as a report.
 */
import * as Extract from "@tallystick/reconcile/Extract"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Iterable from "effect/Iterable"
import * as Schema from "effect/Schema"
import type * as LeftOut from "./internal/content/LeftOut.ts"
import * as WrittenOutcome from "./internal/WrittenOutcome.ts"
import * as SafeJson from "./text/SafeJson.ts"

const encodeFacts = Schema.encodeSync(Report.Summary)

const encodeEnding = Schema.encodeSync(Extract.Ending)

/** These options say which outcomes are written. */
export interface Options extends LeftOut.Options {}

/** Writes the outcomes under their key, behind the other facts. */
const whole = (
  about: Report.Summary,
  facts: object,
  key: "carried" | "outcomes",
  outcomes: ReadonlyArray<Outcome.Outcome>
): Iterable<string> => {
  const last = outcomes.length - 1
  const written = WrittenOutcome.of(about)
  return Iterable.flatten([
    [`${SafeJson.stringify(facts).slice(0, -1)},"${key}":[\n`],
    Iterable.map(
      outcomes,
      (outcome, index) => `${SafeJson.stringify(written(outcome))}${index === last ? "" : ","}\n`
    ),
    ["]}\n"]
  ])
}

/** Returns the text in parts of one line each, so that no report is too long for a string. */
export const parts = (report: Report.Report, { only }: Options = {}): Iterable<string> => {
  if (only === undefined) {
    const { outcomes, ...facts } = report
    return whole(report, encodeFacts(facts), "outcomes", outcomes)
  }
  const { carried, ...facts } = Extract.of(report, only)
  return whole(report, encodeEnding(facts), "carried", carried)
}

/** Returns the report as one text that ends in a line break. */
export const render = (report: Report.Report, options: Options = {}): string =>
  Array.from(parts(report, options)).join("")
