/** Whether outcomes come near to where reading ended, while the archive has more behind it: a run may know such an outcome in part. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import { wider } from "./Wider.ts"

export interface Reading {
  /** What was read. */
  readonly read: Coverage.Interval
  /** So far the policy looks from an entry, ms. */
  readonly horizon: number
  /** What the archive knows of what was read, and of one horizon on both sides of it. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

/** Time that the archive does not have, of which only this is known, has no records. */
const EMPTY: ReadonlySet<string | undefined> = new Set(["not-read", "retention"])

/** What was read in part, or failed, may have records. */
const mayHave = ({ gap, state }: Coverage.Coverage): boolean => state !== "incomplete" || !EMPTY.has(gap?.code)

/** The ends of what was read behind which the archive may have records, Unix ms. */
const edgesOf = ({ coverage, read }: Reading): ReadonlyArray<number> => {
  const parts = coverage.filter(mayHave)
  return [
    ...(parts.some(({ from }) => from < read.from) ? [read.from] : []),
    ...(parts.some(({ to }) => to > read.to) ? [read.to] : [])
  ]
}

const timesOf = ({ at, past }: Entry.Entry): ReadonlyArray<number> =>
  past?.settledAt === undefined ? [at] : [at, past.settledAt]

interface Watch {
  readonly add: (outcome: Pick<Outcome.Outcome, "deposits" | "final" | "transfers">) => void
  /** Tells whether any of the outcomes that were looked at may go on behind what was read. */
  readonly isAnyCut: () => boolean
}

/**
 * Looks at the outcomes of a run one by one. One that is not final may go on where it has an entry within one horizon of an edge,
 * wherever the archive ends and whatever it lacks elsewhere. A class that ends there by chance counts as well.
 */
export const watch = (reading: Reading): Watch => {
  const edges = edgesOf(reading)
  const isNear = (time: number): boolean => edges.some((edge) => Math.abs(time - edge) <= reading.horizon)
  let isAnyCut = false
  return {
    add: ({ deposits, final, transfers }) => {
      if (isAnyCut || final || edges.length === 0) return
      isAnyCut = [...deposits, ...transfers].some((entry) => timesOf(entry).some(isNear))
    },
    isAnyCut: () => isAnyCut
  }
}

/** The time of which a reading knows the coverage. */
export const around = ({ horizon, read }: Pick<Reading, "horizon" | "read">): Coverage.Interval => wider(read, horizon)
