/** Pairs by time that candidates of unlike amounts put in doubt: as in the tier of `Matching`. */
import type * as Policy from "../../Policy.ts"
import { f64, i32 } from "../kernel/Column.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Blocks from "./Blocks.ts"
import * as Candidates from "./Candidates.ts"
import type * as Pairs from "./Pairs.ts"
import * as Tolerant from "./Tolerant.ts"

interface Doubted {
  readonly deposit: number
  readonly transfer: number
  rivals: number
  isDoubtful: boolean
}

/** The deposits of those of the pairs that time does not decide against all that is open. */
export const among = (
  pairs: Pairs.Pairs,
  byTime: ReadonlyArray<readonly [deposit: number, transfer: number]>,
  { ambiguity, tolerance, window }: Pick<Policy.Resolved, "window" | "tolerance" | "ambiguity">,
  scales: Int32Array
): ReadonlySet<number> => {
  if (byTime.length === 0) return new Set()
  const all = byTime.map(([deposit, transfer]): Doubted => ({ deposit, transfer, rivals: 0, isDoubtful: false }))
  const lag = (deposit: number, transfer: number): number =>
    Math.abs(f64(pairs.transfers.at, transfer) - f64(pairs.deposits.at, deposit))
  const visit = (one: Doubted, deposit: number, transfer: number): void => {
    if (one.isDoubtful || (one.deposit === deposit && one.transfer === transfer)) return
    one.rivals++
    one.isDoubtful = one.rivals > ambiguity.rivals ||
      lag(deposit, transfer) <= ambiguity.ratio * lag(one.deposit, one.transfer)
  }
  const inAsset = Map.groupBy(all, ({ deposit }) => i32(pairs.deposits.asset, deposit))
  const lefts = Tolerant.byAsset(pairs.deposits.asset, pairs.taken.deposits, scales.length)
  const rights = Tolerant.byAsset(pairs.transfers.asset, pairs.taken.transfers, scales.length)
  for (const [asset, some] of inAsset) {
    const accepted = Acceptance.make(tolerance, i32(scales, asset))
    const [openLefts, openRights] = [lefts(asset), rights(asset)]
    const rivalsOf = Candidates.makeQuery(
      pairs,
      Int32Array.from(some, ({ deposit }) => deposit),
      openRights,
      window,
      accepted
    )
    some.forEach((one, index) =>
      rivalsOf(index, ({ items }, from, to) => {
        for (let place = from; place < to && !one.isDoubtful; place++) {
          visit(one, one.deposit, i32(openRights, i32(items, place)))
        }
      })
    )
    const byTransfer = some.toSorted((one, other) => one.transfer - other.transfer)
    const contested = Int32Array.from(byTransfer, ({ transfer }) => transfer)
    const query = Candidates.makeQuery(pairs, openLefts, contested, window, accepted)
    openLefts.forEach((deposit, index) =>
      query(index, (level, from, to) => {
        const last = level.items.length - 1
        for (let place = Blocks.findRunEnd(level, from); place < to;) {
          const one = byTransfer[i32(level.items, place)]
          if (one !== undefined) visit(one, deposit, one.transfer)
          if (place === last) break
          // What is in doubt is not looked at again.
          if (one?.isDoubtful === true) level.runEnd[place] = place + 1
          place = Blocks.findRunEnd(level, place + 1)
        }
      })
    )
  }
  return new Set(all.filter(({ isDoubtful }) => isDoubtful).map(({ deposit }) => deposit))
}
