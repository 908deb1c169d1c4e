/**
 * Pairs that time decides among equal amounts, and that are in doubt where amounts may differ: a candidate within the tolerance
 * or a fee is a rival in time like any other, unless it is forced to be with an equal one.
 */
import * as AmountRule from "./AmountRule.ts"
import * as Amounts from "./Amounts.ts"
import * as CandidateIndex from "./CandidateIndex.ts"
import { at, bucket } from "./Column.ts"
import * as FitIndex from "./FitIndex.ts"
import * as Ledger from "./Ledger.ts"
import type { Run } from "./Run.ts"

export type Pair = readonly [deposit: number, transfer: number]

interface Doubted {
  readonly pair: Pair
  rivals: number
  isDoubtful: boolean
}

/** The deposits of those of the pairs that time does not decide against all that is open; forced pairs are stated by then. */
export const among = (run: Run, pairs: ReadonlyArray<Pair>): ReadonlySet<number> => {
  const { closure, ledger } = run
  const { deposits, groups, policy, transfers } = ledger
  if (pairs.length === 0 || !AmountRule.areUnlike(policy)) return new Set()
  const all = pairs.map((pair): Doubted => ({ pair, rivals: 0, isDoubtful: false }))
  const ofDeposit = new Map(all.map((one) => [one.pair[0], one] as const))
  const ofTransfer = new Map(all.map((one) => [one.pair[1], one] as const))
  const lag = (deposit: number, transfer: number): number => Math.abs(Ledger.lag(ledger, deposit, transfer))
  const visit = (one: Doubted | undefined, deposit: number, transfer: number): void => {
    if (one === undefined || one.isDoubtful) return
    if (one.pair[0] === deposit && one.pair[1] === transfer) return
    if (ledger.filtered && !ledger.compatible(deposit, transfer)) return
    closure.joinUnlike(deposit, transfer)
    one.rivals++
    one.isDoubtful = one.rivals > policy.ambiguity.rivals ||
      lag(deposit, transfer) <= policy.ambiguity.ratio * lag(...one.pair)
  }

  const isOpen = (side: Ledger.Side) => (index: number): boolean => Ledger.isFree(side, index)
  const open = {
    deposits: bucket(deposits.group, groups, isOpen(deposits)),
    transfers: bucket(transfers.group, groups, isOpen(transfers))
  }
  const inPairs = {
    deposits: bucket(deposits.group, groups, (index) => ofDeposit.has(index)),
    transfers: bucket(transfers.group, groups, (index) => ofTransfer.has(index))
  }
  for (let group = 0; group < groups; group++) {
    const [lefts, rights] = [inPairs.deposits.of(group), inPairs.transfers.of(group)]
    if (lefts.length === 0) continue
    const [openLefts, openRights] = [open.deposits.of(group), open.transfers.of(group)]
    const amounts = Amounts.make(ledger, openLefts, openRights)
    const rivalsOf = FitIndex.make(ledger, amounts, openRights)
    for (const deposit of lefts) {
      const one = ofDeposit.get(deposit)
      rivalsOf(deposit, ({ items }, from, to) => {
        for (let place = from; place < to; place++) {
          if (one?.isDoubtful === true) return
          visit(one, deposit, at(items, place))
        }
      })
    }
    const contested = FitIndex.make(ledger, amounts, rights)
    for (const deposit of openLefts) {
      contested(deposit, (list, from, to) => {
        const last = list.items.length - 1
        for (let place = CandidateIndex.findRunEnd(list, from); place < to;) {
          const transfer = at(list.items, place)
          const one = ofTransfer.get(transfer)
          visit(one, deposit, transfer)
          if (place === last) break
          // What is in doubt is not looked at again.
          if (one?.isDoubtful === true) list.runEnd[place] = place + 1
          place = CandidateIndex.findRunEnd(list, place + 1)
        }
      })
    }
  }
  for (const { pair } of all) closure.joinUnlike(...pair)
  return new Set(all.filter(({ isDoubtful }) => isDoubtful).map(({ pair: [deposit] }) => deposit))
}
