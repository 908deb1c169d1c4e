/**
 * Entries as they come, in order of time: lone pairs are told at once, the rest is gathered and decided together, so that
 * what is kept is looked at again only when there is enough new to look at.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import * as Finish from "./Finish.ts"
import * as Incremental from "./Incremental.ts"
import * as LonePairs from "./LonePairs.ts"

export type Options = Incremental.Options
export type Pipeline = Incremental.Incremental

/** Fewer entries than this are gathered on, unless nothing more is to come. */
const ENOUGH = 4096

interface Gathered {
  readonly deposits: Array<Entry.Entry>
  readonly transfers: Array<Entry.Entry>
  readonly bad: Array<BadRecord.BadRecord>
}

const nothing = (): Gathered => ({ deposits: [], transfers: [], bad: [] })

const append = <A>(list: Array<A>, more: Iterable<A>): void => {
  for (const one of more) list.push(one)
}

export const make = (options: Options, enough = ENOUGH): Pipeline => {
  const { policy, range } = options
  const lone = LonePairs.make(policy)
  const incremental = Incremental.make(options)
  let coverage: ReadonlyArray<Coverage.Coverage> = []
  let decidedTo = Number.NEGATIVE_INFINITY
  let gathered = nothing()
  const isInside = ({ at }: Entry.Entry): boolean => range === undefined || (at >= range.from && at < range.to)

  const decide = (watermark: number): ReadonlyArray<Outcome.Outcome> => {
    const step = {
      ...gathered,
      coverage: Coverage.clip(coverage, { from: decidedTo, to: watermark }),
      watermarks: { deposit: watermark, transfer: watermark }
    }
    gathered = nothing()
    decidedTo = watermark
    return incremental.advance(step)
  }
  const size = (): number => gathered.deposits.length + gathered.transfers.length + gathered.bad.length

  return {
    advance: ({ bad, coverage: more, deposits, transfers, watermarks }) => {
      coverage = Coverage.merge([...coverage, ...more])
      const watermark = Math.min(watermarks.deposit, watermarks.transfer)
      const sieved = lone.sieve({ deposits, transfers, coverage, watermark })
      append(gathered.deposits, sieved.deposits)
      append(gathered.transfers, sieved.transfers)
      append(gathered.bad, bad)
      const isEnough = watermark === Number.POSITIVE_INFINITY || size() >= Math.max(enough, incremental.kept() / 2)
      const rest = isEnough ? decide(sieved.watermark) : []
      const pairs = sieved.pairs.filter(({ deposits, transfers }) => [...deposits, ...transfers].some(isInside))
      return Finish.sort([...pairs, ...rest])
    },
    kept: () => lone.held() + size() + incremental.kept(),
    counts: incremental.counts
  }
}
