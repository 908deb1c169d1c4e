/**
 * Knows the entries that a reference holds. Something unread may carry the same reference and fit better. Then they are
 * released, and join the entries in their window of equal amount, or of any amount if amounts may differ.
 */
import type * as Entry from "../../../Entry.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import { at, bucket, firstNotBefore } from "../ledger/Column.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { Members } from "../ledger/Side.ts"
import * as Window from "../ledger/Window.ts"
import type { Judgement } from "./Timeline.ts"

export interface ReferenceHolds {
  readonly hold: (members: Members) => void
  /** Calls `tell` for every entry that a held one may be released to, with the judgement of the held one. */
  readonly releasable: (
    judge: (side: Entry.Side, index: number) => Judgement,
    tell: (side: Entry.Side, index: number, judgement: Judgement) => void
  ) => void
}

/** The largest number of held entries that are checked for one entry. All others are taken to fit. */
const LOOKS = 100

export const make = (ledger: Ledger): ReferenceHolds => {
  const { amountClasses, deposits, groups, transfers } = ledger
  const [key, keys] = AmountRule.areUnlike(ledger.policy)
    ? ["group", groups] as const
    : ["amountClass", amountClasses] as const
  const marks = {
    deposit: new Uint8Array(deposits.entries.length),
    transfer: new Uint8Array(transfers.entries.length)
  }
  let isAnyHeld = false

  return {
    hold: (members) => {
      isAnyHeld = true
      for (const deposit of members.deposits) marks.deposit[deposit] = 1
      for (const transfer of members.transfers) marks.transfer[transfer] = 1
    },
    releasable: (judge, tell) => {
      if (!isAnyHeld) return
      const told: Array<readonly [Entry.Side, number, Judgement]> = []
      for (const held of [deposits, transfers]) {
        const { other } = held
        const loose = bucket(
          held[key],
          keys,
          (index) => marks[held.side][index] === 1 && judge(held.side, index).state !== "complete"
        )
        const isCandidate = (index: number, one: number): boolean => {
          const pair = held.pair(one, index)
          return ledger.compatible(...pair) && Window.holds(ledger, ...pair)
        }
        for (let index = 0; index < other.entries.length; index++) {
          if (other.eligible[index] !== 1 || marks[other.side][index] === 1) continue
          const some = loose.of(at(other[key], index))
          if (some.length === 0) continue
          const [from, to] = other.windowOf(index)
          const first = firstNotBefore(held.at, some, from)
          for (let place = first; place < some.length && at(held.at, at(some, place)) <= to; place++) {
            const one = at(some, place)
            if (place - first < LOOKS && !isCandidate(index, one)) continue
            told.push([other.side, index, judge(held.side, one)])
            break
          }
        }
      }
      for (const one of told) tell(...one)
    }
  }
}
