/** The error of a slice that is no interval of time. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"

/**
 * A source gave a slice whose ends, or the ends of its coverage, are no whole Unix milliseconds or lie the wrong way round.
 * Such a slice may be empty: `from` and `to` may be equal.
 */
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

  /** The error of a slice that is none; undefined where the slice is one. */
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
}
