/** What a part has of a run: the entries of some assets, in some times. A stretch of a family stands in one part, or the run is torn. */
import type * as Entry from "../Entry.ts"
import type * as Partition from "../Partition.ts"

export interface Share {
  /** As records write them. */
  readonly assets: ReadonlyArray<string>
  readonly times: Partition.Times
}

const startOf = ({ from = Number.NEGATIVE_INFINITY }: Partition.Times): number => from

const endOf = ({ to = Number.POSITIVE_INFINITY }: Partition.Times): number => to

/** Returns the times with these ends. One that is left out is no bound. */
export const times = (from: number | undefined, to: number | undefined): Partition.Times => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to })
})

/** Tells which entries are of the part. */
export const holds = ({ assets, times }: Share): (entry: Pick<Entry.Entry, "asset" | "at">) => boolean => {
  const own = new Set(assets)
  const [from, to] = [startOf(times), endOf(times)]
  return ({ asset, at }) => from <= at && at < to && own.has(asset)
}

/** Whether they have a moment in common. */
export const meet = (one: Partition.Times, other: Partition.Times): boolean =>
  Math.max(startOf(one), startOf(other)) < Math.min(endOf(one), endOf(other))

/** Whether the second has no moment that the first has not. */
export const spans = (one: Partition.Times, other: Partition.Times): boolean =>
  startOf(one) <= startOf(other) && endOf(other) <= endOf(one)
