/** Entries as they come, in order of time: lone pairs are told at once, the rest is decided together. */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../Entry.ts"
import * as Finish from "./Finish.ts"
import * as Incremental from "./Incremental.ts"
import * as LonePairs from "./LonePairs.ts"

export type Options = Incremental.Options
export type Pipeline = Incremental.Incremental

export const make = (options: Options): Pipeline => {
  const { policy, range } = options
  const lone = LonePairs.make(policy)
  const incremental = Incremental.make(options)
  let coverage: ReadonlyArray<Coverage.Coverage> = []
  let given = Number.NEGATIVE_INFINITY
  const isInside = ({ at }: Entry.Entry): boolean => range === undefined || (at >= range.from && at < range.to)
  return {
    advance: ({ bad, coverage: more, deposits, transfers, watermarks }) => {
      coverage = Coverage.merge([...coverage, ...more])
      const watermark = Math.min(watermarks.deposit, watermarks.transfer)
      const sieved = lone.sieve({ deposits, transfers, coverage, watermark })
      const passed = { from: given, to: sieved.watermark }
      given = Math.max(given, sieved.watermark)
      const rest = incremental.advance({
        deposits: sieved.deposits,
        transfers: sieved.transfers,
        bad,
        coverage: Coverage.clip(coverage, passed),
        watermarks: { deposit: sieved.watermark, transfer: sieved.watermark }
      })
      const pairs = sieved.pairs.filter(({ deposits, transfers }) => [...deposits, ...transfers].some(isInside))
      return pairs.length === 0 ? rest : Finish.sort([...pairs, ...rest])
    },
    kept: () => lone.held() + incremental.kept(),
    counts: incremental.counts
  }
}
