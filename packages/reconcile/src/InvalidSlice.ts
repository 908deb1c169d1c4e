/** The error of a slice that is no interval of time, or comes in the wrong place. */
import * as Coverage from "@tallystick/core/Coverage"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import * as Formatter from "effect/Formatter"
import * as Schema from "effect/Schema"
import * as Entry from "./Entry.ts"
import * as Excerpt from "./rows/Excerpt.ts"

const shown = (value: unknown): string => Excerpt.of(Formatter.format(value))

const isSeconds = (time: unknown): boolean =>
  typeof time === "number" && time * 1000 >= InvalidRange.EARLIEST && time * 1000 < InvalidRange.LATEST

/**
 * A source gave a slice whose ends, or the ends of its coverage, are no whole Unix milliseconds or are reversed. (`from` and
 * `to` may be equal: such a slice is empty.) Or both ends of its coverage are in seconds, or the slice begins before the end of
 * an earlier one.
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
      return `a slice of ${this.side}s is from ${shown(this.from)} to ${
        shown(this.to)
      }, although everything before ${this.after} had come; slices come in order of time and do not overlap, so sort the source by time and try again`
    }
    const what = `a ${this.what} of ${this.side}s is from ${shown(this.from)} to ${shown(this.to)}`
    return Coverage.isInterval(this)
      ? `${what}, which seems to be in seconds: Unix milliseconds are wanted, 1000 times as many`
      : `${what}; both ends are whole numbers of milliseconds (Unix), and the first is not after the second`
  }

  /** Returns the error of a slice that is no interval, or whose coverage is none; `undefined` where both are. */
  static readonly of = (side: Entry.Side, slice: Slice.Slice<unknown>): InvalidSlice | undefined => {
    const { coverage, from, to }: { readonly [Key in keyof Slice.Slice<unknown>]?: unknown } = Object(slice)
    // A slice is often made of its coverage: then the coverage is what was given.
    const parts: ReadonlyArray<unknown> = Array.isArray(coverage) ? coverage : []
    for (const part of parts) {
      if (typeof part !== "object" || part === null) continue
      const { from, to }: { readonly from?: unknown; readonly to?: unknown } = part
      if (!Coverage.isInterval({ from, to }) || (isSeconds(from) && isSeconds(to))) {
        return new InvalidSlice({ side, what: "coverage", from, to })
      }
    }
    return Coverage.isInterval({ from, to }) ? undefined : new InvalidSlice({ side, what: "slice", from, to })
  }

  /** Returns the error of a slice that begins before `after` (Unix ms), the end of the earlier slices. */
  static readonly early = (
    side: Entry.Side,
    { from, to }: Coverage.Interval,
    after: number
  ): InvalidSlice | undefined => from < after ? new InvalidSlice({ side, what: "slice", from, to, after }) : undefined
}
