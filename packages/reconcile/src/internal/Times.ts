/** Checks the times of a run. */
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as TimeRange from "@tallystick/core/TimeRange"
import type * as DateTime from "effect/DateTime"

/** Returns the error of an invalid range, or of an invalid moment to which ages count; `undefined` where both are valid. */
export const invalid = (
  { asOf, range }: { readonly range?: TimeRange.Input | undefined; readonly asOf?: DateTime.DateTime.Input | undefined }
): InvalidRange | undefined =>
  (range === undefined ? undefined : InvalidRange.of(range)) ?? InvalidRange.ofMoment("asOf", asOf)
