/** Checks the times of a run. */
import type * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"

/** Returns the error of an invalid range, or of an invalid moment to which ages count; `undefined` where both are valid. */
export const invalid = (
  { asOf, range }: { readonly range?: Coverage.Interval | undefined; readonly asOf?: number | undefined }
): InvalidRange | undefined =>
  (range === undefined ? undefined : InvalidRange.of(range)) ?? InvalidRange.ofMoment("asOf", asOf)
