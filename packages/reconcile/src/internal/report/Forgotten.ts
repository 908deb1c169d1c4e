/** Coverage for records that the service no longer gives. It says why they are not there, and what would have kept them. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "../../Entry.ts"

const HOUR = 3_600_000

const remedy = "; an archive that is synced in time keeps it"

const advised = (coverage: Coverage.Coverage): Coverage.Coverage =>
  coverage.gap?.code === "retention"
    ? { ...coverage, gap: { code: "retention", detail: coverage.gap.detail + remedy } }
    : coverage

/** Makes the slice of deposits for `[from, to)`, which lies so far back that the service would refuse the request. */
export const deposits = (
  { from, reach, readAt, to }: Coverage.Interval & {
    /** The distance in the past up to which the service answers, ms. */
    readonly reach: number
    /** Unix ms. */
    readonly readAt: number
  }
): Slice.Slice<Entry.Entry> => ({
  from,
  to,
  records: [],
  bad: [],
  coverage: [advised({
    operation: "deposits",
    from,
    to,
    readAt,
    state: "incomplete",
    gap: { code: "retention", detail: `the service answers for the last ${reach / HOUR} hours only` }
  })]
})

/** Adds advice to every gap that is there because the service forgot records. */
export const told = <Record>(slice: Slice.Slice<Record>): Slice.Slice<Record> => ({
  ...slice,
  coverage: slice.coverage.map(advised)
})
