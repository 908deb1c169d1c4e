/** Entries of the other side in the window, the nearest in time first. */
import { at, firstNotBefore } from "../Column.ts"
import type * as Ledger from "../Ledger.ts"

const between = (side: Ledger.Side, indices: Int32Array, from: number, to: number): Int32Array =>
  indices.subarray(firstNotBefore(side.at, indices, from), firstNotBefore(side.at, indices, to + 1))

/** Those in the window of a deposit; `indices` are transfers in order of time. */
export const ofDeposit = (ledger: Ledger.Ledger, deposit: number, indices: Int32Array): Int32Array => {
  const { after, before } = ledger.rule(deposit).window
  const time = at(ledger.deposits.at, deposit)
  return between(ledger.transfers, indices, time - before, time + after)
}

/** Those whose window may hold the transfer; `indices` are deposits in order of time. */
export const ofTransfer = (ledger: Ledger.Ledger, transfer: number, indices: Int32Array): Int32Array => {
  const { after, before } = ledger.widest(at(ledger.transfers.group, transfer))
  const time = at(ledger.transfers.at, transfer)
  return between(ledger.deposits, indices, time - after, time + before)
}

/** At most so many of them, outwards from `time`, so that many cost no more than few. */
export const list = (side: Ledger.Side, indices: Int32Array, time: number, most: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let after = firstNotBefore(side.at, indices, time)
  let before = after - 1
  while (found.length < most && (before >= 0 || after < indices.length)) {
    const isBefore = after >= indices.length ||
      (before >= 0 && time - at(side.at, at(indices, before)) <= at(side.at, at(indices, after)) - time)
    found.push(at(indices, isBefore ? before-- : after++))
  }
  return found
}
