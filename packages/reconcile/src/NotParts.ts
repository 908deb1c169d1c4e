/** The error of parts that are not those of one run. */
import * as Schema from "effect/Schema"

const advice = {
  question: "give all parts and their merge the same options and the same `whole`, by one version of the program",
  family: "give all assets of each family to one part, or of each stretch of it, and merge each part once",
  entries: "let all parts read what the run was surveyed with, to its end",
  outcomes: "merge the outcomes of a part with its own sums",
  bad:
    "count the records of all sides that could not be used before the first part is decided, and merge with all of them"
} as const

/** Parts were to be merged that do not make one run, or a part read what its run does not have. No report is made of them. */
export class NotParts extends Schema.TaggedError<NotParts>("@tallystick/reconcile/NotParts")("NotParts", {
  /**
   * `question`: a part or the survey was asked something else. `family`: a family of assets, or a stretch of it, is not in one part, or in
   * several. `entries`: a part has more or fewer entries than its families have in its times. `outcomes`: a part comes with outcomes that its sums do not count. `bad`: there are more or fewer
   * records that could not be used than the run has.
   */
  reason: Schema.Literals(["question", "family", "entries", "outcomes", "bad"]),
  /** What came and what was wanted, in words. */
  detail: Schema.String
}) {
  override get message(): string {
    return `the parts do not make one run: ${this.detail}; ${advice[this.reason]}`
  }
}
