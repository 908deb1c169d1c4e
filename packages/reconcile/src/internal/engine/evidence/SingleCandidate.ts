/** Finds deposits and transfers that are each other's only candidate in the window, by a rule of the caller. */
import * as Connected from "../candidates/Connected.ts"
import { at, firstNotBefore } from "../ledger/Column.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"

/** The largest number of entries that are looked at for one entry. An entry with more in its window gets no pair. */
const LOOKS = 32

const find = (
  side: Ledger.Side,
  indices: Int32Array,
  [from, to]: Window.Bounds,
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

/** Returns the pairs among entries of one key, and ties all entries that it compared. */
export const pairs = (
  { finality, ledger }: Workbench,
  key: Connected.Key,
  among: Connected.Among,
  accept: (deposit: number, transfer: number) => boolean
): ReadonlyArray<readonly [deposit: number, transfer: number]> => {
  const { deposits, transfers } = ledger
  const isCandidate = (deposit: number, transfer: number): boolean => {
    const isFound = Window.holds(ledger, deposit, transfer) && accept(deposit, transfer)
    if (isFound) finality.look(deposit, transfer)
    return isFound
  }
  const found: Array<readonly [deposit: number, transfer: number]> = []
  for (const { deposits: left, transfers: right } of Connected.alike(key, among)) {
    for (const deposit of left) {
      const transfer = find(transfers, right, deposits.windowOf(deposit), (index) => isCandidate(deposit, index))
      if (transfer === undefined) continue
      const back = at(transfers.at, transfer)
      // The window follows the rules of the deposit's asset, because the asset of the transfer may only look alike.
      const { after, before } = ledger.widest(at(deposits.group, deposit))
      const other = find(deposits, left, [back - after, back + before], (index) => isCandidate(index, transfer))
      if (other === deposit) found.push([deposit, transfer])
    }
  }
  return found
}
