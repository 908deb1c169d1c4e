/** The error of a slice that is no interval of time, or comes in the wrong place. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"

/**
 * A source gave a slice whose ends, or the ends of its coverage, are no whole Unix milliseconds or are reversed. (`from` and
 * `to` may be equal: such a slice is empty.) Or the slice begins before the end of an earlier one.
 */
export class InvalidSlice extends Schema.TaggedError<InvalidSlice>("@tallystick/reconcile/InvalidSlice")(
  "InvalidSlice",
  {
    side: Entry.Side,
    /** The part that is no interval: the slice, or the coverage that it carries. */
    what: Schema.Literals(["slice", "coverage"]),
    /** As it came. */
    from: Schema.Unknown,
    /** As it came. */
    to: Schema.Unknown,
    /** The end of the earlier slices, Unix ms, where the slice begins before it. */
    after: Schema.optionalKey(Schema.Int)
  }
) {
  override get message(): string {
    if (this.after !== undefined) {
      return `a slice of ${this.side}s is from ${String(this.from)} to ${String(this.to)}, although everything before ${
        String(this.after)
      } had come; slices come in order of time and do not overlap, so sort the source by time and try again`
    }
    return `a ${this.what} of ${this.side}s is from ${String(this.from)} to ${String(this.to)}; both ends are whole ` +
      `milliseconds (Unix), and the first is not after the second`
  }

  /** Returns the error of a slice that is no interval; `undefined` where it is one. */
  static readonly of = (side: Entry.Side, slice: Slice.Slice<unknown>): InvalidSlice | undefined => {
    const { coverage, from, to }: { readonly [Key in keyof Slice.Slice<unknown>]?: unknown } = Object(slice)
    if (!Coverage.isInterval({ from, to })) return new InvalidSlice({ side, what: "slice", from, to })
    const parts: ReadonlyArray<unknown> = Array.isArray(coverage) ? coverage : []
    for (const part of parts) {
      if (typeof part !== "object" || part === null) continue
      const { from, to }: { readonly from?: unknown; readonly to?: unknown } = part
      if (!Coverage.isInterval({ from, to })) return new InvalidSlice({ side, what: "coverage", from, to })
    }
    return undefined
  }

  /** Returns the error of a slice that begins before `after` (Unix ms), the end of the earlier slices. */
  static readonly early = (
    side: Entry.Side,
    { from, to }: Coverage.Interval,
    after: number
  ): InvalidSlice | undefined => from < after ? new InvalidSlice({ side, what: "slice", from, to, after }) : undefined
}
