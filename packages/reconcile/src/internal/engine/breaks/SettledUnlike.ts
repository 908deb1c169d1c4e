/**
 * Looks at deposits that were first seen settled later than their own time. Entries that came in between or then may differ
 * from such a deposit by a fee or within the tolerance, or make up a sum with it. The moment from which the lag counts is not
 * known exactly enough to state such a pair or group, but the entries are not certainly missing either.
 */
import * as Amount from "@tallystick/core/Amount"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import { at, bucket, item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"

/** Settles such deposits as ambiguous with the entries that fit them. It runs after the rules about equal amounts. */
export const settledUnlike = (bench: Workbench): void => {
  const { finality, ledger, settle } = bench
  const { deposits, policy, transfers } = ledger
  if (!AmountRule.areUnlike(policy)) return
  const parts = Unsettled.fitting(
    ledger,
    (deposit) => Ledger.isFree(deposits, deposit) && ledger.delay(deposit) > 0,
    (transfer) => Ledger.isFree(transfers, transfer)
  )
  for (const part of parts) {
    finality.lookAmong(part)
    if (finality.postpones(part)) {
      finality.wait(part)
      continue
    }
    settle({
      code: "ambiguous",
      deposits: part.deposits,
      transfers: part.transfers,
      finality: "horizon",
      because: { code: "several-pairings-from-settlement" }
    })
  }
}

/** The largest number of entries that are named for one deposit. */
const NAMED = 3

/** The largest number of entries that are checked for one deposit. All others are taken to fit. */
const LOOKS = 100

/**
 * Notes entries that may make up a sum with a deposit that settled late. It runs before any rule takes them, so that none of
 * them is final, nor are other entries that may be parts of the same sum.
 */
export const settledSums = ({ doubts, finality, ledger }: Workbench): void => {
  const { deposits, groups, policy: { grouping: { manyToOne, oneToMany } }, transfers } = ledger
  if (!manyToOne && !oneToMany) return
  const order = (deposit: number, transfer: number): number =>
    Amount.compare(item(deposits.entries, deposit).amount, item(transfers.entries, transfer).amount)
  const isSum = (deposit: number, transfer: number): boolean => {
    const by = order(deposit, transfer)
    return ((manyToOne && by < 0) || (oneToMany && by > 0)) && ledger.compatible(deposit, transfer)
  }
  const delayed = ledger.delayed.filter((deposit) => Ledger.isFree(deposits, deposit))
  if (delayed.length === 0) return
  const all = bucket(deposits.group, groups, (deposit) => Ledger.isFree(deposits, deposit))
  const rights = bucket(transfers.group, groups, (transfer) => Ledger.isFree(transfers, transfer))
  const inSpan = (indices: Int32Array) =>
    CandidateIndex.byTime(ledger, indices, (deposit) => Window.span(ledger, deposit))
  for (const [group, lefts] of Map.groupBy(delayed, (deposit) => at(deposits.group, deposit))) {
    const wholes = new Set<number>()
    const index = inSpan(rights.of(group))
    const wait = (deposit: number, transfer: number): void => {
      finality.look(deposit, transfer)
      finality.wait({ deposits: [deposit], transfers: [transfer] })
    }
    for (const deposit of lefts) {
      let looks = 0
      let named = 0
      index(deposit, ({ items }, from, to) => {
        for (let place = from; place < to; place++) {
          const transfer = at(items, place)
          if (Window.excess(ledger, deposit, transfer) === undefined) continue
          if (looks++ < LOOKS && !isSum(deposit, transfer)) continue
          wait(deposit, transfer)
          if (order(deposit, transfer) < 0) wholes.add(transfer)
          if (named++ < NAMED) {
            doubts.between(deposit, transfer, { code: "part-from-settlement" })
          }
        }
      })
    }
    if (wholes.size === 0) continue
    const ofWholes = inSpan(Int32Array.from(wholes).toSorted())
    for (const deposit of all.of(group)) {
      ofWholes(deposit, ({ items }, from, to) => {
        for (let place = from; place < Math.min(to, from + LOOKS); place++) {
          if (order(deposit, at(items, place)) < 0) wait(deposit, at(items, place))
        }
      })
    }
  }
}
