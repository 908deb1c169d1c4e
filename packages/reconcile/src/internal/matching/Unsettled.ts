/** Open deposits and the equal transfers in their windows that are not settled. */
import type * as Entry from "../../Entry.ts"
import * as CandidateGraph from "./CandidateGraph.ts"
import * as CandidateIndex from "./CandidateIndex.ts"
import { bucket, item } from "./Column.ts"
import * as Ledger from "./Ledger.ts"
import type { Run } from "./Run.ts"

const openWith = (side: Ledger.Side, statuses: ReadonlyArray<Entry.Status>) => (index: number): boolean =>
  side.open[index] === 1 && side.inFlow[index] === 1 && statuses.includes(item(side.entries, index).status)

/** Connected by equal amount, window, account and the rest, whatever the size. */
const equals = (
  ledger: Ledger.Ledger,
  isLeft: (deposit: number) => boolean,
  isRight: (transfer: number) => boolean
): ReadonlyArray<CandidateGraph.Component> => {
  const { amountClasses, deposits, transfers } = ledger
  const lefts = bucket(deposits.amountClass, amountClasses, isLeft)
  const rights = bucket(transfers.amountClass, amountClasses, isRight)
  const found: Array<CandidateGraph.Component> = []
  for (let key = 0; key < amountClasses; key++) {
    const [left, right] = [lefts.of(key), rights.of(key)]
    if (left.length === 0 || right.length === 0) continue
    const index = CandidateIndex.byTime(ledger, right, (deposit) => ledger.rule(deposit).window)
    found.push(...CandidateGraph.components(ledger, left, index, ledger.filtered ? ledger.compatible : undefined))
  }
  return found
}

/** Notes which deposits failed transfers may have been for, so that neither is final before the other. */
export const joinFailed = ({ closure, ledger }: Run): void => {
  const isLeft = (deposit: number): boolean => ledger.deposits.eligible[deposit] === 1
  for (const { deposits, transfers } of equals(ledger, isLeft, openWith(ledger.transfers, ["failed"]))) {
    for (const deposit of deposits) closure.join(deposit, item(transfers, 0))
    for (const transfer of transfers) closure.join(item(deposits, 0), transfer)
  }
}

/** Open deposits with equal transfers of these statuses. */
export const unsettledCounterparts = (
  ledger: Ledger.Ledger,
  statuses: ReadonlyArray<Entry.Status>
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, (deposit) => Ledger.isFree(ledger.deposits, deposit), openWith(ledger.transfers, statuses))

/** Open transfers with equal deposits of these statuses. */
export const unsettledOrigins = (
  ledger: Ledger.Ledger,
  statuses: ReadonlyArray<Entry.Status>
): ReadonlyArray<CandidateGraph.Component> =>
  equals(ledger, openWith(ledger.deposits, statuses), (transfer) => Ledger.isFree(ledger.transfers, transfer))
