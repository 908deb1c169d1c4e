/**
 * Takes entries as they come, in order of time. Lone pairs are told at once; all others are gathered and decided together, so
 * that kept entries are looked at again only when there are enough new ones.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import { append } from "../ledger/Column.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import * as Incremental from "./Incremental.ts"
import * as LonePairs from "./LonePairs.ts"

export interface Options extends Incremental.Options {
  /** The range, Unix ms, `[from, to)`. Entries outside serve as candidates only. */
  readonly range?: Coverage.Interval | undefined
}

/** Works like `Incremental`, but orders outcomes by (earliest time, id). */
export type Pipeline = Incremental.Incremental

/** The number of entries that are gathered before they are decided, unless nothing more is to come. */
const ENOUGH = 4096

interface Gathered {
  readonly deposits: Array<Entry.Entry>
  readonly transfers: Array<Entry.Entry>
  readonly bad: Array<BadRecord.BadRecord>
}

/**
 * Returns the coverage that may be believed so far. For the time after the watermark it is known that something was asked for,
 * and not yet what came.
 */
const soFar = (coverage: ReadonlyArray<Coverage.Coverage>, watermark: number): ReadonlyArray<Coverage.Coverage> => [
  ...Coverage.clip(coverage, { from: Number.NEGATIVE_INFINITY, to: watermark }),
  ...Coverage.clip(coverage, { from: watermark, to: Number.POSITIVE_INFINITY })
    .map((part): Coverage.Coverage => Object.assign({}, part, { state: "open" }))
]

const nothing = (): Gathered => ({ deposits: [], transfers: [], bad: [] })

export const make = (options: Options, enough = ENOUGH): Pipeline => {
  const { policy, range } = options
  const lone = LonePairs.make(policy)
  const incremental = Incremental.make(options)
  const isReported = Outcomes.isReported(range)
  let gathered = nothing()
  const size = (): number => gathered.deposits.length + gathered.transfers.length + gathered.bad.length

  return {
    advance: ({ bad, coverage, deposits, ended, transfers, watermark }) => {
      const sieved = lone.sieve({ deposits, transfers, coverage, watermark, ended })
      append(gathered.deposits, sieved.deposits)
      append(gathered.transfers, sieved.transfers)
      append(gathered.bad, bad)
      const outcomes = Array.from(sieved.pairs)
      if (ended || size() >= Math.max(enough, incremental.kept() / 2)) {
        const known = soFar(coverage, sieved.watermark)
        append(outcomes, incremental.advance({ ...gathered, coverage: known, watermark: sieved.watermark, ended }))
        gathered = nothing()
      }
      return Outcomes.inOrder(outcomes.filter(isReported))
    },
    kept: () => lone.held() + size() + incremental.kept(),
    counts: incremental.counts
  }
}
