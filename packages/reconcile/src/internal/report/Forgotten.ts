/** What the service no longer tells: it was asked about, and a report says why it is not there and where it may be. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "../../Entry.ts"

const HOUR = 3_600_000

const remedy = "; an archive that is synced in time keeps it"

const advised = (coverage: Coverage.Coverage): Coverage.Coverage =>
  coverage.gap?.code === "retention"
    ? { ...coverage, gap: { code: "retention", detail: coverage.gap.detail + remedy } }
    : coverage

/** The deposits of `[from, to)`, which lie so far back that the service would refuse the request. */
export const deposits = (
  { from, reach, readAt, to }: Coverage.Interval & {
    /** How far back the service answers, ms. */
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

/** Says in every gap where the service forgot something what helps. */
export const told = <Record>(slice: Slice.Slice<Record>): Slice.Slice<Record> => ({
  ...slice,
  coverage: slice.coverage.map(advised)
})
