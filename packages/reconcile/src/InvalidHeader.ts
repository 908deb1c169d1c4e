/** The error of a table whose header does not say what its columns hold. */
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"

/** The header of a CSV source lacks a column, names one twice, or has one that is nearly another. Nothing of it was read. */
export class InvalidHeader
  extends Schema.TaggedError<InvalidHeader>("@tallystick/reconcile/InvalidHeader")("InvalidHeader", {
    side: Entry.Side,
    /** The name of the source. */
    source: Schema.String,
    /** What is wrong with the header, and what is wanted. */
    problem: Schema.String
  })
{
  override get message(): string {
    return `${this.source}, a source of ${this.side}s: ${this.problem}`
  }
}
