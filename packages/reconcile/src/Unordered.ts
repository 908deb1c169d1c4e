/** The error of an entry that came too late to be put in its place. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"

/** A source gave an entry of a time that was already taken as complete. */
export class Unordered extends Schema.TaggedError<Unordered>("@tallystick/reconcile/Unordered")("Unordered", {
  side: Entry.Side,
  /** The entry that came too late. */
  id: Schema.String,
  /** Its time, Unix ms. */
  at: Schema.Int,
  /** The time before which all entries were taken to have come, Unix ms. */
  watermark: Schema.Int
}) {
  override get message(): string {
    const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))
    return `${this.side} ${this.id} of ${time(this.at)} came after everything before ${
      time(this.watermark)
    } was taken as complete; a stream is read in order of time, so sort the source by time and try again`
  }
}
