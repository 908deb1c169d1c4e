/** The times that a run is asked about. */
import type * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"

/** The error of a range, or of the moment to which ages count, that is none; undefined where they can be asked about. */
export const invalid = (
  { asOf, range }: { readonly range?: Coverage.Interval | undefined; readonly asOf?: number | undefined }
): InvalidRange | undefined =>
  (range === undefined ? undefined : InvalidRange.of(range)) ?? InvalidRange.ofMoment("asOf", asOf)
