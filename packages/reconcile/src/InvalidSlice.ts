/** A slice of no interval. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"

/** A source gave a slice whose ends, or those of its coverage, are no whole milliseconds, or lie the wrong way round. */
export class InvalidSlice extends Schema.TaggedError<InvalidSlice>("@tallystick/reconcile/InvalidSlice")(
  "InvalidSlice",
  {
    side: Entry.Side,
    /** What is no interval: the slice, or the coverage that it carries. */
    what: Schema.Literals(["slice", "coverage"]),
    /** As it came. */
    from: Schema.Unknown,
    /** As it came. */
    to: Schema.Unknown
  }
) {
  override get message(): string {
    return `a ${this.what} of ${this.side}s is from ${String(this.from)} to ${String(this.to)}; both ends are whole ` +
      `milliseconds (Unix), and the first is not after the second`
  }

  /** What is wrong with a slice, if anything is. */
  static readonly of = (side: Entry.Side, slice: Slice.Slice<unknown>): InvalidSlice | undefined => {
    if (!Coverage.isInterval(slice)) {
      return new InvalidSlice({ side, what: "slice", from: slice.from, to: slice.to })
    }
    const part = slice.coverage.find((part) => !Coverage.isInterval(part))
    return part && new InvalidSlice({ side, what: "coverage", from: part.from, to: part.to })
  }
}
