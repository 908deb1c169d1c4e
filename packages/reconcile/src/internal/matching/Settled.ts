/** Whether everything that an open entry could still be found to belong to has itself come to rest. */
import type * as Entry from "../../Entry.ts"
import type { Closure } from "./Closure.ts"
import { at, bucket, type Buckets, firstNotBefore } from "./Column.ts"
import type { Ledger, Side } from "./Ledger.ts"

export interface Settled {
  /**
   * Whether no equal counterpart within the horizon, and no counterpart in the window that could become a mismatch,
   * belongs to a component that entries yet unread could join: it might be released.
   */
  readonly isSettled: (side: Entry.Side, index: number) => boolean
}

interface Counter {
  readonly indices: Int32Array
  /** How many of the first entries are in components that are not closed. */
  readonly before: Int32Array
}

const counters = (side: Side, buckets: () => Buckets, isClosed: (index: number) => boolean) => {
  const known = new Map<number, Counter>()
  let made: Buckets | undefined
  const counterOf = (key: number): Counter => {
    const counter = known.get(key)
    if (counter !== undefined) return counter
    made ??= buckets()
    const indices = made.of(key)
    const before = new Int32Array(indices.length + 1)
    indices.forEach((index, position) => (before[position + 1] = at(before, position) + (isClosed(index) ? 0 : 1)))
    const counted = { indices, before }
    known.set(key, counted)
    return counted
  }
  return (key: number, from: number, to: number): boolean => {
    const { before, indices } = counterOf(key)
    const [first, last] = [firstNotBefore(side.at, indices, from), firstNotBefore(side.at, indices, to + 1)]
    return at(before, last) === at(before, first)
  }
}

export const make = (ledger: Ledger, closure: Closure): Settled => {
  const { amountClasses, deposits, groups, transfers } = ledger
  const ofSide = (side: Side, isClosed: (index: number) => boolean) => {
    const isEligible = (index: number): boolean => side.eligible[index] === 1
    return {
      inClass: counters(side, () => bucket(side.amountClass, amountClasses, isEligible), isClosed),
      inGroup: counters(side, () => bucket(side.group, groups, isEligible), isClosed)
    }
  }
  const others = {
    deposit: ofSide(transfers, (index) => closure.ofTransfer(index).state === "complete"),
    transfer: ofSide(deposits, (index) => closure.ofDeposit(index).state === "complete")
  }
  const ofDeposit = (deposit: number) => {
    const { late, window } = ledger.rule(deposit)
    return { ...window, late }
  }
  return {
    isSettled: (name, index) => {
      const side = name === "deposit" ? deposits : transfers
      const group = at(side.group, index)
      const { after, before, late } = name === "deposit" ? ofDeposit(index) : ledger.widest(group)
      const [back, ahead] = name === "deposit" ? [before, after] : [after, before]
      const time = at(side.at, index)
      const { inClass, inGroup } = others[name]
      const mayMismatch = at(side.account, index) >= 0 || at(side.reference, index) >= 0
      return inClass(at(side.amountClass, index), time - back - late, time + ahead + late) &&
        (!mayMismatch || inGroup(group, time - back, time + ahead))
    }
  }
}
