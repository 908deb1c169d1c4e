/** The error of parts that are not those of one run. */
import * as Schema from "effect/Schema"

const advice = {
  question: "give all parts and their merge the same options and the same `whole`, by one version of the program",
  family: "give all assets of a family to one part, and merge each part once",
  entries: "merge each part once, and give every family of assets to one of them",
  bad:
    "count the records of all sides that could not be used before the first part is decided, and merge with all of them"
} as const

/** Parts were to be merged that do not make one run, or a part read what its run does not have. No report is made of them. */
export class NotParts extends Schema.TaggedError<NotParts>("@tallystick/reconcile/NotParts")("NotParts", {
  /**
   * `question`: a part was asked something else. `family`: several parts have assets of one family. `entries`: the parts have more or fewer
   * entries than the run. `bad`: the same of records that could not be used.
   */
  reason: Schema.Literals(["question", "family", "entries", "bad"]),
  /** What came and what was wanted, in words. */
  detail: Schema.String
}) {
  override get message(): string {
    return `the parts do not make one run: ${this.detail}; ${advice[this.reason]}`
  }
}
