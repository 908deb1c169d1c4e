/** Deposits and transfers that are each other's only candidate in the window, by a rule of the caller. */
import { at, type Buckets, firstNotBefore } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** The most that are looked at for one entry: whoever has more in its window is alone with none of them. */
const LOOKS = 32

const find = (
  side: Ledger.Side,
  indices: Int32Array,
  from: number,
  to: number,
  isCandidate: (index: number) => boolean
): number | undefined => {
  let found: number | undefined
  const first = firstNotBefore(side.at, indices, from)
  for (let place = first; place < indices.length && at(side.at, at(indices, place)) <= to; place++) {
    if (place - first >= LOOKS) return undefined
    const index = at(indices, place)
    if (!isCandidate(index)) continue
    if (found !== undefined) return undefined
    found = index
  }
  return found
}

/** The pairs among entries of one key; whoever was looked at is tied. */
export const pairs = (
  { ledger, ties }: Workbench,
  lefts: Buckets,
  rights: Buckets,
  keys: number,
  accept: (deposit: number, transfer: number) => boolean
): ReadonlyArray<readonly [deposit: number, transfer: number]> => {
  const { deposits, transfers } = ledger
  const isCandidate = (deposit: number, transfer: number): boolean => {
    const { after, before } = ledger.rule(deposit).window
    const lag = Ledger.lag(ledger, deposit, transfer)
    const isFound = lag >= -before && lag <= after && accept(deposit, transfer)
    if (isFound) ties.across(deposit, transfer)
    return isFound
  }
  const found: Array<readonly [deposit: number, transfer: number]> = []
  for (let key = 0; key < keys; key++) {
    const [left, right] = [lefts.of(key), rights.of(key)]
    if (left.length === 0 || right.length === 0) continue
    for (const deposit of left) {
      const { after, before } = ledger.rule(deposit).window
      const time = at(deposits.at, deposit)
      const transfer = find(transfers, right, time - before, time + after, (index) => isCandidate(deposit, index))
      if (transfer === undefined) continue
      const back = at(transfers.at, transfer)
      const widest = ledger.widest(at(deposits.group, deposit))
      const other = find(
        deposits,
        left,
        back - widest.after,
        back + widest.before,
        (index) => isCandidate(index, transfer)
      )
      if (other === deposit) found.push([deposit, transfer])
    }
  }
  return found
}
